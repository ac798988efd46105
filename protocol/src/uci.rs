//! The UCI protocol: lines to calls of the controller, events to lines.

mod command;
mod format;

use makara_engine::{Color, Game, Position};
use makara_search::Event;

use crate::controller::Controller;
use crate::options::{self, Kind};
use crate::output::{Output, shortened};
use crate::session::{Adapter, Flow};
use crate::{bench, cli, display};
use command::{Command, Go};

/// The adapter.
pub(crate) struct Uci {
    output: Output,
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

    fn identify(&mut self) {
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
                Kind::Text { default } => format!("string default {default}"),
                Kind::Button => "button".to_string(),
            };
            self.output.line(&format!("option name {} type {kind}", spec.name));
        }
        #[cfg(feature = "tuning")]
        options::tunables::announcements().for_each(|line| self.output.line(&line));
        self.output.line("uciok");
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
        let mut game = Game::new(start);
        for (number, text) in moves.iter().enumerate() {
            let played = game.position().parse_uci(text).map_err(|error| error.to_string());
            if let Err(error) = played.and_then(|mv| game.play(mv).map_err(|error| error.to_string())) {
                self.tell(&format!("move {} of the list, the position before stays: {error}", number + 1));
                return;
            }
        }
        controller.set_game(game);
    }

    fn go(&mut self, controller: &mut Controller, go: &Go) {
        self.tell_all(&go.problems);
        if let Some(depth) = go.perft {
            controller.end_search(self);
            cli::print_divide(&mut self.output, controller.position(), depth.min(20) as u32);
            return;
        }
        let side = match controller.position().turn() {
            Color::White => 0,
            Color::Black => 1,
        };
        let (search_moves, problems) = controller.chosen_moves(&go.search_moves);
        let problems: Vec<String> =
            problems.iter().map(|problem| format!("searchmoves: {problem}; left out")).collect();
        self.tell_all(&problems);
        let mut limits = go.limits(side);
        limits.search_moves = search_moves;
        controller.go(limits, self);
    }

    /// Tells the first few of many problems.
    fn tell_all(&mut self, problems: &[String]) {
        const MOST: usize = 4;
        for problem in problems.iter().take(MOST) {
            self.tell(problem);
        }
        if let Some(more @ 1..) = problems.len().checked_sub(MOST) {
            self.tell(&format!("and {more} more of the kind"));
        }
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
            Command::Uci => self.identify(),
            Command::IsReady => self.output.line("readyok"),
            Command::NewGame => controller.forget(self),
            Command::SetOption(name, value) => options::set(controller, self, &name, value.as_deref()),
            Command::Position { fen, moves } => self.set_position(controller, fen.as_deref(), &moves),
            Command::Go(go) => self.go(controller, &go),
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

    fn event(&mut self, controller: &Controller, event: &Event) {
        self.output.line(&format::event(event, controller.shows_wdl()));
    }

    fn tell(&mut self, message: &str) {
        // What a client sent may be part of it: any length, any characters.
        let printable = shortened(message, LONGEST_MESSAGE).replace(char::is_control, " ");
        self.output.line(&format!("info string {printable}"));
    }

    fn is_closed(&self) -> bool {
        self.output.is_closed()
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
