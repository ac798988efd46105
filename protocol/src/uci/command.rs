//! Lines of the UCI protocol as commands. A line is read whole before anything is done.

use std::time::Duration;

use makara_engine::Move;
use makara_search::{Clock, Limits};

use crate::output::shortened;

/// What a line asks for.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Command {
    Uci,
    IsReady,
    NewGame,
    /// Name, and value if the word `value` stood there.
    SetOption(String, Option<String>),
    Position {
        /// `None` for the start of the game.
        fen: Option<String>,
        moves: Vec<String>,
    },
    Go(Go),
    Stop,
    PonderHit,
    Wait,
    Quit,
    Display,
    Eval,
    #[cfg(feature = "tuning")]
    Tunables,
    Flip,
    Perft(u32),
    Bench(Option<u32>),
    Compiler,
    Help,
    Empty,
    /// Accepted and ignored: `debug`, `register`.
    Ignored,
    /// Not understood, with what is wrong.
    Bad(String),
}

/// The parts of a `go`.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Go {
    pub(super) depth: Option<u64>,
    pub(super) nodes: Option<u64>,
    pub(super) move_time: Option<u64>,
    pub(super) mate: Option<u64>,
    pub(super) perft: Option<u64>,
    /// White's and Black's clock, milliseconds; below zero is zero.
    pub(super) time: [Option<u64>; 2],
    pub(super) increment: [Option<u64>; 2],
    pub(super) moves_to_go: Option<u64>,
    pub(super) infinite: bool,
    pub(super) ponder: bool,
    pub(super) search_moves: Vec<String>,
    /// What could not be read.
    pub(super) problems: Vec<String>,
}

/// The most letters of a line that a message repeats.
const QUOTED: usize = 100;

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

impl Command {
    /// Reads a line.
    pub(super) fn parse(line: &str) -> Command {
        let tokens: Vec<&str> = line
            .split(|letter: char| letter.is_whitespace() || letter == '\0')
            .filter(|token| !token.is_empty())
            .collect();
        match tokens.as_slice() {
            [] => Command::Empty,
            ["uci", ..] => Command::Uci,
            ["isready", ..] => Command::IsReady,
            ["ucinewgame", ..] => Command::NewGame,
            ["setoption", ..] => parse_set_option(line),
            ["position", rest @ ..] => parse_position(rest),
            ["go", rest @ ..] => Command::Go(Go::parse(rest)),
            ["stop", ..] => Command::Stop,
            ["ponderhit", ..] => Command::PonderHit,
            ["wait", ..] => Command::Wait,
            ["quit" | "exit", ..] => Command::Quit,
            ["d", ..] => Command::Display,
            ["eval", ..] => Command::Eval,
            #[cfg(feature = "tuning")]
            ["tunables", ..] => Command::Tunables,
            ["flip", ..] => Command::Flip,
            ["perft", depth] => match depth.parse() {
                Ok(depth) => Command::Perft(depth),
                Err(_) => Command::Bad(format!("perft: {depth:?} is not a depth")),
            },
            ["perft", ..] => Command::Bad("perft: expected a depth".into()),
            ["bench"] => Command::Bench(None),
            ["bench", depth, ..] => match depth.parse() {
                Ok(depth) => Command::Bench(Some(depth)),
                Err(_) => Command::Bad(format!("bench: {depth:?} is not a depth")),
            },
            ["compiler", ..] => Command::Compiler,
            ["help" | "--help", ..] => Command::Help,
            ["debug" | "register", ..] => Command::Ignored,
            _ => Command::Bad(format!("Unknown command: {:?}", shortened(line.trim(), QUOTED))),
        }
    }
}

/// `setoption name N value V`: the name ends at the first separate `value`, the value is kept as it is.
fn parse_set_option(line: &str) -> Command {
    let usage = || Command::Bad("setoption: expected `setoption name NAME value VALUE`".into());
    let rest = line.trim_start().trim_start_matches("setoption").trim_start();
    let Some(rest) = rest.strip_prefix("name").filter(|rest| rest.starts_with(char::is_whitespace)) else {
        return usage();
    };
    let is_value = |at: &usize| {
        let (before, after) = (rest.get(..*at), rest.get(at + "value".len()..));
        before.is_some_and(|text| text.ends_with(char::is_whitespace))
            && after.is_some_and(|text| text.is_empty() || text.starts_with(char::is_whitespace))
    };
    let split = rest.match_indices("value").map(|(at, _)| at).find(is_value);
    let (name, value) = match split {
        None => (rest, None),
        Some(at) => {
            let value = rest.get(at + "value".len()..).unwrap_or_default();
            (rest.get(..at).unwrap_or_default(), Some(value.trim().to_string()))
        }
    };
    let name = name.trim();
    if name.is_empty() { usage() } else { Command::SetOption(name.into(), value) }
}

fn parse_position(tokens: &[&str]) -> Command {
    let moves_at = tokens.iter().position(|&token| token == "moves").unwrap_or(tokens.len());
    let (setup, rest) = tokens.split_at(moves_at);
    let moves = rest.iter().skip(1).map(|&token| token.to_string()).collect();
    match setup {
        ["startpos"] => Command::Position { fen: None, moves },
        ["fen", fields @ ..] => Command::Position { fen: Some(fields.join(" ")), moves },
        _ => Command::Bad(
            "position: expected `position startpos` or `position fen FEN`, then `moves …`".into(),
        ),
    }
}

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
    fn parse(mut tokens: &[&str]) -> Go {
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
                | "movestogo" => {
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
            _ => &mut self.moves_to_go,
        } = Some(read);
    }

    /// True when a limit may have been meant that could not be read, such as a misspelt one after
    /// `searchmoves`.
    fn is_doubtful(&self) -> bool {
        !self.problems.is_empty() || self.search_moves.iter().any(|text| text.parse::<Move>().is_err())
    }

    /// The limits for a search in which the side of this index (0 for White) moves. The root moves are left
    /// to the caller.
    pub(super) fn limits(&self, side: usize) -> Limits {
        let at_least_one = |value: u64| value.clamp(1, u64::from(u32::MAX)) as u32;
        let of = |pair: &[Option<u64>; 2]| pair.get(side).copied().flatten();
        let has_clock =
            self.time.iter().chain(&self.increment).any(Option::is_some) || self.moves_to_go.is_some();
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
                byoyomi: Duration::ZERO,
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

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
mod tests {
    use super::*;

    fn go(line: &str) -> Go {
        match Command::parse(line) {
            Command::Go(go) => go,
            other => panic!("{other:?}"),
        }
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

    #[test]
    fn option_values_are_kept() {
        let parsed = |line: &str| match Command::parse(line) {
            Command::SetOption(name, value) => (name, value),
            other => panic!("{other:?}"),
        };
        let text = |text: &str| Some(text.to_string());
        assert_eq!(parsed("setoption name Clear Hash"), ("Clear Hash".into(), None));
        assert_eq!(
            parsed("setoption  name  EvalFile  value  /a value/b  c.net"),
            ("EvalFile".into(), text("/a value/b  c.net"))
        );
        assert_eq!(parsed("setoption name X value"), ("X".into(), text("")));
        assert_eq!(parsed("setoption name valued value 1"), ("valued".into(), text("1")));
        for bad in ["setoption", "setoption name", "setoption value 3", "setoption name value 3"] {
            assert!(matches!(Command::parse(bad), Command::Bad(_)), "{bad}");
        }
    }

    #[test]
    fn positions_are_cut_at_the_word_moves() {
        let expected = Command::Position { fen: Some("8/8 w".into()), moves: vec!["a1a2".into()] };
        assert_eq!(Command::parse("position fen 8/8  w\tmoves a1a2"), expected);
        assert_eq!(Command::parse("position startpos moves"), Command::Position { fen: None, moves: vec![] });
        assert!(matches!(Command::parse("position e3e4"), Command::Bad(_)));
        assert_eq!(Command::parse(" \0 "), Command::Empty);
    }
}
