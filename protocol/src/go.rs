//! The command `go` of UCI and USI: what it says, as limits of a search.

use std::time::Duration;

use makara_engine::notation::UsiMove;
use makara_engine::{Move, Position};
use makara_search::{Clock, Limits};

use crate::controller::Controller;
use crate::output::{QUOTED, shortened};
use crate::session::Adapter;

/// The parts of a `go`.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Go {
    pub(crate) depth: Option<u64>,
    pub(crate) nodes: Option<u64>,
    pub(crate) move_time: Option<u64>,
    pub(crate) mate: Option<u64>,
    pub(crate) perft: Option<u64>,
    /// The clocks `wtime` and `btime`, milliseconds; below zero is zero.
    pub(crate) time: [Option<u64>; 2],
    pub(crate) increment: [Option<u64>; 2],
    /// Milliseconds at each move before the clock runs; USI's.
    pub(crate) byoyomi: Option<u64>,
    pub(crate) moves_to_go: Option<u64>,
    pub(crate) infinite: bool,
    pub(crate) ponder: bool,
    pub(crate) search_moves: Vec<String>,
    /// What could not be read.
    pub(crate) problems: Vec<String>,
}

const GO_WORDS: [&str; 14] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
    "byoyomi",
];

/// Reads a number of milliseconds, nodes or plies: below zero is zero, too large is the largest.
fn number(text: &str) -> Option<u64> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (0, digits));
    let digits = digits.strip_prefix('+').unwrap_or(digits);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    /// Some 300 years in milliseconds: larger numbers would only risk overflow.
    const LARGEST: u64 = 10_000_000_000_000;
    Some(sign * digits.parse().unwrap_or(LARGEST).min(LARGEST))
}

impl Go {
    /// Reads what follows the word `go`, in any order.
    pub(crate) fn parse(mut tokens: &[&str]) -> Go {
        let mut go = Go::default();
        while let [word, rest @ ..] = tokens {
            tokens = rest;
            match *word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => {
                    let end = rest.iter().position(|token| GO_WORDS.contains(token)).unwrap_or(rest.len());
                    let (moves, rest) = rest.split_at(end);
                    go.search_moves.extend(moves.iter().map(|&text| text.to_string()));
                    tokens = rest;
                }
                "depth" | "nodes" | "mate" | "movetime" | "perft" | "wtime" | "btime" | "winc" | "binc"
                | "movestogo" | "byoyomi" => {
                    let value = rest.first().copied().filter(|token| !GO_WORDS.contains(token));
                    if value.is_some() {
                        tokens = rest.get(1..).unwrap_or_default();
                    }
                    go.set(word, value);
                }
                other => go.problems.push(format!("go: {:?} is not understood", shortened(other, QUOTED))),
            }
        }
        go
    }

    fn set(&mut self, word: &str, value: Option<&str>) {
        let read = value.and_then(number);
        // `go mate` alone asks for any mate.
        let read = if word == "mate" { read.or(value.is_none().then_some(u64::MAX)) } else { read };
        let Some(read) = read else {
            let given = value
                .map_or_else(|| "no number".to_string(), |value| format!("{:?}", shortened(value, QUOTED)));
            self.problems.push(format!("go: {word} has {given}"));
            return;
        };
        let [white_time, black_time] = &mut self.time;
        let [white_increment, black_increment] = &mut self.increment;
        *match word {
            "depth" => &mut self.depth,
            "nodes" => &mut self.nodes,
            "mate" => &mut self.mate,
            "movetime" => &mut self.move_time,
            "perft" => &mut self.perft,
            "wtime" => white_time,
            "btime" => black_time,
            "winc" => white_increment,
            "binc" => black_increment,
            "byoyomi" => &mut self.byoyomi,
            _ => &mut self.moves_to_go,
        } = Some(read);
    }

    /// Starts the search with these limits, of the root moves that the client chose in its notation. What
    /// could not be read is told first.
    pub(crate) fn start<E: std::fmt::Display>(
        &self,
        controller: &mut Controller,
        adapter: &mut dyn Adapter,
        mut limits: Limits,
        read: impl Fn(&Position, &str) -> Result<Move, E>,
    ) {
        tell_all(adapter, &self.problems);
        let (search_moves, problems) = controller.chosen_moves(&self.search_moves, read);
        let problems: Vec<String> =
            problems.iter().map(|problem| format!("searchmoves: {problem}; left out")).collect();
        tell_all(adapter, &problems);
        limits.search_moves = search_moves;
        controller.go(limits, adapter);
    }

    /// True when a limit may have been meant that could not be read, such as a misspelt one after
    /// `searchmoves`.
    fn is_doubtful(&self) -> bool {
        !self.problems.is_empty()
            || self
                .search_moves
                .iter()
                .any(|text| text.parse::<Move>().is_err() && text.parse::<UsiMove>().is_err())
    }

    /// The limits for a search in which the side of this index (0 for `wtime`, 1 for `btime`) moves. The root moves are left
    /// to the caller.
    pub(crate) fn limits(&self, side: usize) -> Limits {
        let at_least_one = |value: u64| value.clamp(1, u64::from(u32::MAX)) as u32;
        let of = |pair: &[Option<u64>; 2]| pair.get(side).copied().flatten();
        let has_clock = self
            .time
            .iter()
            .chain(&self.increment)
            .chain([&self.byoyomi, &self.moves_to_go])
            .any(Option::is_some);
        let millis = |value: Option<u64>| Duration::from_millis(value.unwrap_or(0));
        let mut limits = Limits {
            depth: self.depth.map(at_least_one),
            nodes: self.nodes.map(|nodes| nodes.max(1)),
            move_time: self.move_time.map(|time| Duration::from_millis(time.max(1))),
            mate: self.mate.map(at_least_one),
            clock: (has_clock && !self.infinite).then(|| Clock {
                // Only the other side's clock is known: both are likely the same.
                remaining: millis(of(&self.time).or_else(|| self.time.iter().flatten().copied().next())),
                increment: millis(of(&self.increment)),
                byoyomi: millis(self.byoyomi),
                // 0 is some clients' word for none.
                moves_to_go: self.moves_to_go.filter(|&moves| moves > 0).map(at_least_one),
            }),
            infinite: self.infinite,
            // After `ponderhit` an infinite search would go on until `stop` all the same.
            ponder: self.ponder && !self.infinite,
            ..Limits::default()
        };
        let unlimited = limits == Limits { ponder: self.ponder, ..Limits::default() };
        if unlimited && self.is_doubtful() {
            // A limit was meant but could not be read: better a quick answer than none.
            limits.depth = Some(1);
        } else if unlimited && !self.ponder {
            limits.infinite = true;
        }
        limits
    }
}

/// Tells the first few of many problems.
fn tell_all(adapter: &mut dyn Adapter, problems: &[String]) {
    const MOST: usize = 4;
    for problem in problems.iter().take(MOST) {
        adapter.tell(problem);
    }
    if let Some(more @ 1..) = problems.len().checked_sub(MOST) {
        adapter.tell(&format!("and {more} more of the kind"));
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
mod tests {
    use super::*;

    fn go(line: &str) -> Go {
        let words: Vec<&str> = line.split(' ').skip(1).collect();
        Go::parse(&words)
    }

    #[test]
    fn go_limits_come_in_any_order() {
        for line in ["go searchmoves b1d2 e3e4 movetime 300", "go movetime 300 searchmoves b1d2 e3e4"] {
            let go = go(line);
            assert_eq!((go.move_time, go.search_moves.len(), go.problems.len()), (Some(300), 2, 0), "{line}");
        }
        let limits = go("go wtime -40 btime 900 winc 100 binc 100").limits(0);
        assert_eq!(
            limits.clock.map(|clock| (clock.remaining, clock.increment)),
            Some((Duration::ZERO, Duration::from_millis(100)))
        );
        assert_eq!(go("go mate").mate, Some(u64::MAX));
        assert!(go("go").limits(0).infinite);
        assert!(!go("go depth x").limits(0).infinite);
        assert_eq!(go("go depth x").limits(0).depth, Some(1));
        assert_eq!(go("go searchmoves e3e4 dpeth 3").limits(0).depth, Some(1));
        assert!(go("go searchmoves e3e4 e3e5").limits(0).infinite);
        let both = go("go ponder infinite").limits(0);
        assert!(both.infinite && !both.ponder);
        assert_eq!(go("go depth 0 nodes 0").limits(1).depth, Some(1));
        assert_eq!(go("go wtime 99999999999999999999999").time[0], Some(10_000_000_000_000));
        assert_eq!(go("go depth searchmoves a3a4").problems.len(), 1);
    }
}
