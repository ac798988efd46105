//! Faults once found in the engine's own protocol layer, each with its kind. The ids in the comments are
//! those of the project's list of client cases.

use std::io::{Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How long anything may take on a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(30);

/// Runs the engine on this input; gives its status and its lines. Ends it, and fails, if it does not end.
fn piped(input: &[u8]) -> (ExitStatus, Vec<String>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_makara"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    let mut stdout = child.stdout.take().expect("piped");
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        stdout.read_to_string(&mut text).expect("text");
        text
    });
    child.stdin.take().expect("piped").write_all(input).expect("the engine reads");
    let end = Instant::now() + PATIENCE;
    let status = loop {
        match child.try_wait().expect("a child") {
            Some(status) => break status,
            None if Instant::now() < end => std::thread::sleep(Duration::from_millis(5)),
            None => {
                child.kill().expect("a child");
                panic!("still runs: {}", String::from_utf8_lossy(input));
            }
        }
    };
    (status, reader.join().expect("read").lines().map(str::to_string).collect())
}

fn lines(input: &str) -> Vec<String> {
    let (status, lines) = piped(input.as_bytes());
    assert!(status.success(), "{input}: {status}");
    lines
}

fn count(lines: &[String], beginning: &str) -> usize {
    lines.iter().filter(|line| line.starts_with(beginning)).count()
}

/// A1, A8: a `ponderhit` that answers no ponder search made the end of input wait for an endless one.
#[test]
fn a_stray_ponderhit_does_not_outlive_the_input() {
    for go in
        ["go infinite", "go", "go infinite depth 3", "go ponder infinite", "go infinite searchmoves e3e4"]
    {
        let lines = lines(&format!("{go}\nponderhit\n"));
        assert_eq!(count(&lines, "bestmove"), 1, "{go}: {lines:#?}");
    }
}

/// R41: a ponder search without any limit has no other end than `ponderhit`.
#[test]
fn an_unlimited_ponder_search_answers_at_ponderhit() {
    for more in ["", "wait\n"] {
        let lines = lines(&format!("go ponder\nponderhit\n{more}isready\n"));
        assert_eq!(count(&lines, "bestmove"), 1, "{lines:#?}");
    }
}

/// R87: the progress of `bench` goes to standard error, and whoever read that may be gone.
#[test]
fn a_closed_standard_error_is_survived() {
    for arguments in [&["bench", "2"][..], &["perft", "1", "--fen", "nonsense"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_makara"))
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        drop(child.stderr.take());
        let output = child.wait_with_output().expect("the engine ends");
        assert_eq!(output.status.code(), Some(i32::from(arguments[0] == "perft")), "{arguments:?}");
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(text.ends_with(" nps\n"), arguments[0] == "bench", "{arguments:?}: {text}");
    }
}

/// R13 and its kind: the order of `setoption`, `ucinewgame` and `position` does not matter.
#[test]
fn settings_and_positions_come_in_any_order() {
    let position = "position fen 8/P3k3/8/8/8/8/4K3/8 w - - 0 1";
    let option = "setoption name PromotionRule value met";
    let expected = [position, option, "ucinewgame"];
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let lines = lines(&format!("{}\nd\n", order.map(|index| expected[index]).join("\n")));
        let moves = lines.iter().find(|line| line.starts_with("Moves: ")).expect("shown");
        assert!(moves.contains("a7a8q") && !moves.contains("a7a8r"), "{order:?}: {moves}");
    }
    // With moves played, and with one that the new rule forbids: then the game goes on under the old one.
    let allowed = lines(&format!("{position} moves e2e3 e7e6\n{option}\nd\n"));
    assert!(allowed.iter().any(|line| line.contains("a7a8q")) && count(&allowed, "info string") == 0);
    assert!(!allowed.iter().any(|line| line.contains("a7a8r")), "{allowed:#?}");
    let forbidden = lines(&format!("{position} moves a7a8r\n{option}\nd\n{position} moves a7a8r\n"));
    assert_eq!(count(&forbidden, "Fen: R7/4k3/8/8/8/8/4K3/8 b "), 1, "{forbidden:#?}");
    assert_eq!(count(&forbidden, "info string"), 2, "{forbidden:#?}");
}

/// R47 and its kind: what shells and editors put into a text is a blank.
#[test]
fn byte_order_marks_and_nul_are_blanks() {
    let (status, lines) = piped(b"\xef\xbb\xbfuci\r\n\0setoption\0name Hash value 4\0\n\0isready\n");
    assert!(status.success());
    assert_eq!((count(&lines, "uciok"), count(&lines, "readyok")), (1, 1), "{lines:#?}");
    assert_eq!(count(&lines, "info string"), 0, "{lines:#?}");
}

/// R28 and its kind: a limit that cannot be read is no endless search, wherever it stands.
#[test]
fn a_misspelt_limit_ends_the_search() {
    for go in ["go searchmoves e3e4 dpeth 3", "go dpeth 3", "go depth", "go movetime x", "go byoyomi 1s"] {
        // `wait` refuses a search that does not end by itself.
        let lines = lines(&format!("{go}\nwait\nquit\n"));
        assert_eq!(count(&lines, "bestmove"), 1, "{go}: {lines:#?}");
        assert!(count(&lines, "info string") > 0, "{go}: {lines:#?}");
    }
}

/// R15 and its kind: a message repeats only a part of what a client sent, on one line.
#[test]
fn messages_are_short_and_printable() {
    let long = "x".repeat(50_000);
    let lines = lines(&format!(
        "setoption name {long}\nsetoption name Ponder value {long}\nposition startpos moves {long}\n\
         position fen {long} w\nsetoption name EvalFile value /no/\u{7}{long}\n{long}\u{1b}[2J\ngo {long}\n"
    ));
    assert!(count(&lines, "info string") >= 7, "{lines:#?}");
    for line in lines {
        assert!(line.len() < 500 && !line.contains(char::is_control), "{line}");
    }
}

/// Clients that send every option back as it was shown change nothing and are told nothing.
#[test]
fn defaults_sent_back_are_silent() {
    let shown = lines("uci\n");
    let mut script = String::new();
    for line in shown.iter().filter_map(|line| line.strip_prefix("option name ")) {
        let (name, kind) = line.split_once(" type ").expect("a type");
        if let Some((_, value)) = kind.split_once(" default ") {
            let value = value.split(" min ").next().and_then(|text| text.split(" var ").next());
            script += &format!("setoption name {name} value {}\n", value.expect("a value"));
        }
    }
    let lines = lines(&format!("{script}isready\n"));
    assert_eq!(lines, ["readyok"], "{script}");
}
