//! Lines of CECP as commands. A line is read whole before anything is done.

use std::time::Duration;

use crate::output::{QUOTED, shortened};

/// What a line asks for.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Command {
    Xboard,
    /// The protocol's version.
    Version(u32),
    New,
    Variant(String),
    Force,
    Go,
    PlayOther,
    /// Moves in a period, or 0 for one period of the whole game; base time; increment.
    Level(u32, Duration, Duration),
    MoveTime(Duration),
    /// `None` takes the limit off.
    Depth(Option<u32>),
    /// `None` goes back to the wall clock.
    NodesPerSecond(Option<u64>),
    /// What is left on the engine's clock.
    Time(Duration),
    /// A move, in coordinates or in SAN.
    Move(String),
    MoveNow,
    Ping(String),
    Draw,
    Result,
    SetBoard(String),
    Hint,
    Undo,
    Remove,
    Ponder(bool),
    Post(bool),
    Analyze,
    Exit,
    /// `.`: how far the analysis is.
    Status,
    /// MiB.
    Memory(usize),
    Cores(usize),
    /// Name, and value if there was `=`.
    Option(String, Option<String>),
    /// The opening book: there is none.
    Book,
    Display,
    Eval,
    Quit,
    /// Known and of no use here.
    Ignored,
    /// Not a command: perhaps a move.
    Unknown(String),
    /// A command with something wrong: what, and the line.
    Bad(&'static str, String),
}

impl Command {
    /// Reads a line.
    pub(super) fn parse(line: &str) -> Command {
        let line = line.trim_matches(|letter: char| letter.is_whitespace() || letter == '\0');
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let number = |command: fn(u64) -> Command| match rest.parse() {
            Ok(number) => command(number),
            Err(_) => bad("not a number", line),
        };
        match word {
            "" => Command::Ignored,
            "xboard" => Command::Xboard,
            "protover" => number(|version| Command::Version(version.min(u64::from(u32::MAX)) as u32)),
            "new" => Command::New,
            "variant" => Command::Variant(rest.into()),
            "force" => Command::Force,
            "go" => Command::Go,
            "playother" => Command::PlayOther,
            "level" => {
                parse_level(rest).unwrap_or_else(|| bad("expected `level MOVES BASE INCREMENT`", line))
            }
            "st" => match rest.parse().ok().and_then(seconds) {
                Some(time) => Command::MoveTime(time),
                None => bad("not a number of seconds", line),
            },
            "sd" => {
                number(|depth| Command::Depth((depth > 0).then_some(depth.min(u64::from(u32::MAX)) as u32)))
            }
            "nps" => match rest.parse::<i64>() {
                Ok(nodes) => Command::NodesPerSecond(u64::try_from(nodes).ok().filter(|&nodes| nodes > 0)),
                Err(_) => bad("not a number", line),
            },
            "time" => match rest.parse::<i64>() {
                // Below zero the flag has fallen.
                Ok(centis) => {
                    Command::Time(Duration::from_millis(centis.max(0).unsigned_abs().saturating_mul(10)))
                }
                Err(_) => bad("not a number", line),
            },
            "usermove" if !rest.is_empty() => Command::Move(rest.into()),
            "?" => Command::MoveNow,
            "ping" => Command::Ping(rest.into()),
            "draw" => Command::Draw,
            "result" => Command::Result,
            "setboard" => Command::SetBoard(rest.into()),
            "hint" => Command::Hint,
            "undo" => Command::Undo,
            "remove" => Command::Remove,
            "hard" => Command::Ponder(true),
            "easy" => Command::Ponder(false),
            "post" => Command::Post(true),
            "nopost" => Command::Post(false),
            "analyze" | "analyse" => Command::Analyze,
            "exit" => Command::Exit,
            "." => Command::Status,
            "memory" => number(|mib| Command::Memory(usize::try_from(mib).unwrap_or(usize::MAX))),
            "cores" => number(|count| Command::Cores(usize::try_from(count).unwrap_or(usize::MAX))),
            "option" if !rest.is_empty() => match rest.split_once('=') {
                Some((name, value)) => Command::Option(name.trim().into(), Some(value.into())),
                None => Command::Option(rest.into(), None),
            },
            "bk" => Command::Book,
            "d" | "show" => Command::Display,
            "eval" => Command::Eval,
            "quit" => Command::Quit,
            "accepted" | "rejected" | "otim" | "random" | "computer" | "name" | "rating" | "ics"
            | "white" | "black" | "beep" | "debug" | "egtpath" | "#" => Command::Ignored,
            _ => Command::Unknown(line.into()),
        }
    }
}

/// A command with something wrong; `line` may be of any length.
fn bad(problem: &'static str, line: &str) -> Command {
    Command::Bad(problem, shortened(line, QUOTED))
}

/// A time of so many seconds: below zero is zero, and more than some months is no number.
fn seconds(number: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(number.max(0.0)).ok().filter(|time| time.as_secs() < 10_000_000)
}

/// `level MOVES BASE INCREMENT`: the base in minutes or `MINUTES:SECONDS`, the increment in seconds; both
/// may have fractions.
fn parse_level(text: &str) -> Option<Command> {
    let mut fields = text.split_whitespace();
    let moves = fields.next()?.parse().ok()?;
    let base = fields.next()?;
    let base = match base.split_once(':') {
        Some((minutes, rest)) => minutes.parse::<f64>().ok()? * 60.0 + rest.parse::<f64>().ok()?,
        None => base.parse::<f64>().ok()? * 60.0,
    };
    let increment = fields.next().map_or(Some(0.0), |text| text.parse().ok())?;
    Some(Command::Level(moves, seconds(base)?, seconds(increment)?))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
mod tests {
    use super::*;

    #[test]
    fn times_of_all_forms() {
        let level = |line: &str| match Command::parse(line) {
            Command::Level(moves, base, increment) => (moves, base.as_millis(), increment.as_millis()),
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(level("level 40 5 0"), (40, 300_000, 0));
        assert_eq!(level("level 40 5:30 0"), (40, 330_000, 0));
        assert_eq!(level("level 0 1 0.5"), (0, 60_000, 500));
        assert_eq!(level("level 0 0:02 0.02"), (0, 2_000, 20));
        assert_eq!(level("level 0 2 12"), (0, 120_000, 12_000));
        assert_eq!(level("level 0 -1 0"), (0, 0, 0));
        for line in
            ["level", "level 40", "level x 5 0", "level 0 5:x 0", "level 0 1e300 0", "level 0 nan inf"]
        {
            let command = Command::parse(line);
            assert!(
                matches!(command, Command::Bad(..) | Command::Level(0, Duration::ZERO, _)),
                "{line}: {command:?}"
            );
        }
        assert_eq!(Command::parse("st 2"), Command::MoveTime(Duration::from_secs(2)));
        assert_eq!(Command::parse("time 300"), Command::Time(Duration::from_secs(3)));
        assert_eq!(Command::parse("time -5"), Command::Time(Duration::ZERO));
        assert_eq!(Command::parse("sd 0"), Command::Depth(None));
        assert_eq!(Command::parse("nps -1"), Command::NodesPerSecond(None));
    }

    #[test]
    fn options_and_moves_keep_their_text() {
        assert_eq!(
            Command::parse("option EvalFile=/a b=c.nn"),
            Command::Option("EvalFile".into(), Some("/a b=c.nn".into()))
        );
        assert_eq!(Command::parse("option Clear Hash"), Command::Option("Clear Hash".into(), None));
        assert_eq!(Command::parse("usermove e3e4\r"), Command::Move("e3e4".into()));
        assert_eq!(Command::parse("e3e4"), Command::Unknown("e3e4".into()));
        assert_eq!(Command::parse(" \0"), Command::Ignored);
    }
}
