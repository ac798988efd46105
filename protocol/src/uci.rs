//! The UCI protocol: lines to calls of the controller, events to lines.

mod command;

use makara_engine::{Color, Game, Move, Position};
use makara_search::{Event, Finished};

use crate::controller::Controller;
use crate::go::Go;
use crate::options::{self, Kind};
use crate::output::{Output, shortened};
use crate::session::{Adapter, Flow};
use crate::{bench, cli, display, info};
use command::Command;

/// The adapter.
pub(crate) struct Uci {
    pub(crate) output: Output,
}

/// The most letters of a message.
const LONGEST_MESSAGE: usize = 300;

const HELP: &str = "Makara speaks UCI. Besides the standard's commands it knows:
d                 show the position and what the rules say of it
eval              what the evaluation says of the position, and of each man in it
flip              the same position for the other side
perft N, go perft N   count paths of legal moves
bench [N]         search a fixed set of positions
wait              read nothing more until the running search has ended
compiler          what the binary was built for
Run `makara --help` for the command line.";

impl Uci {
    pub(crate) const fn new(output: Output) -> Uci {
        Uci { output }
    }

    /// Tells who this is and what can be set, by these option names, and ends with the word.
    pub(crate) fn identify(&mut self, name: fn(&options::Spec) -> String, word: &str) {
        self.output.line(concat!("id name Makara ", env!("CARGO_PKG_VERSION")));
        self.output.line(concat!("id author ", env!("CARGO_PKG_AUTHORS")));
        for spec in options::ALL {
            let kind = match spec.kind {
                Kind::Check { default } => format!("check default {default}"),
                Kind::Spin { default, min, max } => format!("spin default {default} min {min} max {max}"),
                Kind::Combo { default, values } => {
                    let values: String = values.iter().map(|value| format!(" var {value}")).collect();
                    format!("combo default {default}{values}")
                }
                Kind::Text { default: "" } => "string default <empty>".to_string(),
                Kind::Text { default } => format!("string default {default}"),
                Kind::Button => "button".to_string(),
            };
            self.output.line(&format!("option name {} type {kind}", name(spec)));
        }
        #[cfg(feature = "tuning")]
        options::tunables::announcements().for_each(|line| self.output.line(&line));
        self.output.line(word);
    }

    /// Sets the game if the position and all moves are good; else tells what is not, and the game stays.
    fn set_position(&mut self, controller: &mut Controller, fen: Option<&str>, moves: &[String]) {
        let rule = controller.promotion_rule();
        let start = match fen.map(|fen| Position::from_fen(fen, rule)) {
            None => Position::start(rule),
            Some(Ok(position)) => position,
            Some(Err(error)) => {
                self.tell(&format!("bad FEN, the position before stays: {error}"));
                return;
            }
        };
        if let Err(problem) = controller.set_moves(start, moves, Position::parse_uci) {
            self.tell(&problem);
        }
    }

    fn go(&mut self, controller: &mut Controller, go: &Go) {
        if let Some(depth) = go.perft {
            controller.end_search(self);
            cli::print_divide(&mut self.output, controller.position(), depth.min(20) as u32);
            return;
        }
        let side = match controller.position().turn() {
            Color::White => 0,
            Color::Black => 1,
        };
        let limits = go.limits(side);
        go.start(controller, self, limits, Position::parse_uci);
    }

    fn flip(&mut self, controller: &mut Controller) {
        let position = controller.position().flipped();
        controller.set_game(Game::new(position));
    }
}

impl Adapter for Uci {
    fn line(&mut self, controller: &mut Controller, line: &str) -> Flow {
        match Command::parse(line) {
            Command::Empty | Command::Ignored => {}
            Command::Uci => self.identify(|spec| spec.name.into(), "uciok"),
            Command::IsReady => self.output.line("readyok"),
            Command::NewGame => controller.forget(self),
            Command::SetOption(name, value) => options::set(controller, self, &name, value.as_deref()),
            Command::Position { fen, moves } => self.set_position(controller, fen.as_deref(), &moves),
            Command::Go(go) => self.go(controller, &go),
            Command::Debug(on) => controller.debug(on),
            Command::Stop => controller.stop(),
            Command::PonderHit => controller.ponder_hit(),
            Command::Wait if controller.ends_by_itself() => return Flow::Wait,
            Command::Wait => self.tell("wait: the search does not end by itself"),
            Command::Quit => return Flow::Quit,
            Command::Display => self.output.line(&display::describe(controller.game())),
            Command::Eval => self.output.line(&controller.explain()),
            Command::Flip => self.flip(controller),
            Command::Perft(depth) => {
                controller.end_search(self);
                cli::print_divide(&mut self.output, controller.position(), depth.min(20));
            }
            Command::Bench(depth) => {
                controller.end_search(self);
                let depth = depth.unwrap_or(bench::DEPTH).clamp(1, 60);
                let evaluation = controller.evaluation().clone();
                if let Err(problem) = bench::run(&mut self.output, depth, evaluation, false) {
                    self.tell(&problem);
                }
            }
            #[cfg(feature = "tuning")]
            Command::Tunables => options::tunables::for_open_bench().for_each(|line| self.output.line(&line)),
            Command::Compiler => self.tell(&compiler()),
            Command::Help => self.output.line(HELP),
            Command::Bad(problem) => self.tell(&problem),
        }
        Flow::Go
    }

    fn event(&mut self, controller: &mut Controller, event: &Event) {
        let notation = |mv: Move| mv.to_string();
        self.output.line(&match event {
            Event::Line(line) => info::line(line, controller.shows_wdl(), notation),
            &Event::CurrentMove { depth, mv, number } => info::current_move(depth, mv, number, notation),
            Event::Finished(Finished { best: None, .. }) => "bestmove (none)".to_string(),
            Event::Finished(Finished { best: Some(best), ponder: None }) => format!("bestmove {best}"),
            Event::Finished(Finished { best: Some(best), ponder: Some(reply) }) => {
                format!("bestmove {best} ponder {reply}")
            }
        });
    }

    fn leave(&mut self, controller: &mut Controller) {
        controller.finish_alone(self);
    }

    fn tell(&mut self, message: &str) {
        // What a client sent may be part of it: any length, any characters.
        let printable = shortened(message, LONGEST_MESSAGE).replace(char::is_control, " ");
        self.output.line(&format!("info string {printable}"));
    }

    fn output(&mut self) -> &mut Output {
        &mut self.output
    }

    fn is_closed(&self) -> bool {
        self.output.is_closed()
    }

    fn into_output(self: Box<Self>) -> Output {
        self.output
    }
}

/// What the binary was built for.
fn compiler() -> String {
    let features = [
        ("bmi2", cfg!(target_feature = "bmi2")),
        ("avx2", cfg!(target_feature = "avx2")),
        ("avx512bw", cfg!(target_feature = "avx512bw")),
        ("neon", cfg!(target_feature = "neon")),
    ];
    let present: Vec<&str> = features.iter().filter(|(_, on)| *on).map(|(name, _)| *name).collect();
    format!(
        "built for {} {} with {}{}",
        std::env::consts::ARCH,
        std::env::consts::OS,
        if present.is_empty() { "no extensions".to_string() } else { present.join(" ") },
        if cfg!(debug_assertions) { ", with debug assertions" } else { "" },
    )
}
