//! The protocol of XBoard and WinBoard, as a client sees it.

mod harness;

use std::time::{Duration, Instant};

use harness::*;

fn xboard() -> Engine {
    let engine = Engine::with("xboard\nprotover 2");
    engine.until("feature done=1");
    engine
}

/// Waits for the engine's move and gives it with all lines up to it.
fn engine_move(engine: &Engine) -> (String, Vec<String>) {
    let lines = engine.until("move ");
    (lines[lines.len() - 1]["move ".len()..].to_string(), lines)
}

/// Sends this and gives the lines that come before the answer of a ping.
fn reaction(engine: &mut Engine, lines: &str) -> Vec<String> {
    engine.send(lines);
    engine.send("ping 4711");
    let mut lines = engine.until("pong 4711");
    lines.pop();
    lines
}

/// The thinking lines: ply, score, centiseconds, nodes, moves.
fn thoughts(lines: &[String]) -> Vec<(i64, i64, Vec<String>)> {
    let parse = |line: &String| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let numbers: Vec<i64> = words.iter().take(4).map_while(|word| word.parse().ok()).collect();
        (numbers.len() == 4)
            .then(|| (numbers[0], numbers[1], words[4..].iter().map(|word| word.to_string()).collect()))
    };
    lines.iter().filter_map(parse).collect()
}

#[test]
fn features_come_at_once_and_end() {
    let mut engine = Engine::with("xboard\nprotover 2");
    let lines = engine.until_within("feature done=1", PROMPT).join("\n");
    for feature in [
        "ping=1",
        "setboard=1",
        "playother=1",
        "usermove=1",
        "colors=0",
        "sigint=0",
        "reuse=1",
        "analyze=1",
        "memory=1",
        "smp=1",
        "nps=1",
        "debug=1",
        "myname=\"Makara ",
        "variants=\"asean\"",
        "option=\"MultiPV -spin 1 1 ",
        "option=\"PromotionRule -combo *any /// met\"",
        "option=\"Clear Hash -button\"",
    ] {
        assert!(lines.contains(feature), "{feature}: {lines}");
    }
    engine.send(
        "accepted ping\nrejected debug\nnew\nvariant asean\nrandom\nname Somebody\nrating 1 2\ncomputer",
    );
    assert!(reaction(&mut engine, "level 40 5 0").is_empty());
    assert_eq!(reaction(&mut engine, "variant chess"), ["Error (unsupported variant): chess"]);
    assert_eq!(reaction(&mut engine, "nonsense"), ["Error (unknown command): nonsense"]);
    assert_eq!(
        reaction(&mut engine, "option PromotionRule=met\noption multipv=2\nmemory 8\ncores 2").len(),
        0
    );
    assert_eq!(reaction(&mut engine, "option Nothing=1").len(), 1);
    engine.quit();
}

#[test]
fn it_plays_without_any_variant() {
    let mut engine = Engine::with("xboard\nprotover 2\nnew\nst 0.1\ngo");
    let (first, _) = engine_move(&engine);
    assert!(is_legal(START, &first), "{first}");
    // The other side moves, with and without the word; the engine answers each.
    let mut game = game(START, &[&first]);
    for prefix in ["usermove ", ""] {
        let reply = game.position().legal_moves()[0].to_string();
        play(&mut game, &reply);
        engine.send(&format!("{prefix}{reply}"));
        let (answer, _) = engine_move(&engine);
        play(&mut game, &answer);
    }
    // After `new` it plays Black.
    engine.send("new\nusermove e3e4");
    engine_move(&engine);
    engine.quit();
}

#[test]
fn illegal_moves_and_positions_change_nothing() {
    let mut engine = xboard();
    engine.send("new\nforce\nusermove e3e4");
    let shown = |engine: &mut Engine| reaction(engine, "d");
    let before = shown(&mut engine);
    for bad in ["e3e5", "a1a1", "@@@@", "e4d5", "xyz", "0000"] {
        assert_eq!(reaction(&mut engine, &format!("usermove {bad}")), [format!("Illegal move: {bad}")]);
    }
    for bad in ["x", "8/8/8/8/8/8/8/8 w - - 0 1", "4k3/8/8/8/8/8/8/8 w - - 0 1", ""] {
        let lines = reaction(&mut engine, &format!("setboard {bad}"));
        assert!(lines.len() == 1 && lines[0].starts_with("tellusererror Illegal position"), "{lines:?}");
    }
    assert_eq!(shown(&mut engine), before);
    assert!(reaction(&mut engine, "undo").is_empty());
    for command in ["undo", "remove"] {
        let lines = reaction(&mut engine, command);
        assert!(lines.len() == 1 && lines[0].starts_with("Error ("), "{lines:?}");
    }
    // A move in SAN, and two taken back at once.
    assert!(reaction(&mut engine, "usermove e4\nusermove Nd7\nremove").is_empty());
    assert!(shown(&mut engine).iter().any(|line| line.contains(START)));
    engine.quit();
}

#[test]
fn the_side_on_move_is_played() {
    let mut engine = xboard();
    let fen = "rnbqkbnr/8/pppppppp/8/4P3/PPPP1PPP/8/RNBQKBNR b - - 0 1";
    engine.send(&format!("new\nvariant asean\nforce\nsetboard {fen}\nsd 3\ngo"));
    let (reply, _) = engine_move(&engine);
    assert!(is_legal(fen, &reply), "{reply}");
    // In force mode it only looks on; `playother` lets it answer the next move.
    engine.send("new\nforce\nsd 3\nusermove e3e4");
    assert!(reaction(&mut engine, "").is_empty());
    engine.send("playother\nusermove e6e5");
    let (reply, _) = engine_move(&engine);
    assert!(game(START, &["e3e4", "e6e5"]).position().parse_uci(&reply).is_ok());
    engine.quit();
}

#[test]
fn scores_have_the_forms_of_the_protocol() {
    let mut engine = xboard();
    // With a clock a forced move is made at once; with a time for each move it is looked at.
    engine.send("new\npost\nst 5\nsd 8");
    for (fen, score) in [(M1, 100_001), (M2, 100_002), (LOSE2, -100_002), (LOSE3, -100_003), (KK, 0)] {
        engine.send(&format!("force\nsetboard {fen}\ngo"));
        let (best, lines) = engine_move(&engine);
        let thoughts = thoughts(&lines);
        let (_, told, moves) = thoughts.last().expect("a thought");
        assert_eq!((*told, &moves[0]), (score, &best), "{fen}: {lines:?}");
    }
    engine.send("nopost\nforce\nnew\ngo");
    let (_, lines) = engine_move(&engine);
    assert!(thoughts(&lines).is_empty());
    engine.quit();
}

#[test]
fn ends_of_a_game_are_told() {
    let mut engine = xboard();
    engine.send(&format!("new\nsd 4\nforce\nsetboard {M1}\ngo"));
    engine_move(&engine);
    engine.until_within("1-0 {White mates}", PROMPT);
    // Nothing more is played, and nothing is told twice.
    assert!(reaction(&mut engine, "").is_empty());
    for (fen, result) in [(MATED, "1-0 {White mates}"), (STALE, "1/2-1/2 {Stalemate}")] {
        let lines = reaction(&mut engine, &format!("force\nsetboard {fen}\ngo"));
        assert_eq!(lines, [result], "{fen}");
    }
    // `result` ends thinking without a move.
    engine.send("new\nst 100\ngo\nresult * {enough}");
    assert!(reaction(&mut engine, "").is_empty());
    assert!(reaction(&mut engine, "usermove e3e4").is_empty());
    engine.quit();
}

#[test]
fn draws_are_offered_and_taken_where_the_rules_allow() {
    let mut engine = xboard();
    // Bare kings: nothing is better than a draw.
    engine.send(&format!("new\nsd 8\nforce\nsetboard {KK}\ngo"));
    let (_, lines) = engine_move(&engine);
    assert!(lines.contains(&"offer draw".to_string()), "{lines:?}");
    assert_eq!(reaction(&mut engine, "draw"), ["offer draw"]);
    // The fiftieth move of both has been made.
    engine.send("force\nsetboard 4k3/8/8/8/8/8/8/RR2K3 b - - 100 80");
    assert_eq!(reaction(&mut engine, "draw"), ["offer draw"]);
    // A winner takes no draw.
    engine.send("force\nsetboard 4k3/3p4/8/8/8/8/8/RR2K3 w - - 0 1\ngo");
    engine_move(&engine);
    assert!(reaction(&mut engine, "draw").is_empty());
    engine.quit();
}

#[test]
fn times_of_all_kinds_are_kept() {
    let mut engine = xboard();
    engine.send("new\npost");
    let spent = |engine: &mut Engine, lines: &str| {
        let start = Instant::now();
        engine.send(&format!("force\nnew\n{lines}\ngo"));
        engine_move(engine);
        start.elapsed()
    };
    // Seconds, not centiseconds nor milliseconds; what is to be quick may be late on a busy machine.
    let time = spent(&mut engine, "st 1");
    assert!((Duration::from_millis(700)..Duration::from_secs(4)).contains(&time), "{time:?}");
    for quick in [
        "level 0 0:02 0",
        "level 40 0:10 0",
        "level 0 5 3\nst 0.2",
        "st 9\nlevel 0 0:01 0.01",
        "st 100\nsd 2",
    ] {
        let time = spent(&mut engine, quick);
        assert!(time < Duration::from_secs(3), "{quick}: {time:?}");
    }
    // What the client says is left counts: here 0.2 s, and 20 minutes for the other side.
    let time = spent(&mut engine, "level 0 20 0\ntime 20\notim 120000");
    assert!(time < PROMPT, "{time:?}");
    // Time by nodes: a second is a thousand of them.
    engine.send("force\nnew\nst 1\nnps 1000\ngo");
    let (_, lines) = engine_move(&engine);
    assert!(
        lines
            .iter()
            .all(|line| line.split(' ').nth(3).is_none_or(|nodes| nodes.parse().unwrap_or(0) <= 1000))
    );
    engine.quit();
}

#[test]
fn pings_wait_for_the_move_and_for_nothing_else() {
    let mut engine = xboard();
    engine.send("new\nst 0.3\ngo\nping 7\ngo\nping 8");
    let lines = engine.until("pong 8");
    let place = |text: &str| lines.iter().position(|line| line.starts_with(text)).expect("told");
    assert!(place("move ") < place("pong 7") && place("pong 7") < place("pong 8"), "{lines:?}");
    // `?` ends the thinking with a move.
    engine.send("force\nnew\nst 1000\ngo\nping 9\n?");
    engine.until_within("move ", PROMPT);
    engine.until_within("pong 9", PROMPT);
    // While it analyses, at once.
    engine.send("analyze\nping 10");
    engine.until_within("pong 10", PROMPT);
    engine.send("exit");
    // A move that is taken back before it was made is not made.
    engine.send("new\nst 1000\ngo\nping 11\nforce");
    let lines = engine.until_within("pong 11", PROMPT);
    assert!(!lines.iter().any(|line| line.starts_with("move")), "{lines:?}");
    engine.quit();
}

#[test]
fn it_thinks_on_the_opponents_time_if_told_so() {
    let mut engine = xboard();
    engine.send("new\nlevel 0 0:10 0.2\nhard\npost\ngo");
    let (first, _) = engine_move(&engine);
    // Thoughts come while the opponent is on move.
    engine.send("ping 1");
    let lines = engine.until("pong 1");
    let expected = loop {
        let line = engine.next_line(PATIENCE).expect("a thought");
        if let Some((_, _, moves)) = thoughts(&[line]).pop() {
            break moves;
        }
    };
    assert!(lines.len() < 100);
    // The line that it thinks about begins after a legal reply, which need not be ours.
    let mut game = game(START, &[&first]);
    let reply = game
        .position()
        .legal_moves()
        .iter()
        .map(|mv| mv.to_string())
        .find(|reply| {
            let mut next = game.clone();
            play(&mut next, reply);
            next.position().parse_uci(&expected[0]).is_ok()
        })
        .expect("a reply");
    engine.send(&format!("usermove {reply}"));
    play(&mut game, &reply);
    let (answer, _) = engine_move(&engine);
    play(&mut game, &answer);
    engine.send("hint");
    let hint = engine.until("Hint: ").pop().expect("a line");
    assert!(game.position().parse_uci(&hint["Hint: ".len()..]).is_ok(), "{hint}");
    // Pondering can be ended at any time.
    engine.send("easy\nping 2");
    engine.until("pong 2");
    assert!(engine.listen(Duration::from_millis(300)).is_empty());
    engine.quit();
}

#[test]
fn analysis_follows_the_board() {
    let mut engine = xboard();
    engine.send("new\npost\nanalyze");
    let next = |engine: &Engine, moves: &[&str]| {
        let end = Instant::now() + PATIENCE;
        loop {
            let line = engine.next_line(end.saturating_duration_since(Instant::now())).expect("a thought");
            if let Some((_, _, line)) = thoughts(&[line]).pop() {
                let root = game(START, moves);
                if root.position().parse_uci(&line[0]).is_ok() {
                    return;
                }
            }
        }
    };
    next(&engine, &[]);
    engine.send("usermove b1d2");
    next(&engine, &["b1d2"]);
    engine.send("undo");
    next(&engine, &[]);
    engine.send(".");
    let status = engine.until("stat01: ").pop().expect("a line");
    assert!(status.split(' ').count() >= 6, "{status}");
    // It never moves by itself, even in a position without moves.
    engine.send(&format!("setboard {MATED}\nsetboard {M1}"));
    assert!(!engine.listen(Duration::from_millis(300)).iter().any(|line| line.starts_with("move")));
    engine.send("option MultiPV=2\nhint\nexit\nnew\nsd 3\ngo");
    engine_move(&engine);
    engine.quit();
}

#[test]
fn the_end_of_input_ends_it() {
    for lines in ["new\nst 0.5\nhard\ngo", "analyze", "new\nsd 4\nhard\ngo"] {
        let mut engine = xboard();
        engine.send(lines);
        engine.close_stdin();
        if lines.ends_with("go") {
            engine.until("move ");
        }
        let (status, stderr) = engine.end(PATIENCE);
        assert!(status.success() && stderr.is_empty(), "{lines}: {status} {stderr}");
    }
}
