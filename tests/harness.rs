//! A running `makara` seen through its pipes, for the tests beside this file.
// Each test crate uses its own part of this.
#![allow(dead_code)]

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use makara_engine::{Game, Position, PromotionRule};

/// How long anything that must happen may take, on a machine that does much else.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// What is to happen at once: far more than it takes, far less than a search that ran on.
pub(crate) const PROMPT: Duration = Duration::from_secs(2);

pub(crate) const START: &str = "rnbqkbnr/8/pppppppp/8/8/PPPPPPPP/8/RNBQKBNR w - - 0 1";
/// Black is checkmated.
pub(crate) const MATED: &str = "R6k/1R6/8/8/8/8/8/4K3 b - - 0 1";
/// Black is stalemated.
pub(crate) const STALE: &str = "k7/1R6/2K5/8/8/8/8/8 b - - 0 1";
/// Mate in 1 by a1a8 alone.
pub(crate) const M1: &str = "7k/1R6/8/8/8/8/8/R3K3 w - - 0 1";
/// Mate in 2 by a2b3 alone.
pub(crate) const M2: &str = "8/8/8/8/8/3R4/K7/2k5 w - - 0 1";
/// One legal move, mated in 2.
pub(crate) const LOSE2: &str = "8/8/8/8/R7/K7/8/k7 b - - 0 1";
/// Mated in 3.
pub(crate) const LOSE3: &str = "8/8/8/8/8/K7/3R4/k7 b - - 0 1";
/// Exactly one legal move, a1b2.
pub(crate) const ONE: &str = "k7/8/8/8/8/8/1r6/K7 w - - 0 1";
/// Bare kings, 8 legal moves.
pub(crate) const KK: &str = "8/8/4k3/8/8/4K3/8/8 w - - 0 1";
/// 139 legal moves.
pub(crate) const MANY: &str = "R6R/3R4/1BN1N1K1/1R3R2/2R5/6R1/1R1BkQ2/R6R w - - 0 1";
/// A pawn that can promote, and no more.
pub(crate) const PROMOTION: &str = "8/P3k3/8/8/8/8/4K3/8 w - - 0 1";

/// A running engine. Dropping it kills it.
pub(crate) struct Engine {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    stderr: Option<JoinHandle<String>>,
}

/// What came of a `go`.
#[derive(Debug)]
pub(crate) struct Answer {
    /// All lines from the `go` up to the `bestmove`.
    pub(crate) lines: Vec<String>,
    pub(crate) best: String,
    pub(crate) ponder: Option<String>,
    /// From the command to the answer.
    pub(crate) time: Duration,
}

impl Engine {
    /// Starts the engine for protocol commands.
    pub(crate) fn start() -> Engine {
        let mut child = spawn(&[]);
        let (sender, lines) = channel();
        let stdout = BufReader::new(child.stdout.take().expect("piped"));
        std::thread::spawn(move || {
            for line in stdout.split(b'\n').map_while(Result::ok) {
                if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                    return;
                }
            }
        });
        let mut errors = child.stderr.take().expect("piped");
        let stderr = std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = errors.read_to_end(&mut bytes);
            String::from_utf8_lossy(&bytes).into_owned()
        });
        Engine { stdin: child.stdin.take(), child, lines, stderr: Some(stderr) }
    }

    /// Starts the engine and sends it these lines.
    pub(crate) fn with(lines: &str) -> Engine {
        let mut engine = Engine::start();
        engine.send(lines);
        engine
    }

    /// Writes a line, or several in one write.
    pub(crate) fn send(&mut self, lines: &str) {
        self.send_raw(format!("{lines}\n").as_bytes());
    }

    pub(crate) fn send_raw(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("not closed");
        stdin.write_all(bytes).and_then(|()| stdin.flush()).expect("the engine reads");
    }

    pub(crate) fn close_stdin(&mut self) {
        self.stdin = None;
    }

    /// The next line that comes within this time.
    pub(crate) fn next_line(&self, limit: Duration) -> Option<String> {
        match self.lines.recv_timeout(limit) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => panic!("the engine is gone"),
        }
    }

    /// All lines up to the first that begins so, that one included.
    pub(crate) fn until(&self, beginning: &str) -> Vec<String> {
        self.until_within(beginning, PATIENCE)
    }

    pub(crate) fn until_within(&self, beginning: &str, limit: Duration) -> Vec<String> {
        let end = Instant::now() + limit;
        let mut seen = Vec::new();
        loop {
            let Some(line) = self.next_line(end.saturating_duration_since(Instant::now())) else {
                panic!("no line {beginning:?} within {limit:?}; seen: {seen:#?}");
            };
            let found = line.starts_with(beginning);
            seen.push(line);
            if found {
                return seen;
            }
        }
    }

    /// Asks whether the engine is ready and gives all lines before its answer.
    pub(crate) fn ready(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// The lines that come during this time.
    pub(crate) fn listen(&self, time: Duration) -> Vec<String> {
        let end = Instant::now() + time;
        let next = || self.next_line(end.saturating_duration_since(Instant::now()));
        std::iter::from_fn(next).collect()
    }

    /// Sends this and waits for a `bestmove`.
    pub(crate) fn go(&mut self, lines: &str) -> Answer {
        let start = Instant::now();
        self.send(lines);
        self.answer(start)
    }

    /// Waits for the `bestmove` of a search begun at this time.
    pub(crate) fn answer(&self, start: Instant) -> Answer {
        let lines = self.until("bestmove");
        let words: Vec<&str> = lines[lines.len() - 1].split(' ').collect();
        let (best, ponder) = match words[..] {
            [_, best] => (best.to_string(), None),
            [_, best, "ponder", reply] => (best.to_string(), Some(reply.to_string())),
            _ => panic!("{words:?}"),
        };
        Answer { lines, best, ponder, time: start.elapsed() }
    }

    /// Sets a position and lets the engine search it.
    pub(crate) fn search(&mut self, fen: &str, go: &str) -> Answer {
        self.go(&format!("position fen {fen}\n{go}"))
    }

    /// The value in a line `name: value` of the command `d`.
    pub(crate) fn shown(&mut self, name: &str) -> String {
        self.send("d\nisready");
        let beginning = format!("{name}: ");
        self.until("readyok")
            .into_iter()
            .find_map(|line| line.strip_prefix(&beginning).map(str::to_string))
            .expect("shown")
    }

    pub(crate) fn fen(&mut self) -> String {
        self.shown("Fen")
    }

    /// Waits for the process to end by itself; gives its status and what it wrote to standard error.
    pub(crate) fn end(mut self, limit: Duration) -> (ExitStatus, String) {
        let end = Instant::now() + limit;
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                let stderr = self.stderr.take().map(|thread| thread.join().expect("read"));
                return (status, stderr.unwrap_or_default());
            }
            assert!(Instant::now() < end, "the engine still runs after {limit:?}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Says `quit` and checks that the engine ends in order.
    pub(crate) fn quit(mut self) {
        self.send("quit");
        let (status, stderr) = self.end(PATIENCE);
        assert!(status.success() && stderr.is_empty(), "{status} {stderr}");
    }

    /// Processor time of all threads so far; `None` where the system does not tell.
    pub(crate) fn cpu_time(&self) -> Option<Duration> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        // The name in parentheses may hold blanks; user and system time are the 12th and 13th fields after it.
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let ticks: u64 = fields[11..13].iter().map(|field| field.parse().unwrap_or(0)).sum();
        // Linux counts for programs in hundredths of a second on all its common platforms.
        Some(Duration::from_millis(ticks * 10))
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Answer {
    /// The `info` lines that tell a score.
    pub(crate) fn infos(&self) -> Vec<&str> {
        self.lines.iter().map(String::as_str).filter(|line| line.contains(" score ")).collect()
    }

    /// The last of them of the first line of play, exact ones only.
    pub(crate) fn last(&self) -> &str {
        let first = |line: &&&str| field(line, "multipv").is_none_or(|number| number == "1");
        let infos = self.infos();
        infos.iter().rev().find(first).copied().expect("a line with a score before bestmove")
    }

    pub(crate) fn number(&self, name: &str) -> u64 {
        field(self.last(), name).and_then(|text| text.parse().ok()).expect("a number")
    }

    pub(crate) fn score(&self) -> String {
        score(self.last())
    }

    /// The messages for people.
    pub(crate) fn messages(&self) -> Vec<&str> {
        messages(&self.lines)
    }
}

/// The word after this one in an `info` line.
pub(crate) fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let mut words = line.split(' ').skip_while(|&word| word != name);
    words.nth(1)
}

/// `cp 12` or `mate -3`.
pub(crate) fn score(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').skip_while(|&word| word != "score").skip(1).take(2).collect();
    words.join(" ")
}

/// The moves after `pv`.
pub(crate) fn pv(line: &str) -> Vec<&str> {
    line.split_once(" pv ").map_or_else(Vec::new, |(_, moves)| moves.split(' ').collect())
}

/// The `info string` lines among these.
pub(crate) fn messages(lines: &[String]) -> Vec<&str> {
    lines.iter().filter_map(|line| line.strip_prefix("info string ")).collect()
}

/// The game after these moves.
pub(crate) fn game(fen: &str, moves: &[&str]) -> Game {
    let mut game = Game::new(Position::from_fen(fen, PromotionRule::Any).expect("a good FEN"));
    for text in moves {
        play(&mut game, text);
    }
    game
}

pub(crate) fn play(game: &mut Game, text: &str) {
    let mv = game.position().parse_uci(text).expect("a legal move");
    game.play(mv).expect("a game that goes on");
}

pub(crate) fn is_legal(fen: &str, text: &str) -> bool {
    game(fen, &[]).position().parse_uci(text).is_ok()
}

/// Checks what holds for every search of a position with legal moves: a line with all particulars before the
/// answer, which is legal and the first move of that line; all lines legal and none beyond the game's end.
pub(crate) fn check_answer(fen: &str, moves: &[&str], answer: &Answer) {
    let root = game(fen, moves);
    let last = answer.last();
    for name in ["depth", "score", "nodes", "time", "pv"] {
        assert!(field(last, name).is_some(), "{fen} {moves:?}: no {name} in {last}");
    }
    let line = pv(last);
    assert_eq!(line[0], answer.best, "{fen} {moves:?}: {last}");
    if let Some(reply) = &answer.ponder {
        // A search cut short may know the reply from its table alone.
        assert!(line.get(1).is_none_or(|second| second == reply), "{fen} {moves:?}: {reply}, {last}");
        let mut game = root.clone();
        play(&mut game, &answer.best);
        assert!(game.position().parse_uci(reply).is_ok(), "{fen} {moves:?}: {answer:?}");
    }
    for info in answer.infos() {
        let mut game = root.clone();
        for (ply, text) in pv(info).iter().enumerate() {
            // The root may be drawn already: still a move is asked for.
            let over = game.outcome().is_some() || game.claim().is_some();
            assert!(ply == 0 || !over, "{fen} {moves:?}: goes on after the end at {text}: {info}");
            let mv = game.position().parse_uci(text);
            let mv = mv.unwrap_or_else(|error| panic!("{fen} {moves:?}: {error}: {info}"));
            game.play(mv).unwrap_or_else(|error| panic!("{fen} {moves:?}: {error}: {info}"));
        }
    }
}

/// Runs the engine with arguments and an empty standard input.
pub(crate) fn run(arguments: &[&str]) -> Output {
    run_with(arguments, b"")
}

/// Starts the binary with all its streams piped.
fn spawn(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_makara"))
        .args(arguments)
        .env_remove("MAKARA_LOG")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the engine starts")
}

/// Runs the engine with arguments and this standard input.
pub(crate) fn run_with(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = spawn(arguments);
    let mut stdin = child.stdin.take().expect("piped");
    // A run that reads nothing may have ended by now.
    let _ = stdin.write_all(input);
    drop(stdin);
    child.wait_with_output().expect("the engine ends")
}
