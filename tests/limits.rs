//! What ends a search: depth, nodes, time, mates, root moves, several lines.
//! The ids in the comments are those of the project's list of client cases.

mod harness;

use std::time::Duration;

use harness::*;

/// START with Black to move.
const BLACK: &str = "rnbqkbnr/8/pppppppp/8/8/PPPPPPPP/8/RNBQKBNR b - - 0 1";

/// What a busy machine may add to a clock, in milliseconds: a plan that is wrong costs far more.
const SLACK: i64 = 500;

/// A12: limits of nothing.
#[test]
fn limits_of_zero() {
    let mut engine = Engine::start();
    for go in ["go depth 0", "go nodes 0", "go movetime 0", "go depth -3", "go nodes -1", "go movetime -100"]
    {
        let answer = engine.search(START, go);
        assert!(answer.time < PROMPT, "{go}: {:?}", answer.time);
        check_answer(START, &[], &answer);
    }
    engine.quit();
}

/// A13, R33: the list of root moves ends at the next keyword, and holds whatever else limits the search.
#[test]
fn chosen_root_moves() {
    let mut engine = Engine::start();
    for go in [
        "go searchmoves a3a4 depth 5",
        "go depth 5 searchmoves a3a4",
        "go searchmoves a3a4 e3e5 depth 5",
        "go searchmoves banana a3a4 a3a4 depth 5",
        "go searchmoves a3a4 nodes 3000",
        "go searchmoves a3a4 movetime 100",
        "go searchmoves a3a4 wtime 200 btime 200",
        "go infinite searchmoves a3a4\nstop",
    ] {
        let answer = engine.search(START, go);
        check_answer(START, &[], &answer);
        assert_eq!(answer.best, "a3a4", "{go}");
        let wrong = ["e3e5", "banana"].into_iter().find(|wrong| go.contains(wrong));
        let messages = answer.messages();
        match wrong {
            Some(wrong) => assert!(messages.len() == 1 && messages[0].contains(wrong), "{go}: {messages:?}"),
            None => assert!(messages.is_empty(), "{go}: {messages:?}"),
        }
    }
    for go in ["go searchmoves b1d2 e3e4 movetime 300", "go movetime 300 searchmoves b1d2 e3e4"] {
        let answer = engine.search(START, go);
        check_answer(START, &[], &answer);
        assert!(["b1d2", "e3e4"].contains(&answer.best.as_str()), "{go}: {answer:?}");
        assert!(answer.time < PROMPT, "{go}: {:?}", answer.time);
    }
    // None left is all, with both named.
    let answer = engine.search(START, "go searchmoves e3e5 e1g1 depth 3");
    check_answer(START, &[], &answer);
    assert_eq!(answer.messages().len(), 2, "{answer:?}");
    engine.quit();
}

/// A14, R37: as many lines as asked for and possible, at every depth, in order.
#[test]
fn several_lines() {
    let mut engine = Engine::start();
    for (lines, fen, go, expected, depth) in [
        (10, ONE, "go depth 8", 1, 8),
        (10, KK, "go depth 8", 8, 8),
        (10, LOSE2, "go depth 8", 1, 8),
        (500, START, "go depth 4", 23, 4),
        (4, START, "go depth 6 searchmoves e3e4 d3d4", 2, 6),
        (3, START, "go depth 8", 3, 8),
        (500, MANY, "go depth 2", 139, 2),
    ] {
        let answer = engine.search(fen, &format!("setoption name MultiPV value {lines}\n{go}"));
        check_answer(fen, &[], &answer);
        let infos = answer.infos();
        let wanted = depth.to_string();
        let last: Vec<&&str> = infos.iter().filter(|line| field(line, "depth") == Some(&wanted)).collect();
        // Lines with a bound only may come before the exact ones, the first line once more behind the others.
        let mut exact: Vec<&str> = last.into_iter().copied().filter(|line| !line.contains("bound")).collect();
        exact.pop_if(|line| expected > 1 && field(line, "multipv") == Some("1"));
        let block = &exact[exact.len().saturating_sub(expected)..];
        let mut first_moves: Vec<&str> = block.iter().map(|line| pv(line)[0]).collect();
        for (index, line) in block.iter().enumerate() {
            assert_eq!(
                field(line, "multipv"),
                Some((index + 1).to_string().as_str()),
                "{fen} {lines}: {block:#?}"
            );
        }
        assert_eq!(first_moves.len(), expected, "{fen} {lines}: {block:#?}");
        first_moves.sort_unstable();
        first_moves.dedup();
        assert_eq!(first_moves.len(), expected, "{fen} {lines}: {block:#?}");
        let values: Vec<i64> = block.iter().map(|line| worth(line)).collect();
        assert!(values.is_sorted_by(|a, b| a >= b), "{fen} {lines}: {block:#?}");
    }
    engine.quit();
}

/// A score as a number that puts mates beyond all else.
fn worth(line: &str) -> i64 {
    let score = score(line);
    let (kind, value) = score.split_once(' ').expect("two words");
    let value: i64 = value.parse().expect("a number");
    match (kind, value.signum()) {
        ("cp", _) => value,
        (_, 1) => 1_000_000 - value,
        _ => -1_000_000 - value,
    }
}

/// A15, R28: nodes are counted over all threads, and end the search.
#[test]
fn node_limits() {
    let mut engine = Engine::start();
    for wanted in [1000, 5000, 20_000] {
        let answer = engine.search(START, &format!("ucinewgame\nposition startpos\ngo nodes {wanted}"));
        check_answer(START, &[], &answer);
        let nodes = answer.number("nodes");
        assert!(nodes >= wanted && nodes < wanted + 100, "{nodes} of {wanted}");
    }
    let answer = engine.go("setoption name Threads value 8\ngo nodes 50000");
    let nodes = answer.number("nodes");
    assert!((50_000..150_000).contains(&nodes), "{nodes} by 8 threads");
    engine.quit();
}

/// A16: what the last line says is what is answered.
#[test]
fn the_answer_is_that_of_the_last_line() {
    let mut engine = Engine::start();
    for go in
        ["go depth 9", "go nodes 7777", "go movetime 150", "go wtime 3000 btime 3000", "go mate 1 nodes 9000"]
    {
        for fen in [START, BLACK, MANY, LOSE2, PROMOTION] {
            check_answer(fen, &[], &engine.search(fen, go));
        }
    }
    engine.quit();
}

/// R28: the first limit that is reached ends the search.
#[test]
fn limits_together() {
    let mut engine = Engine::start();
    for go in [
        "go depth 60 movetime 100",
        "go nodes 5000 movetime 60000",
        "go wtime 60000 btime 60000 movetime 100",
        "go depth 3 nodes 100000000 movetime 60000",
        "go wtime 6000000 btime 6000000 depth 4",
        "go wtime 6000000 btime 6000000 nodes 3000",
        "go mate 3 movetime 100",
    ] {
        let answer = engine.search(START, go);
        check_answer(START, &[], &answer);
        assert!(answer.time < PROMPT, "{go}: {:?}", answer.time);
    }
    // What is not known does not make a search endless.
    for go in ["go depht 4", "go depth", "go movetime x"] {
        let answer = engine.search(START, go);
        assert!(!answer.messages().is_empty() && answer.time < PROMPT, "{go}: {answer:?}");
    }
    engine.quit();
}

/// B17, R21: a clock that has run out, or worse.
#[test]
fn clocks_without_time() {
    let mut engine = Engine::start();
    for fen in [START, BLACK] {
        for go in [
            "go wtime 0 btime 0",
            "go wtime 1 btime 1",
            "go wtime -40 btime 900 winc 100 binc 100",
            "go wtime 900 btime -40 winc 100 binc 100",
            "go wtime 0 btime -2 winc 20 binc 20",
            "go wtime -99999999999999999999 btime -99999999999999999999",
            "go wtime 100 btime 100 winc -50 binc -50",
            "go wtime 10 btime 10 movestogo 0",
            "go wtime 10 btime 10 movestogo -5",
            "go movestogo 5",
        ] {
            let answer = engine.search(fen, go);
            check_answer(fen, &[], &answer);
            assert!(answer.time < PROMPT, "{fen} {go}: {:?}", answer.time);
        }
    }
    engine.quit();
}

/// B18: the last move before the control may use what is left, but not the increment that follows it.
#[test]
fn the_last_move_of_a_period() {
    let mut engine = Engine::start();
    for go in
        ["go wtime 1000 btime 1000 movestogo 1", "go wtime 1000 btime 1000 winc 5000 binc 5000 movestogo 1"]
    {
        let answer = engine.search(START, go);
        assert!(answer.number("time") <= 1100, "{go}: {}", answer.last());
        assert!(answer.time < Duration::from_millis(2500), "{go}: {:?}", answer.time);
    }
    engine.quit();
}

/// B19: by the engine's own clock no period of 40 moves is overstepped, and none is hoarded.
#[test]
fn periods_of_many_moves() {
    let mut engine = Engine::start();
    let mut left: i64 = 2000;
    for to_go in (1..=40).rev() {
        let answer = engine.search(START, &format!("go wtime {left} btime {left} movestogo {to_go}"));
        left -= answer.number("time") as i64 + 1;
        assert!(left > -SLACK, "{left} ms left with {to_go} to go");
    }
    assert!(left < 1500, "{left} ms of 2000 never used");
    engine.quit();
}

/// B20: `movetime` is kept, overhead included, and used.
#[test]
fn time_for_a_move() {
    let mut engine = Engine::start();
    for (overhead, time) in [(0, 400), (10, 400), (100, 400)] {
        let go = format!("setoption name Move Overhead value {overhead}\ngo movetime {time}");
        let answer = engine.search(START, &go);
        let spent = answer.number("time");
        assert!(answer.time >= Duration::from_millis((time - overhead) * 3 / 4), "{go}: {:?}", answer.time);
        assert!(spent <= time + 100 - overhead, "{go}: {spent}");
        assert!(answer.time < Duration::from_millis(time) + PROMPT, "{go}: {:?}", answer.time);
    }
    engine.quit();
}

/// B21: clocks told in part.
#[test]
fn clocks_in_part() {
    let mut engine = Engine::start();
    for fen in [START, BLACK] {
        for go in [
            "go wtime 800 btime 800 winc 8",
            "go wtime 800 btime 800 binc 8",
            "go wtime 800",
            "go btime 800",
            "go winc 50",
            "go binc 50",
        ] {
            let answer = engine.search(fen, go);
            check_answer(fen, &[], &answer);
            assert!(answer.time < PROMPT, "{fen} {go}: {:?}", answer.time);
        }
    }
    engine.quit();
}

/// B22: more threads than cores do not make a move late.
#[test]
fn many_threads_watch_the_clock() {
    let mut engine = Engine::with("setoption name Threads value 16");
    engine.ready();
    for go in ["go movetime 200", "go wtime 1000 btime 1000", "go depth 5", "go nodes 20000"] {
        let answer = engine.search(START, go);
        check_answer(START, &[], &answer);
        assert!(answer.time < PROMPT, "{go}: {:?}", answer.time);
    }
    engine.quit();
}

/// R25: the overhead is obeyed, and one larger than the clock does not spoil the move.
#[test]
fn overhead_beyond_the_clock() {
    let mut engine = Engine::start();
    for overhead in [0, 100, 1000, 5000] {
        engine.send(&format!("setoption name Move Overhead value {overhead}"));
        for go in ["go wtime 300 btime 300", "go movetime 300", "go wtime 300 btime 300 winc 10 binc 10"] {
            let answer = engine.search(START, go);
            check_answer(START, &[], &answer);
            assert!(answer.number("time") <= 400, "{overhead} {go}: {}", answer.last());
            assert!(answer.number("depth") >= 1, "{overhead} {go}: {}", answer.last());
            assert!(!answer.last().contains("bound"), "{overhead} {go}: {}", answer.last());
        }
    }
    engine.quit();
}

/// R25: a game at a second and a hundredth, by the engine's own clock: the time is never overstepped.
#[test]
fn a_fast_game_is_not_lost_on_time() {
    let mut engine = Engine::start();
    let mut left: [i64; 2] = [1000, 1000];
    let mut moves: Vec<String> = Vec::new();
    for ply in 0..80 {
        let position = format!("position startpos moves {}", moves.join(" "));
        let [white, black] = left;
        let answer = engine.go(&format!("{position}\ngo wtime {white} btime {black} winc 10 binc 10"));
        if answer.best == "(none)" {
            break;
        }
        let texts: Vec<&str> = moves.iter().map(String::as_str).collect();
        check_answer(START, &texts, &answer);
        let clock = &mut left[ply % 2];
        *clock -= answer.number("time") as i64;
        assert!(*clock > -SLACK, "ply {ply}: {left:?}");
        *clock += 10;
        moves.push(answer.best);
    }
    engine.quit();
}

/// R35: the search for a mate ends when it is found.
#[test]
fn mates_in_so_many() {
    for threads in [1, 8] {
        let mut engine = Engine::with(&format!("setoption name Threads value {threads}"));
        for go in ["go mate 2", "go mate 5", "go mate"] {
            let answer = engine.search(M2, go);
            check_answer(M2, &[], &answer);
            assert_eq!((answer.best.as_str(), answer.score().as_str()), ("a2b3", "mate 2"), "{threads} {go}");
        }
        let answer = engine.search(M1, "go mate 3");
        assert_eq!((answer.best.as_str(), answer.score().as_str()), ("a1a8", "mate 1"));
        engine.quit();
    }
}

/// R35, and the scores of lost positions.
#[test]
fn mate_scores() {
    let mut engine = Engine::start();
    for (fen, score) in [(M1, "mate 1"), (M2, "mate 2"), (LOSE2, "mate -2"), (KK, "cp 0")] {
        let answer = engine.search(fen, "go depth 10");
        check_answer(fen, &[], &answer);
        assert_eq!(answer.score(), score, "{fen}");
    }
    let lose3 = "8/8/8/8/8/K7/3R4/k7 b - - 0 1";
    assert_eq!(engine.search(lose3, "go depth 10").score(), "mate -3");
    engine.quit();
}

/// R43: many moves, and depths beyond all bounds.
#[test]
fn large_numbers() {
    let mut engine = Engine::start();
    check_answer(MANY, &[], &engine.search(MANY, "go depth 6 movetime 3000"));
    let rooks = "8/8/4k3/8/8/3RK3/7r/8 w - - 0 1";
    for fen in [KK, rooks] {
        for go in
            ["go depth 250 movetime 300", "go depth 9999 movetime 300", "go depth 99999999999 nodes 20000"]
        {
            let answer = engine.search(fen, go);
            check_answer(fen, &[], &answer);
            assert!(answer.infos().iter().all(|line| {
                field(line, "seldepth")
                    .and_then(|text| text.parse::<u32>().ok())
                    .is_none_or(|depth| depth < 256)
            }));
        }
    }
    // A search without any branching comes to its last depth.
    let answer = engine.search(KK, "go depth 9999");
    assert!(answer.number("depth") > 10, "{}", answer.last());
    engine.quit();
}
