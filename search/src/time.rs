//! How long to think.

use std::time::{Duration, Instant};

use crate::limits::Limits;
use crate::parameters::{time_hard, time_soft};

/// A game is planned as if it went on for so many moves.
const MOVES_AHEAD: u32 = 32;
/// For so many moves the overhead is put aside.
const RESERVE_MOVES: u32 = 12;
/// Of the increment, this share is spent on each move.
const INCREMENT_SHARE: f64 = 0.85;
/// Never more than this share of the clock on one move, unless it is the last before the time control.
const LARGEST_SHARE: f64 = 0.4;

/// The time limits of one search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeManager {
    start: Instant,
    /// Time that is gone if it is not used: a search by the clock does not end before it by itself.
    free: Duration,
    /// No new iteration begins so long after the free time, scaled by how settled the search is.
    soft: Option<Duration>,
    /// The search ends here.
    hard: Option<Duration>,
}

/// How settled a search is after an iteration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settledness {
    /// Iterations since the best move changed.
    pub(crate) stable_iterations: u32,
    /// By how much the score has fallen since earlier iterations, in centipawns; negative if it rose.
    pub(crate) score_drop: i32,
    /// The share of all nodes that went into the best move, 0 to 1.
    pub(crate) best_move_share: f64,
}

impl TimeManager {
    /// `start` is when the command came; `overhead` is kept in reserve.
    pub(crate) fn new(limits: &Limits, overhead: Duration, start: Instant) -> TimeManager {
        let mut free = Duration::ZERO;
        let mut soft = None;
        let mut hard = None;
        if let Some(clock) = &limits.clock {
            free = clock.byoyomi.saturating_sub(overhead);
            // The overhead is taken from the free time, and only the rest of it from the clock.
            let main = clock.remaining.saturating_sub(overhead.saturating_sub(clock.byoyomi)).as_secs_f64();
            let moves = clock
                .moves_to_go
                .filter(|&moves| moves > 0)
                .map_or(MOVES_AHEAD, |moves| moves.min(MOVES_AHEAD));
            let share = if moves == 1 { 0.95 } else { LARGEST_SHARE.max(1.2 / f64::from(moves)) };
            let most = main * share;
            // A delay outside the engine can come at any of the next moves.
            let reserve = overhead.as_secs_f64() * f64::from(moves.min(RESERVE_MOVES) - 1);
            let base = (main - reserve).max(0.0) / f64::from(moves)
                + clock.increment.as_secs_f64() * INCREMENT_SHARE;
            let thousandths = |value: i32| f64::from(value) / 1000.0;
            soft = Some(Duration::from_secs_f64((base * thousandths(time_soft())).min(most)));
            hard = Some(free + Duration::from_secs_f64((base * thousandths(time_hard())).min(most)));
        }
        if let Some(time) = limits.move_time {
            let usable = time.saturating_sub(overhead).max(time / 2);
            hard = Some(hard.map_or(usable, |hard| hard.min(usable)));
        }
        TimeManager { start, free, soft, hard }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// True when the search must end now.
    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        self.hard.is_some_and(|hard| self.elapsed() >= hard)
    }

    /// True when another iteration is not worth beginning.
    pub(crate) fn is_enough(&self, settled: Settledness) -> bool {
        let Some(soft) = self.soft else { return false };
        let stability = 1.35 - 0.07 * f64::from(settled.stable_iterations.min(9));
        let falling = (1.0 + f64::from(settled.score_drop) / 120.0).clamp(0.75, 1.6);
        let effort = (1.75 - settled.best_move_share).clamp(0.8, 1.4);
        self.elapsed() >= self.free + soft.mul_f64(stability * falling * effort)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Clock;

    fn millis(clock: Clock, overhead: u64) -> (u128, u128) {
        let limits = Limits { clock: Some(clock), ..Limits::default() };
        let manager = TimeManager::new(&limits, Duration::from_millis(overhead), Instant::now());
        (
            (manager.free + manager.soft.unwrap_or_default()).as_millis(),
            manager.hard.unwrap_or_default().as_millis(),
        )
    }

    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Clock {
        Clock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
            moves_to_go,
            ..Clock::default()
        }
    }

    #[test]
    fn never_more_than_the_clock_holds() {
        for remaining in [0, 1, 5, 10, 11, 50, 300, 1000, 60_000] {
            for increment in [0, 10, 1000, 10_000] {
                for moves in [None, Some(1), Some(2), Some(40), Some(0)] {
                    for overhead in [0, 10, 100, 5000] {
                        let (soft, hard) = millis(clock(remaining, increment, moves), overhead);
                        let usable = remaining.saturating_sub(overhead);
                        assert!(
                            soft <= hard && hard <= u128::from(usable),
                            "{remaining} {increment} {moves:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn the_last_move_before_the_control_may_use_nearly_all() {
        let (_, hard) = millis(clock(1000, 0, Some(1)), 10);
        assert!((900..=990).contains(&hard));
    }

    #[test]
    fn byoyomi_is_used_up() {
        let byoyomi = Clock { byoyomi: Duration::from_millis(1000), ..Clock::default() };
        let (soft, hard) = millis(byoyomi, 10);
        assert_eq!((soft, hard), (990, 990));
    }
}
