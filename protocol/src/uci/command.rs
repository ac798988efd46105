//! Lines of the UCI protocol as commands. A line is read whole before anything is done.

use crate::go::Go;
use crate::output::{QUOTED, shortened};

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
    Debug(bool),
    /// Accepted and ignored: `register`.
    Ignored,
    /// Not understood, with what is wrong.
    Bad(String),
}

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
            ["debug", "on", ..] => Command::Debug(true),
            ["debug", "off", ..] => Command::Debug(false),
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

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
mod tests {
    use super::*;

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
