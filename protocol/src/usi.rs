//! The USI protocol as Fairy-Stockfish speaks it for this game: moves and positions in shogi's notation.
//! All other lines are those of UCI.

use std::time::Duration;

use makara_engine::{Color, Move, Position};
use makara_search::{Event, Finished, Limits, Line, Outlook};

use crate::controller::Controller;
use crate::go::Go;
use crate::info;
use crate::options;
use crate::output::Output;
use crate::session::{Adapter, Flow};
use crate::uci::Uci;

/// The adapter.
pub(crate) struct Usi {
    uci: Uci,
    /// The running search was asked for a mate by `go mate`, and its answer begins with `checkmate`.
    seeks_mate: bool,
    /// The last line of the first line of play that the running search has told.
    last: Option<Line>,
}

impl Usi {
    pub(crate) const fn new(output: Output) -> Usi {
        Usi { uci: Uci::new(output), seeks_mate: false, last: None }
    }

    /// `position startpos|sfen SFEN [moves …]`
    fn set_position(&mut self, controller: &mut Controller, tokens: &[&str]) {
        let rule = controller.promotion_rule();
        let moves_at = tokens.iter().position(|&token| token == "moves").unwrap_or(tokens.len());
        let (setup, rest) = tokens.split_at(moves_at);
        let start = match setup {
            ["startpos"] => Position::start(rule),
            ["sfen", fields @ ..] => match Position::from_sfen(&fields.join(" "), rule) {
                Ok(position) => position,
                Err(error) => {
                    self.tell(&format!("bad SFEN, the position before stays: {error}"));
                    return;
                }
            },
            _ => {
                self.tell("position: expected `position startpos` or `position sfen SFEN`, then `moves …`");
                return;
            }
        };
        let moves: Vec<String> = rest.iter().skip(1).map(|&token| token.to_string()).collect();
        if let Err(problem) = controller.set_moves(start, &moves, Position::parse_usi) {
            self.tell(&problem);
        }
    }

    fn go(&mut self, controller: &mut Controller, tokens: &[&str]) {
        let (go, limits) = match tokens {
            // The number after `mate` is a time here: milliseconds.
            ["mate", rest @ ..] => {
                let time = rest.first().and_then(|time| time.parse().ok()).map(Duration::from_millis);
                (Go::default(), Limits { mate: Some(u32::MAX), move_time: time, ..Limits::default() })
            }
            _ => {
                let go = Go::parse(tokens);
                // USI's first mover, Black, is our White.
                let side = match controller.position().turn() {
                    Color::White => 1,
                    Color::Black => 0,
                };
                let limits = go.limits(side);
                (go, limits)
            }
        };
        controller.end_search(self);
        self.last = None;
        self.seeks_mate = limits.mate.is_some();
        go.start(controller, self, limits, Position::parse_usi);
    }

    fn answer(&mut self, finished: &Finished) -> String {
        let last = self.last.take();
        let outlook = last.as_ref().map(|line| line.outlook);
        if std::mem::take(&mut self.seeks_mate) {
            return match (last, outlook) {
                (Some(line), Some(Outlook::MateIn(_))) => {
                    let moves: Vec<String> = line.pv.iter().map(|mv| mv.usi().to_string()).collect();
                    format!("checkmate {}", moves.join(" "))
                }
                _ if finished.best.is_none() => "checkmate nomate".to_string(),
                _ => "checkmate timeout".to_string(),
            };
        }
        match (finished.best, finished.ponder) {
            (Some(best), Some(reply)) => format!("bestmove {} ponder {}", best.usi(), reply.usi()),
            (Some(best), None) => format!("bestmove {}", best.usi()),
            (None, _) if outlook == Some(Outlook::MatedIn(0)) => "bestmove resign".to_string(),
            (None, _) => "bestmove (none)".to_string(),
        }
    }
}

impl Adapter for Usi {
    fn line(&mut self, controller: &mut Controller, line: &str) -> Flow {
        let tokens: Vec<&str> = line.split_whitespace().collect();
        match tokens.as_slice() {
            ["usi", ..] => self.uci.identify(options::Spec::usi_name, "usiok"),
            ["usinewgame", ..] => controller.forget(self),
            ["position", rest @ ..] => self.set_position(controller, rest),
            // The counts of paths are told as in UCI.
            ["go", rest @ ..] if !rest.contains(&"perft") => self.go(controller, rest),
            // Whatever still runs, such as thoughts on the opponent's time, is no longer wanted.
            ["gameover", ..] => controller.stop(),
            _ => {
                // What ends the running search must still answer in this protocol.
                if matches!(tokens.first(), Some(&("setoption" | "ucinewgame" | "go" | "perft" | "bench"))) {
                    controller.end_search(self);
                }
                return self.uci.line(controller, line);
            }
        }
        Flow::Go
    }

    fn event(&mut self, controller: &mut Controller, event: &Event) {
        let notation = |mv: Move| mv.usi().to_string();
        let text = match event {
            Event::Line(line) => {
                if line.multipv == 1 {
                    self.last = Some(line.clone());
                }
                info::line(line, controller.shows_wdl(), notation)
            }
            &Event::CurrentMove { depth, mv, number } => info::current_move(depth, mv, number, notation),
            Event::Finished(finished) => self.answer(finished),
        };
        self.uci.output.line(&text);
    }

    fn leave(&mut self, controller: &mut Controller) {
        controller.finish_alone(self);
    }

    fn tell(&mut self, message: &str) {
        self.uci.tell(message);
    }

    fn output(&mut self) -> &mut Output {
        &mut self.uci.output
    }

    fn is_closed(&self) -> bool {
        self.uci.is_closed()
    }

    fn into_output(self: Box<Self>) -> Output {
        self.uci.output
    }
}
