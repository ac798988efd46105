//! The engine's clock under CECP, where the client may tell what is left or may leave it to the engine.

use std::time::Duration;

use makara_search::{Clock, Limits};

/// How the time is given.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Control {
    /// So many moves (0: all) for the base time, and an increment after each.
    Level { moves: u32, base: Duration, increment: Duration },
    /// The same time for every move.
    Move(Duration),
}

/// The engine's clock and its other limits.
#[derive(Clone, Debug)]
pub(super) struct OwnClock {
    control: Control,
    remaining: Duration,
    depth: Option<u32>,
    nodes_per_second: Option<u64>,
}

impl Default for OwnClock {
    /// Five minutes for 40 moves, as XBoard begins.
    fn default() -> OwnClock {
        let base = Duration::from_secs(300);
        let control = Control::Level { moves: 40, base, increment: Duration::ZERO };
        OwnClock { control, remaining: base, depth: None, nodes_per_second: None }
    }
}

impl OwnClock {
    /// A new time control; one for each move ends.
    pub(super) fn set_level(&mut self, moves: u32, base: Duration, increment: Duration) {
        self.control = Control::Level { moves, base, increment };
        self.remaining = base;
    }

    /// From now on so much for every move.
    pub(super) fn set_move_time(&mut self, time: Duration) {
        self.control = Control::Move(time);
    }

    /// Limits the depth besides the time.
    pub(super) fn set_depth(&mut self, depth: Option<u32>) {
        self.depth = depth;
    }

    /// Reckons time by nodes instead of the wall clock.
    pub(super) fn set_nodes_per_second(&mut self, nodes: Option<u64>) {
        self.nodes_per_second = nodes;
    }

    /// The client says what is left.
    pub(super) fn set_remaining(&mut self, time: Duration) {
        self.remaining = time;
    }

    /// Back to the beginning of a game.
    pub(super) fn restart(&mut self) {
        self.depth = None;
        self.nodes_per_second = None;
        if let Control::Level { base, .. } = self.control {
            self.remaining = base;
        }
    }

    /// The engine has made its move number `made` (from 1) after so much time.
    pub(super) fn moved(&mut self, spent: Duration, made: usize) {
        let Control::Level { moves, base, increment } = self.control else { return };
        self.remaining = self.remaining.saturating_sub(spent) + increment;
        if moves > 0 && made.is_multiple_of(moves as usize) {
            self.remaining += base;
        }
    }

    /// The limits of the engine's next move, when it has made so many.
    pub(super) fn limits(&self, made: usize) -> Limits {
        let mut limits = Limits { depth: self.depth, ..Limits::default() };
        match self.control {
            Control::Move(time) => limits.move_time = Some(time),
            Control::Level { moves, increment, .. } => {
                let moves_to_go = (moves > 0).then(|| moves - (made % moves as usize) as u32);
                limits.clock = Some(Clock {
                    remaining: self.remaining,
                    increment,
                    byoyomi: Duration::ZERO,
                    moves_to_go,
                });
            }
        }
        if let Some(nodes) = self.nodes_per_second {
            /// Moves that a game is likely to go on for.
            const MOVES_LEFT: u32 = 30;
            let time = match (limits.move_time.take(), limits.clock.take()) {
                (Some(time), _) => time,
                (None, Some(clock)) => {
                    clock.remaining / clock.moves_to_go.unwrap_or(MOVES_LEFT) + clock.increment
                }
                (None, None) => Duration::ZERO,
            };
            limits.nodes = Some(((time.as_secs_f64() * nodes as f64) as u64).max(1));
        }
        limits
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn the_engine_keeps_its_own_clock() {
        let mut clock = OwnClock::default();
        clock.set_level(2, 10 * SECOND, SECOND);
        let first = clock.limits(0).clock.unwrap();
        assert_eq!((first.remaining, first.moves_to_go), (10 * SECOND, Some(2)));
        clock.moved(3 * SECOND, 1);
        let second = clock.limits(1).clock.unwrap();
        assert_eq!((second.remaining, second.moves_to_go), (8 * SECOND, Some(1)));
        clock.moved(3 * SECOND, 2);
        assert_eq!(clock.limits(2).clock.unwrap().remaining, 16 * SECOND);
        // A flag that has fallen is no negative time.
        clock.moved(100 * SECOND, 3);
        assert_eq!(clock.limits(3).clock.unwrap().remaining, SECOND);
    }

    #[test]
    fn the_last_of_level_and_st_counts() {
        let mut clock = OwnClock::default();
        clock.set_level(0, 60 * SECOND, Duration::ZERO);
        clock.set_move_time(2 * SECOND);
        clock.set_depth(Some(6));
        let limits = clock.limits(0);
        assert_eq!((limits.move_time, limits.clock, limits.depth), (Some(2 * SECOND), None, Some(6)));
        clock.set_level(0, 60 * SECOND, Duration::ZERO);
        let limits = clock.limits(0);
        assert_eq!((limits.move_time, limits.clock.unwrap().moves_to_go), (None, None));
        clock.set_move_time(2 * SECOND);
        clock.set_nodes_per_second(Some(1000));
        let limits = clock.limits(0);
        assert_eq!((limits.nodes, limits.move_time), (Some(2000), None));
    }
}
