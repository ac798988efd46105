//! Sessions: who answers what and when, ends of input, pondering, many commands at once.
//! The ids in the comments are those of the project's list of client cases.

mod harness;

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use harness::*;

fn count(lines: &[String], beginning: &str) -> usize {
    lines.iter().filter(|line| line.starts_with(beginning)).count()
}

/// A1, R1: nobody is left to stop an endless search, nor an idle engine.
#[test]
fn end_of_input_ends_the_process() {
    for lines in [
        "uci",
        "go infinite",
        "go ponder wtime 1000 btime 1000",
        "go",
        "setoption name Threads value 4\ngo infinite",
    ] {
        let mut engine = Engine::with(lines);
        engine.ready();
        engine.close_stdin();
        let (status, stderr) = engine.end(PROMPT);
        assert!(status.success() && stderr.is_empty(), "{lines}: {status} {stderr}");
    }
}

/// A2, R80: what is piped in is searched to its end; `wait` holds back what follows.
#[test]
fn piped_commands_are_finished() {
    for go in ["go depth 6", "go nodes 5000", "go movetime 200", "go mate 1", "go wtime 500 btime 500"] {
        let input = format!("position fen {M1}\n{go}");
        let output = run_with(&[], input.as_bytes());
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("bestmove a1a8"), "{go}: {text}");
    }
    let text = String::from_utf8(run_with(&[], b"go depth 6\n").stdout).expect("text");
    assert!(text.contains("info depth 6 "), "{text}");
    let text = String::from_utf8(run_with(&[], b"go depth 6\nwait\nquit\n").stdout).expect("text");
    assert!(text.contains("info depth 6 ") && text.contains("\nbestmove "), "{text}");
    // The time asked for is used.
    let start = Instant::now();
    run_with(&[], b"go movetime 500\n");
    assert!(start.elapsed() >= Duration::from_millis(400), "{:?}", start.elapsed());
}

/// R80: `quit` ends at once whatever runs.
#[test]
fn quit_ends_at_once() {
    for go in ["go infinite", "go movetime 60000", "go depth 60", "go ponder", ""] {
        let mut engine = Engine::with(go);
        engine.ready();
        engine.send("quit");
        let (status, stderr) = engine.end(PROMPT);
        assert!(status.success() && stderr.is_empty(), "{go}: {status} {stderr}");
    }
}

/// A3, R5, R7: no answer before `stop`, no work once there is nothing left to search, no line again and again.
#[test]
fn infinite_searches_wait_for_stop() {
    for (fen, best) in [(MATED, "(none)"), (STALE, "(none)"), (M1, "a1a8"), (ONE, "a1b2"), (KK, "")] {
        let mut engine = Engine::start();
        engine.send(&format!("position fen {fen}\ngo infinite"));
        let seen = engine.listen(Duration::from_millis(700));
        assert_eq!(count(&seen, "bestmove"), 0, "{fen}: {seen:#?}");
        let before = engine.cpu_time();
        let start = Instant::now();
        let seen = engine.listen(Duration::from_millis(700));
        assert!(seen.len() < 300 && count(&seen, "bestmove") == 0, "{fen}: {} lines", seen.len());
        if best == "(none)"
            && let (Some(before), Some(after)) = (before, engine.cpu_time())
        {
            assert!(after - before < start.elapsed() / 5, "{fen}: works for {:?}", after - before);
        }
        let answer = engine.go("stop");
        assert!(answer.time < PROMPT, "{fen}");
        assert!(best.is_empty() || answer.best == best, "{fen}: {answer:?}");
        engine.quit();
    }
}

/// A3, R5: after the last depth the engine rests.
#[test]
fn the_last_depth_is_reached_and_waited_at() {
    let mut engine = Engine::with(&format!("position fen {ONE}\ngo infinite depth 2"));
    engine.until("info depth 2 ");
    let seen = engine.listen(Duration::from_millis(300));
    let before = engine.cpu_time();
    let more = engine.listen(Duration::from_millis(700));
    assert!(count(&seen, "bestmove") == 0 && more.is_empty(), "{seen:#?} {more:#?}");
    if let (Some(before), Some(after)) = (before, engine.cpu_time()) {
        assert!(after - before < Duration::from_millis(200), "{:?}", after - before);
    }
    assert_eq!(engine.go("stop").best, "a1b2");
    engine.quit();
}

/// A4: a root that is mated or stalemated.
#[test]
fn roots_without_moves() {
    let mut engine = Engine::start();
    for (fen, score) in [(MATED, "info depth 0 score mate 0"), (STALE, "info depth 0 score cp 0")] {
        for go in ["go depth 5", "go movetime 50", "go wtime 100 btime 100", "go nodes 10", "go mate 3"] {
            let answer = engine.search(fen, go);
            assert_eq!(answer.lines, [score, "bestmove (none)"], "{fen} {go}");
        }
        check_answer(START, &[], &engine.go("position startpos\ngo depth 3"));
    }
    engine.quit();
}

/// A5: a position sent during a search is for the next one.
#[test]
fn a_position_during_a_search() {
    let mut engine = Engine::with("position startpos\ngo infinite");
    engine.send(&format!("position fen {ONE}"));
    let seen = engine.listen(Duration::from_millis(200));
    assert_eq!(count(&seen, "bestmove"), 0);
    let answer = engine.go("stop");
    assert!(is_legal(START, &answer.best), "{answer:?}");
    assert_eq!(engine.go("go depth 4").best, "a1b2");
    engine.quit();
}

/// A6, A7, R8: as many answers as searches, in order, however fast the commands come.
#[test]
fn every_go_is_answered_once() {
    let mut engine = Engine::start();
    engine.send(&format!(
        "position startpos\ngo infinite\nstop\nposition fen {ONE}\ngo depth 4\nwait\nisready"
    ));
    let lines = engine.until("readyok");
    let bests: Vec<&String> = lines.iter().filter(|line| line.starts_with("bestmove")).collect();
    assert_eq!(bests.len(), 2, "{lines:#?}");
    assert!(is_legal(START, bests[0].split(' ').nth(1).expect("a move")), "{bests:?}");
    assert!(bests[1].starts_with("bestmove a1b2"), "{bests:?}");

    engine.send(&format!(
        "position startpos\ngo infinite\nposition fen {ONE}\ngo infinite\nposition fen {M1}\ngo depth 3\nwait\nisready"
    ));
    let lines = engine.until("readyok");
    let bests: Vec<&String> = lines.iter().filter(|line| line.starts_with("bestmove")).collect();
    assert_eq!(bests.len(), 3, "{lines:#?}");
    assert!(bests[1].starts_with("bestmove a1b2") && bests[2].starts_with("bestmove a1a8"), "{bests:?}");

    engine.send("go depth 3\ngo depth 3\nwait\nisready");
    assert_eq!(count(&engine.until("readyok"), "bestmove"), 2);

    for _ in 0..50 {
        let answer = engine.go("position startpos\ngo infinite\nstop");
        check_answer(START, &[], &answer);
    }
    assert_eq!(count(&engine.listen(Duration::from_millis(200)), "bestmove"), 0);
    engine.quit();
}

/// A8, R3: too many `stop` and `ponderhit`.
#[test]
fn surplus_commands_are_silent() {
    let mut engine = Engine::with("stop\nponderhit\nstop");
    assert!(engine.ready().is_empty());
    engine.go("go infinite\nstop\nstop\nponderhit\nstop");
    assert!(engine.ready().is_empty());
    engine.send("stop\nponderhit");
    assert!(engine.listen(Duration::from_millis(200)).is_empty());
    check_answer(START, &[], &engine.go("go depth 2"));
    engine.quit();
}

/// A9, R10: the engine listens while it searches.
#[test]
fn ready_and_uci_during_a_search() {
    let mut engine = Engine::with("uci");
    let first = engine.until("uciok");
    engine.send("uci");
    assert_eq!(engine.until("uciok"), first);
    assert!(first[0].starts_with("id name Makara") && first[1].starts_with("id author "), "{first:#?}");
    engine.send("go infinite");
    for _ in 0..20 {
        let start = Instant::now();
        let lines = engine.ready();
        assert!(start.elapsed() < PROMPT && count(&lines, "bestmove") == 0, "{lines:#?}");
    }
    engine.send("uci");
    let lines = engine.until("uciok");
    let found: Vec<&String> = lines.iter().filter(|line| !line.starts_with("info")).collect();
    assert_eq!(found, first.iter().collect::<Vec<_>>());
    assert!(is_legal(START, &engine.go("stop").best));
    engine.quit();
}

/// A10: settings during a search.
#[test]
fn options_during_a_search() {
    let mut engine = Engine::start();
    for setting in [
        "setoption name Hash value 8",
        "setoption name Threads value 2",
        "setoption name Clear Hash",
        "setoption name MultiPV value 3",
        "setoption name Move Overhead value 100",
        "setoption name UCI_Variant value asean",
        "setoption name PromotionRule value any",
        "setoption name EvalFile value /no such/file",
        "ucinewgame",
        "d",
        "flip\nflip",
        "perft 2",
    ] {
        engine.send("position startpos\ngo infinite");
        engine.send(setting);
        engine.send("stop\nisready");
        let lines = engine.until("readyok");
        // An answer may come behind `readyok` when `stop` was still needed.
        if count(&lines, "bestmove") == 0 {
            engine.until("bestmove");
        } else {
            assert_eq!(count(&lines, "bestmove"), 1, "{setting}");
        }
        check_answer(START, &[], &engine.go("position startpos\ngo depth 3"));
    }
    assert_eq!(count(&engine.listen(Duration::from_millis(100)), "bestmove"), 0);
    engine.quit();
}

/// R41: silence while pondering, then an answer at once where there is nothing to think about.
#[test]
fn pondering() {
    for (fen, best) in [(ONE, "a1b2"), (M1, "a1a8")] {
        for (go, end) in [
            ("go ponder wtime 1000 btime 1000", "ponderhit"),
            ("go ponder wtime 1000 btime 1000", "stop"),
            ("go ponder depth 3", "ponderhit"),
            ("go ponder depth 3", "stop"),
            ("go ponder movetime 50", "ponderhit"),
        ] {
            let mut engine = Engine::with(&format!("position fen {fen}\n{go}"));
            let seen = engine.listen(Duration::from_millis(400));
            assert_eq!(count(&seen, "bestmove"), 0, "{fen} {go}: {seen:#?}");
            let answer = engine.go(end);
            assert!(answer.time < PROMPT && answer.best == best, "{fen} {go} {end}: {answer:?}");
            engine.quit();
        }
    }
    // An ordinary position: by the clock after the hit, and its input may end then.
    let mut engine = Engine::with("position startpos\ngo ponder wtime 2000 btime 2000");
    engine.listen(Duration::from_millis(300));
    engine.send("ponderhit");
    engine.close_stdin();
    let answer = engine.answer(Instant::now());
    assert!(is_legal(START, &answer.best) && answer.time < PROMPT, "{answer:?}");
    assert!(engine.end(PROMPT).0.success());
}

/// R11, R23: an answer with its line before it, however little time there is.
#[test]
fn tiny_limits() {
    let mut engine = Engine::start();
    for fen in [START, M1, ONE, MANY, LOSE2, KK] {
        for go in ["go nodes 1", "go movetime 1", "go wtime 1 btime 1", "go depth 1", "go infinite\nstop"] {
            check_answer(fen, &[], &engine.search(fen, go));
        }
    }
    engine.quit();
}

/// R23: the same again and again, with more threads than cores.
#[test]
fn tiny_limits_with_many_threads() {
    let mut engine = Engine::with("setoption name Hash value 1\nsetoption name Threads value 8");
    for round in 0..25 {
        for fen in [START, MANY] {
            for go in ["go movetime 1", "go wtime 1 btime 1", "go infinite\nstop"] {
                let answer = engine.search(fen, go);
                assert!(is_legal(fen, &answer.best), "round {round}, {fen} {go}: {answer:?}");
            }
        }
    }
    engine.quit();
}

/// R46: one thread searches the same tree every time.
#[test]
fn runs_repeat() {
    let fens = [START, MANY, M2, "r2qkb1r/2b5/pppp1npp/4pp2/1PP5/P2PPPPP/3N1B2/1RBQK1NR b - - 0 5", KK];
    let strip = |line: &String| {
        let words: Vec<&str> = line.split(' ').collect();
        let at = |name| words.iter().position(|&word| word == name);
        let hidden: Vec<usize> = [at("time"), at("nps")].into_iter().flatten().map(|at| at + 1).collect();
        let kept = words.iter().enumerate().filter(|(index, _)| !hidden.contains(index));
        kept.map(|(_, word)| *word).collect::<Vec<_>>().join(" ")
    };
    let round = |engine: &mut Engine| -> Vec<String> {
        engine.send("ucinewgame");
        let answers = fens.map(|fen| engine.search(fen, "go nodes 20000"));
        answers.iter().flat_map(|answer| &answer.lines).map(strip).collect()
    };
    let mut engine = Engine::start();
    let first = round(&mut engine);
    assert_eq!(round(&mut engine), first);
    assert_eq!(round(&mut engine), first);
    assert_eq!(round(&mut Engine::start()), first);
    engine.quit();
}

/// R47: lines as other systems and careless scripts write them; each answer is flushed at once.
#[test]
fn line_ends_and_blanks() {
    let mut engine = Engine::start();
    engine.send_raw(b"uci\r\n");
    let lines = engine.until("uciok");
    assert!(lines.iter().all(|line| !line.contains('\r')), "{lines:?}");
    engine.send_raw(b"\r\n\n  \t\nisready\r\n");
    assert_eq!(engine.until("readyok"), ["readyok"]);
    engine.send_raw(b"position\t startpos  moves\te3e4   e6e5 \r\n  go   depth \t 3\r\n");
    let answer = engine.answer(Instant::now());
    check_answer(START, &["e3e4", "e6e5"], &answer);
    assert!(answer.lines.iter().all(|line| !line.contains('\r') && !line.is_empty()), "{answer:?}");
    // A last line without an end is a line.
    engine.send_raw(b"quit");
    engine.close_stdin();
    assert!(engine.end(PROMPT).0.success());
}

/// Whatever comes in is survived: unknown words, binary rubbish, a line beyond all measure.
#[test]
fn rubbish_is_survived() {
    let mut engine = Engine::start();
    engine.send(
        "hello\ngo depth\ngo depth x\ngo banana\nposition\nposition nowhere\nsetoption\nsetoption name",
    );
    engine.send(
        "perft\nperft x\nbench x\ngo depth 1 2 3\ngo wtime btime\ngo searchmoves\nposition fen\nstop\nwait",
    );
    engine.send_raw(b"\xff\xfe\0\x01go\xc3\x28\n");
    engine.send(&"x".repeat(100_000));
    engine.send(&format!("position startpos moves {}", "e3e4".repeat(20_000)));
    engine.send("go infinite\nwait\nstop\nwait");
    let lines = engine.ready();
    assert!(lines.iter().all(|line| line.len() < 1000), "messages repeat only a part of what they got");
    check_answer(START, &[], &engine.go("stop\nposition startpos\ngo depth 3"));
    engine.quit();
}

/// R87: the reader goes away.
#[test]
fn a_closed_output_ends_the_engine() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_makara"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("piped");
    std::io::Write::write_all(&mut stdin, b"go infinite\n").expect("the engine reads");
    let end = Instant::now() + PATIENCE;
    // Its input stays open: it must notice by itself.
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child") {
            break status;
        }
        if Instant::now() > end {
            let _ = child.kill();
            panic!("searches on for nobody");
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    let stderr = child.wait_with_output().expect("ended").stderr;
    assert!(status.code().is_some() && stderr.is_empty(), "{status} {}", String::from_utf8_lossy(&stderr));
}
