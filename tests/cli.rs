//! The command line: what it prints and how it ends.
//! The ids in the comments are those of the project's list of client cases.

mod harness;

use std::io::{BufRead, BufReader};
use std::process::{Command, Output, Stdio};

use harness::*;

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

/// R43, R62: counts of move paths.
#[test]
fn perft() {
    for (arguments, nodes) in [
        (vec!["perft", "0"], "1"),
        (vec!["perft", "1"], "23"),
        (vec!["perft", "1", "--fen", MANY], "139"),
        (vec!["perft", "3", "--fen", "4k3/8/8/3b4/3B4/8/8/4K3 b"], "999"),
        (vec!["perft", "1", "--fen", PROMOTION], "12"),
        (vec!["perft", "1", "--fen", PROMOTION, "--promotion", "met"], "9"),
        (vec!["perft", "5", "--fen", MATED], "0"),
    ] {
        let output = run(&arguments);
        assert!(output.status.success(), "{arguments:?}");
        assert_eq!(stdout(&output), format!("{nodes}\n"), "{arguments:?}");
    }
    let text = stdout(&run(&["perft", "2", "--divide"]));
    assert!(text.ends_with("\nNodes searched: 529\n") && text.contains("e3e4: 23\n"), "{text}");
}

/// The tree that is searched changes only when somebody wants it to.
#[test]
fn bench_gives_the_recorded_number() {
    let recorded = include_str!("data/bench.txt").trim();
    let output = run(&["bench"]);
    let text = stdout(&output);
    assert!(output.status.success(), "{}", stderr(&output));
    let found = text.lines().last().and_then(|line| line.split_once(" nodes "));
    let (nodes, speed) = found.expect("nodes and speed");
    assert!(speed.strip_suffix(" nps").is_some_and(|speed| speed.parse::<u64>().is_ok()), "{text}");
    assert_eq!(
        nodes, recorded,
        "the search has changed: if that was meant, write the number to tests/data/bench.txt"
    );
}

/// The command of the protocol does the same as that of the command line.
#[test]
fn bench_in_a_session() {
    let of = |output: Output| stdout(&output).split(' ').next().expect("a number").to_string();
    assert_eq!(of(run(&["bench", "4"])), of(run_with(&[], b"bench 4\n")));
}

/// Help and version go to standard output and are no failure.
#[test]
fn help_and_version() {
    let version = run(&["--version"]);
    assert!(version.status.success());
    assert_eq!(stdout(&version), concat!("makara ", env!("CARGO_PKG_VERSION"), "\n"));
    for arguments in [vec!["--help"], vec!["help"], vec!["perft", "--help"], vec!["bench", "--help"]] {
        let help = run(&arguments);
        assert!(help.status.success() && help.stderr.is_empty(), "{arguments:?}");
        assert!(stdout(&help).contains("Usage: makara"), "{arguments:?}");
    }
}

/// Wrong usage: exit code 2, a message on standard error alone.
#[test]
fn wrong_usage() {
    for arguments in [
        vec!["nonsense"],
        vec!["--nonsense"],
        vec!["perft"],
        vec!["perft", "x"],
        vec!["perft", "-1"],
        vec!["perft", "99"],
        vec!["perft", "2", "--promotion", "king"],
        vec!["perft", "2", "--fen"],
        vec!["bench", "0"],
        vec!["bench", "many"],
        vec!["bench", "5", "6"],
    ] {
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{arguments:?}");
        assert!(!stderr(&output).contains("panicked"), "{arguments:?}: {}", stderr(&output));
    }
}

/// Good usage that fails: exit code 1 and the reason.
#[test]
fn a_bad_fen_fails() {
    for fen in ["", "8/8/8/8/8/8/8/8 w - - 0 1", "4k3/8/8/8/8/8/8/8 w - - 0 1", "rubbish", "é"] {
        let output = run(&["perft", "3", "--fen", fen]);
        assert_eq!(output.status.code(), Some(1), "{fen}");
        assert!(output.stdout.is_empty() && stderr(&output).starts_with("makara: bad FEN: "), "{fen}");
    }
}

/// A47, R87: a reader that goes away ends every mode quietly.
#[test]
fn closed_pipes_are_quiet() {
    for (arguments, lines) in [
        (vec!["perft", "1", "--divide"], 0),
        (vec!["perft", "2", "--divide"], 1),
        (vec!["bench", "1"], 0),
        (vec!["--help"], 0),
        (vec!["--version"], 0),
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_makara"))
            .args(&arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let mut reader = BufReader::with_capacity(1, child.stdout.take().expect("piped"));
        for _ in 0..lines {
            reader.read_line(&mut String::new()).expect("a line");
        }
        drop(reader);
        let output = child.wait_with_output().expect("the engine ends");
        let text = stderr(&output);
        assert!(!text.contains("panicked") && !text.contains("Broken pipe"), "{arguments:?}: {text}");
        assert!(output.status.code().is_some(), "{arguments:?}: {}", output.status);
    }
}

/// `MAKARA_LOG` writes to standard error and leaves the protocol alone.
#[test]
fn logging_leaves_the_protocol_alone() {
    let child = Command::new(env!("CARGO_BIN_EXE_makara"))
        .env("MAKARA_LOG", "debug")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = child.expect("the engine starts");
    let mut stdin = child.stdin.take().expect("piped");
    std::io::Write::write_all(&mut stdin, b"isready\nquit\n").expect("the engine reads");
    drop(stdin);
    let output = child.wait_with_output().expect("the engine ends");
    assert_eq!(stdout(&output), "readyok\n");
    assert!(stderr(&output).contains("< isready") && stderr(&output).contains("> readyok"));
}
