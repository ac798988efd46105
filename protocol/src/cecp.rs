//! The protocol of XBoard and WinBoard (CECP, version 2): the engine keeps the game and its own clock.

mod clock;
mod command;

use std::time::{Duration, Instant};

use makara_engine::{Color, Game, Move, Outcome, Position};
use makara_search::{Bound, Event, Finished, Limits, Line, Outlook};

use crate::controller::Controller;
use crate::display;
use crate::options;
use crate::output::{Output, QUOTED, shortened};
use crate::session::{Adapter, Flow};
use clock::OwnClock;
use command::Command;

/// The adapter.
pub(crate) struct Cecp {
    output: Output,
    /// The side that the engine plays; `None` in force mode and while it analyses.
    side: Option<Color>,
    analyzing: bool,
    /// The game has ended, or the client says so: the engine moves no more.
    over: bool,
    /// Thinking output is wanted.
    posts: bool,
    /// The engine thinks on the opponent's time.
    ponders: bool,
    clock: OwnClock,
    task: Task,
    /// Pings that wait for the engine's move.
    pings: Vec<String>,
    /// The latest line of the running or the last search.
    last: Option<Line>,
    /// The root move that the search looks at, and its place.
    current: Option<(Move, usize)>,
    /// What the engine expects the opponent to play.
    hint: Option<Move>,
}

/// What the running search is for.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Task {
    /// None runs, or its answer is no longer wanted.
    None,
    /// The engine's move, begun at this time.
    Think(Instant),
    /// The engine's next move, should the opponent play this.
    Ponder(Move),
    Analyze,
    /// A move for the person who asks for a hint.
    Hint,
}

/// The least depth of a search whose draw is believed.
const SURE_DEPTH: usize = 8;

impl Cecp {
    pub(crate) fn new(output: Output) -> Cecp {
        Cecp {
            output,
            side: Some(Color::Black),
            analyzing: false,
            over: false,
            posts: false,
            ponders: false,
            clock: OwnClock::default(),
            task: Task::None,
            pings: Vec::new(),
            last: None,
            current: None,
            hint: None,
        }
    }

    fn obey(&mut self, controller: &mut Controller, command: Command) -> Flow {
        match command {
            Command::Ignored => {}
            Command::Xboard => self.output.line(""),
            Command::Version(version) if version < 2 => {}
            Command::Version(_) => self.tell_features(),
            Command::New => self.new_game(controller),
            Command::Variant(name) if name == "asean" => {}
            Command::Variant(name) => self.complain("unsupported variant", &name),
            Command::Force => {
                self.abandon(controller);
                self.side = None;
            }
            // A second one while the engine thinks changes nothing.
            Command::Go if matches!(self.task, Task::Think(_)) => {}
            Command::Go => {
                self.leave_analysis(controller);
                self.over = false;
                self.side = Some(controller.position().turn());
                self.think(controller);
            }
            Command::PlayOther => {
                self.abandon(controller);
                self.leave_analysis(controller);
                self.side = Some(!controller.position().turn());
            }
            Command::Level(moves, base, increment) => self.clock.set_level(moves, base, increment),
            Command::MoveTime(time) => self.clock.set_move_time(time),
            Command::Depth(depth) => self.clock.set_depth(depth),
            Command::NodesPerSecond(nodes) => self.clock.set_nodes_per_second(nodes),
            Command::Time(time) => self.clock.set_remaining(time),
            Command::Move(text) => self.opponent_moves(controller, &text),
            Command::Unknown(text) if is_move(controller.position(), &text) => {
                self.opponent_moves(controller, &text);
            }
            Command::Unknown(text) => self.complain("unknown command", &text),
            Command::MoveNow => {
                if matches!(self.task, Task::Think(_)) {
                    controller.stop();
                }
            }
            Command::Ping(text) if matches!(self.task, Task::Think(_)) => self.pings.push(text),
            Command::Ping(text) => self.output.line(&format!("pong {text}")),
            Command::Draw => self.consider_draw(controller),
            Command::Result => {
                self.abandon(controller);
                self.over = true;
            }
            Command::SetBoard(fen) => self.set_board(controller, &fen),
            Command::Hint => self.give_hint(controller),
            Command::Undo => self.take_back(controller, 1, "undo"),
            Command::Remove => self.take_back(controller, 2, "remove"),
            Command::Ponder(on) => {
                self.ponders = on;
                if !on && matches!(self.task, Task::Ponder(_)) {
                    self.abandon(controller);
                }
            }
            Command::Post(on) => self.posts = on,
            Command::Analyze => {
                self.analyzing = true;
                controller.set_strength(|strength| strength.is_analysing = true);
                self.side = None;
                self.analyze(controller);
            }
            Command::Exit => {
                self.abandon(controller);
                self.leave_analysis(controller);
            }
            Command::Status => self.tell_status(controller),
            Command::Memory(mib) => self.set_option(controller, "Hash", Some(&mib.to_string())),
            Command::Cores(count) => self.set_option(controller, "Threads", Some(&count.to_string())),
            Command::Option(name, value) => self.set_option(controller, &name, value.as_deref()),
            // An empty line ends the list of book moves.
            Command::Book => self.output.line(""),
            Command::Display => self.tell_lines(&display::describe(controller.game())),
            Command::Eval => self.tell_lines(&controller.explain()),
            Command::Bad(problem, line) => self.complain(problem, &line),
            Command::Quit => return Flow::Quit,
        }
        Flow::Go
    }

    fn tell_features(&mut self) {
        const FEATURES: &str = "feature ping=1 setboard=1 playother=1 usermove=1 time=1 draw=1 reuse=1 analyze=1 \
            colors=0 ics=0 name=0 pause=0 san=0 sigint=0 sigterm=0 nps=1 memory=1 smp=1 debug=1";
        self.output.line(FEATURES);
        let name = concat!("Makara ", env!("CARGO_PKG_VERSION"));
        self.output.line(&format!("feature myname=\"{name}\" variants=\"asean\""));
        for option in options::ALL.iter().filter_map(options::Spec::cecp_feature) {
            self.output.line(&format!("feature option=\"{option}\""));
        }
        self.output.line("feature done=1");
    }

    /// Ends the running search; what it answers is dropped. Pings that waited for it are answered.
    fn abandon(&mut self, controller: &mut Controller) {
        self.task = Task::None;
        controller.end_search(self);
        self.answer_pings();
    }

    fn answer_pings(&mut self) {
        for ping in std::mem::take(&mut self.pings) {
            self.output.line(&format!("pong {ping}"));
        }
    }

    fn new_game(&mut self, controller: &mut Controller) {
        self.abandon(controller);
        controller.forget(self);
        controller.set_game(Game::new(Position::start(controller.promotion_rule())));
        self.clock.restart();
        self.hint = None;
        self.over = false;
        if self.analyzing {
            self.analyze(controller);
        } else {
            self.side = Some(Color::Black);
        }
    }

    fn set_board(&mut self, controller: &mut Controller, fen: &str) {
        match Position::from_fen(fen, controller.promotion_rule()) {
            Ok(position) => {
                self.abandon(controller);
                controller.set_game(Game::new(position));
                self.position_changed(controller);
            }
            Err(error) => {
                self.output
                    .line(&format!("tellusererror Illegal position: {}", printable(&error.to_string())));
            }
        }
    }

    fn take_back(&mut self, controller: &mut Controller, plies: usize, command: &str) {
        self.abandon(controller);
        if controller.take_back(plies) {
            self.position_changed(controller);
        } else {
            self.complain("no move to take back", command);
            if self.analyzing {
                self.analyze(controller);
            }
        }
    }

    /// What was known of the game no longer holds.
    fn position_changed(&mut self, controller: &mut Controller) {
        self.over = false;
        self.hint = None;
        if self.analyzing {
            self.analyze(controller);
        }
    }

    fn opponent_moves(&mut self, controller: &mut Controller, text: &str) {
        let Some(mv) =
            read_move(controller.position(), text).filter(|_| !matches!(self.task, Task::Think(_)))
        else {
            self.output.line(&format!("Illegal move: {}", shortened(text, QUOTED)));
            return;
        };
        if self.task == Task::Ponder(mv) {
            controller.play(mv);
            self.task = Task::Think(Instant::now());
            controller.ponder_hit();
            return;
        }
        self.abandon(controller);
        controller.play(mv);
        self.hint = None;
        if self.analyzing {
            self.analyze(controller);
        } else if !self.ended(controller) && self.side == Some(controller.position().turn()) {
            self.think(controller);
        }
    }

    /// True when the game has ended; tells it once, where every arbiter agrees: some draw no expired counts
    /// or dead positions, and take the word of such an end for a lost game.
    fn ended(&mut self, controller: &Controller) -> bool {
        let result = match controller.game().outcome() {
            Some(Outcome::Checkmate { winner: Color::White }) => "1-0 {White mates}",
            Some(Outcome::Checkmate { winner: Color::Black }) => "0-1 {Black mates}",
            Some(Outcome::Stalemate) => "1/2-1/2 {Stalemate}",
            _ => return self.over,
        };
        if !std::mem::replace(&mut self.over, true) {
            self.output.line(result);
        }
        true
    }

    fn think(&mut self, controller: &mut Controller) {
        self.abandon(controller);
        if self.ended(controller) {
            return;
        }
        let limits = self.clock.limits(moves_made(controller.game(), controller.position().turn()));
        self.begin(Task::Think(Instant::now()));
        controller.go(limits, self);
    }

    /// Ends the mode of analysis, in which the engine is at full strength.
    fn leave_analysis(&mut self, controller: &mut Controller) {
        self.analyzing = false;
        controller.set_strength(|strength| strength.is_analysing = false);
    }

    fn analyze(&mut self, controller: &mut Controller) {
        self.abandon(controller);
        self.begin(Task::Analyze);
        controller.go(Limits { infinite: true, ..Limits::default() }, self);
    }

    fn give_hint(&mut self, controller: &mut Controller) {
        /// Deep enough for a person.
        const DEPTH: u32 = 10;
        if let Some(mv) = self.hint.filter(|&mv| controller.position().is_legal(mv)) {
            self.output.line(&format!("Hint: {mv}"));
        } else if self.task == Task::None {
            self.begin(Task::Hint);
            controller.go(Limits { depth: Some(DEPTH), ..Limits::default() }, self);
        }
    }

    fn begin(&mut self, task: Task) {
        self.task = task;
        self.last = None;
        self.current = None;
    }

    /// Answers the offer of a draw: taken where a draw may be claimed, or where the engine sees nothing
    /// better.
    fn consider_draw(&mut self, controller: &Controller) {
        let no_better =
            self.last.as_ref().is_some_and(|line| line.depth >= SURE_DEPTH && is_no_better_than_draw(line));
        if is_drawn(controller.game()) || (no_better && self.side.is_some()) {
            self.output.line("offer draw");
        }
    }

    fn tell_status(&mut self, controller: &Controller) {
        let Some(line) = self.last.as_ref().filter(|_| self.task == Task::Analyze) else { return };
        let all = controller.position().legal_moves().len();
        let (left, now) = match self.current {
            Some((mv, number)) => (all.saturating_sub(number), mv.to_string()),
            None => (0, line.pv.first().map(Move::to_string).unwrap_or_default()),
        };
        let text = format!("stat01: {} {} {} {left} {all} {now}", centis(line.time), line.nodes, line.depth);
        self.output.line(&text);
    }

    fn set_option(&mut self, controller: &mut Controller, name: &str, value: Option<&str>) {
        // The search may be ended by it; what runs besides the engine's own move begins again.
        if self.task != Task::None && !matches!(self.task, Task::Think(_)) {
            self.abandon(controller);
        }
        options::set(controller, self, name, value);
        if self.analyzing {
            self.analyze(controller);
        }
    }

    /// Takes the answer of the search for the engine's move.
    fn make_move(&mut self, controller: &mut Controller, best: Move, reply: Option<Move>, begun: Instant) {
        let side = controller.position().turn();
        let drawn_before = is_drawn(controller.game());
        controller.play(best);
        self.clock.moved(begun.elapsed(), moves_made(controller.game(), side));
        let no_better = self.last.as_ref().is_some_and(is_no_better_than_draw);
        if no_better && (drawn_before || is_drawn(controller.game())) {
            // An arbiter takes it for a claim.
            self.output.line("offer draw");
        }
        self.output.line(&format!("move {best}"));
        self.answer_pings();
        self.hint = reply;
        if self.ended(controller) || !self.ponders || self.side != Some(side) {
            return;
        }
        if let Some(expected) = reply {
            let made = moves_made(controller.game(), side);
            let limits = Limits { ponder: true, ..self.clock.limits(made) };
            self.begin(Task::Ponder(expected));
            controller.go_after(expected, limits, self);
        }
    }

    fn finished(&mut self, controller: &mut Controller, finished: Finished) {
        match (std::mem::replace(&mut self.task, Task::None), finished.best) {
            (Task::Think(begun), Some(best)) => self.make_move(controller, best, finished.ponder, begun),
            (Task::Hint, Some(best)) => self.output.line(&format!("Hint: {best}")),
            // Its answer is not wanted, but the engine still analyses or ponders, for the client.
            _ => {}
        }
        self.answer_pings();
    }

    fn post(&mut self, line: &Line) {
        if line.bound != Bound::Exact || line.pv.is_empty() {
            return;
        }
        let moves: Vec<String> = line.pv.iter().map(Move::to_string).collect();
        let score = match line.outlook {
            Outlook::Centipawns(value) => value.into(),
            Outlook::MateIn(moves) => 100_000 + i64::from(moves),
            Outlook::MatedIn(moves) => -100_000 - i64::from(moves),
        };
        let (depth, time, nodes) = (line.depth, centis(line.time), line.nodes);
        self.output.line(&format!("{depth} {score} {time} {nodes} {}", moves.join(" ")));
    }

    fn complain(&mut self, problem: &str, text: &str) {
        self.output.line(&format!("Error ({problem}): {}", printable(&shortened(text, QUOTED))));
    }

    /// Tells lines for people as comments, which clients do not take for commands.
    fn tell_lines(&mut self, text: &str) {
        text.lines().for_each(|line| self.output.line(&format!("# {line}")));
    }
}

impl Adapter for Cecp {
    fn line(&mut self, controller: &mut Controller, line: &str) -> Flow {
        self.obey(controller, Command::parse(line))
    }

    fn event(&mut self, controller: &mut Controller, event: &Event) {
        match event {
            _ if self.task == Task::None => {}
            Event::Line(line) => {
                if self.posts && self.task != Task::Hint {
                    self.post(line);
                }
                if line.multipv == 1 {
                    self.last = Some(line.clone());
                }
            }
            &Event::CurrentMove { mv, number, .. } => self.current = Some((mv, number)),
            &Event::Finished(finished) => self.finished(controller, finished),
        }
    }

    fn leave(&mut self, controller: &mut Controller) {
        self.ponders = false;
        controller.finish_alone(self);
    }

    fn tell(&mut self, message: &str) {
        self.output.line(&format!("# {}", printable(message)));
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

/// A text that a client sent, fit to be a part of a line.
fn printable(text: &str) -> String {
    const LONGEST: usize = 300;
    shortened(text, LONGEST).replace(char::is_control, " ")
}

/// Hundredths of a second.
const fn centis(time: Duration) -> u128 {
    time.as_millis() / 10
}

fn read_move(position: &Position, text: &str) -> Option<Move> {
    position.parse_uci(text).ok().or_else(|| position.parse_san(text).ok())
}

/// True for a text that is meant as a move, if only by its form.
fn is_move(position: &Position, text: &str) -> bool {
    text.parse::<Move>().is_ok() || read_move(position, text).is_some()
}

/// The moves that a side has made in the game.
fn moves_made(game: &Game, side: Color) -> usize {
    let plies = game.moves().len();
    if game.start().turn() == side { plies.div_ceil(2) } else { plies / 2 }
}

/// True where the rules give a draw or let it be claimed.
fn is_drawn(game: &Game) -> bool {
    game.claim().is_some() || game.outcome().is_some_and(|outcome| outcome.winner().is_none())
}

fn is_no_better_than_draw(line: &Line) -> bool {
    match line.outlook {
        Outlook::Centipawns(value) => value <= 0,
        Outlook::MateIn(_) => false,
        Outlook::MatedIn(_) => true,
    }
}
