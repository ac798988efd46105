//! Positions and moves as clients send them, counts, ends of the game, lines of play.
//! The ids in the comments are those of the project's list of client cases.

mod harness;

use std::time::Instant;

use harness::*;

/// Sends a `position` that must be refused with one message, which is given; the position before stays.
fn refused(engine: &mut Engine, position: &str) -> String {
    let before = engine.fen();
    engine.send(&format!("position {position}"));
    let said = engine.ready();
    assert_eq!(messages(&said).len(), 1, "{position}: {said:?}");
    assert_eq!(engine.fen(), before, "{position}");
    said[0].clone()
}

/// Sends a `position` that must be taken without a word and gives the FEN that the engine shows.
fn taken(engine: &mut Engine, position: &str) -> String {
    engine.send(&format!("position {position}"));
    let said = engine.ready();
    assert!(said.is_empty(), "{position}: {said:?}");
    engine.fen()
}

/// C23, C28, R20: moves that are not legal are named with their number.
#[test]
fn illegal_moves() {
    let mut engine = Engine::with("position startpos moves e3e4 e6e5");
    for (moves, number, text) in [
        ("e3e5", 1, "e3e5"),
        ("c1h6", 1, "c1h6"),
        ("d1d2", 1, "d1d2"),
        ("e1g1", 1, "e1g1"),
        ("e6e5", 1, "e6e5"),
        ("0000", 1, "0000"),
        ("e3e4 0000", 2, "0000"),
        ("e3e4   e6e5 e4e5 h3h4", 3, "e4e5"),
        ("e3e4 e6e5 e4d5", 3, "e4d5"),
        ("e3e4 xyz", 2, "xyz"),
        ("e3e4 e9e8", 2, "e9e8"),
        ("e3e4q", 1, "e3e4q"),
        ("e3", 1, "e3"),
        ("è3e4", 1, "è3e4"),
        ("e3e4 (none)", 2, "(none)"),
    ] {
        let message = refused(&mut engine, &format!("startpos moves {moves}"));
        assert!(message.contains(text) && message.contains(&format!("move {number} ")), "{moves}: {message}");
    }
    check_answer(START, &["e3e4", "e6e5"], &engine.go("go depth 4"));
    engine.quit();
}

/// R20: blanks and tabs.
#[test]
fn blanks_between_moves() {
    let mut engine = Engine::start();
    let fen = "rnbqkbnr/8/pppp1ppp/4p3/4P3/PPPP1PPP/8/RNBQKBNR w - - 0 2";
    for position in ["startpos moves e3e4   e6e5", "\tstartpos \tmoves\te3e4\t\te6e5  "] {
        assert_eq!(taken(&mut engine, position), fen, "{position:?}");
    }
    engine.quit();
}

/// C27, R61: letters of promotion.
#[test]
fn promotions() {
    let mut engine = Engine::start();
    for (suffixes, placed) in [(["r", "R"], 'R'), (["n", "N"], 'N'), (["b", "B"], 'B'), (["q", "Q"], 'Q')] {
        for suffix in suffixes {
            let fen = taken(&mut engine, &format!("fen {PROMOTION} moves a7a8{suffix}"));
            assert!(fen.starts_with(placed), "{suffix}: {fen}");
        }
    }
    for suffix in ["", "m", "s", "k", "p", "=R", "+"] {
        refused(&mut engine, &format!("fen {PROMOTION} moves a7a8{suffix}"));
    }
    engine.send(&format!("position fen {PROMOTION}"));
    let moves = engine.shown("Moves");
    for text in ["a7a8r", "a7a8n", "a7a8b", "a7a8q"] {
        assert!(moves.split(' ').any(|word| word == text), "{moves}");
    }
    let answer = engine.search(PROMOTION, "go depth 8");
    check_answer(PROMOTION, &[], &answer);
    assert!(answer.best.chars().all(|letter| !letter.is_uppercase()));
    engine.quit();
}

/// C24, R17: what is no position is refused with the reason, whatever it is.
#[test]
fn bad_fens() {
    let mut engine = Engine::with("position startpos moves e3e4");
    for line in include_str!("data/fen_invalid.tsv").lines() {
        let (fen, _) = line.split_once('\t').expect("FEN and cause");
        let message = refused(&mut engine, &format!("fen {fen}"));
        assert!(message.contains("FEN") || message.contains("expected"), "{line}: {message}");
    }
    for fen in [
        "4k3/8/8/8/8/8/8/8 w - - 0 1",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "4k3/8/8/8/8/8/8/K3K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - -1 1",
        "4k3/8/8/8/8/8/8/4K3 w - - 99999999999999999999 1",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 99999999999999999999",
        "4k3/8/8/8/8/8/8/4K3 w - 31 0 1",
        "8/8/8/8/8/8/8/8/8/8/8/8/8/8/8/8 w",
        "kkkkkkkkkkkkkkkkkkkk",
        "é/8/8/8/8/8/8/8 w - - 0 1",
    ] {
        refused(&mut engine, &format!("fen {fen}"));
        // Moves behind a bad FEN are not played on the old board.
        refused(&mut engine, &format!("fen {fen} moves e6e5"));
    }
    check_answer(START, &["e3e4"], &engine.go("go depth 3"));
    engine.quit();
}

/// C29, R19: short FENs, with and without the word `moves`.
#[test]
fn short_fens() {
    let mut engine = Engine::start();
    let fields: Vec<&str> = START.split(' ').collect();
    let after = "rnbqkbnr/8/pppppppp/8/4P3/PPPP1PPP/8/RNBQKBNR b - - 0 1";
    for count in [2, 3, 4, 5, 6] {
        let fen = fields[..count].join(" ");
        assert_eq!(taken(&mut engine, &format!("fen {fen}")), START, "{fen}");
        assert_eq!(taken(&mut engine, &format!("fen {fen} moves")), START, "{fen}");
        assert_eq!(taken(&mut engine, &format!("fen {fen} moves e3e4")), after, "{fen}");
    }
    assert_eq!(taken(&mut engine, "startpos moves"), START);
    engine.quit();
}

/// C29, R54: the counting fields.
#[test]
fn counting_fields() {
    let mut engine = Engine::start();
    for (fields, shown) in [
        ("w - 32 30 60", "w - 32 30 60"),
        ("b - 32 31 60", "b - 32 31 60"),
        ("w - 32 0 60", "w - 32 0 60"),
        ("w - 0 0 1", "w - - 0 1"),
        ("w - - 30 60", "w - - 30 60"),
        ("w", "w - - 0 1"),
    ] {
        let placement = "8/8/4k3/8/8/4K3/8/R7";
        let fen = taken(&mut engine, &format!("fen {placement} {fields}"));
        assert_eq!(fen, format!("{placement} {shown}"), "{fields}");
        assert_eq!(taken(&mut engine, &format!("fen {fen}")), fen);
        check_answer(&fen, &[], &engine.go("go depth 8"));
    }
    engine.quit();
}

/// E34, E35, R50: when a count starts, and at what.
#[test]
fn counts_start() {
    let mut engine = Engine::start();
    for (position, fen) in [
        ("8/1k6/8/4n3/8/2K5/8/4R3 w - - 0 1 moves e1e5", "8/1k6/8/4R3/8/2K5/8/8 b - 32 0 1"),
        ("8/1k6/8/4n3/8/2K5/8/4R3 w - - 0 1 moves e1e5 b7c6", "8/8/2k5/4R3/8/2K5/8/8 w - 32 1 2"),
        ("4k3/8/8/8/8/P7/8/R3K3 w - - 0 1 moves a1b1", "4k3/8/8/8/8/P7/8/1R2K3 b - - 1 1"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1 moves a7a8b", "B3k3/8/8/8/8/8/8/4K3 b - 88 0 1"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1 moves a7a8n", "N3k3/8/8/8/8/8/8/4K3 b - 128 0 1"),
        ("8/8/8/8/8/2k5/1R6/4K2N b - 32 4 1 moves c3b2", "8/8/8/8/8/8/1k6/4K2N w - 32 5 2"),
    ] {
        assert_eq!(taken(&mut engine, &format!("fen {position}")), fen, "{position}");
    }
    engine.quit();
}

/// E36: what is dead and what is not.
#[test]
fn dead_or_alive() {
    let mut engine = Engine::start();
    for (placement, dead) in [
        ("8/8/4k3/8/8/4K3/8/8", true),
        ("8/8/4k3/8/8/4K3/8/N7", true),
        ("8/8/4k3/8/8/4K3/8/Q7", true),
        ("8/8/4k3/8/8/4K3/8/B7", false),
        ("8/8/4k3/8/4q3/8/4N3/4K3", false),
        ("8/8/4k3/8/4p3/8/4N3/4K3", false),
        ("8/8/4k3/4b3/8/8/4Q3/4K3", false),
        ("8/8/4k3/8/8/4K3/8/QQ6", false),
        ("8/8/4k3/8/8/4K3/8/NN6", false),
    ] {
        taken(&mut engine, &format!("fen {placement} w - - 0 1"));
        assert_eq!(engine.shown("Outcome") != "none", dead, "{placement}");
    }
    engine.quit();
}

/// R57, and all counting in games: a game from its start, or from any position on the way with its counting
/// fields, comes to the same position.
#[test]
fn games_from_anywhere() {
    let mut engine = Engine::start();
    for line in include_str!("data/games.jsonl").lines() {
        let game: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let texts = |name: &str| -> Vec<String> {
            let list = game[name].as_array().expect("a list").iter();
            list.map(|text| text.as_str().expect("text").to_string()).collect()
        };
        let start = game["start_fen"].as_str().expect("a FEN");
        let (moves, fens) = (texts("moves"), texts("fens"));
        let Some(last) = fens.last() else { continue };
        assert_eq!(&taken(&mut engine, &format!("fen {start} moves {}", moves.join(" "))), last);
        let half = moves.len() / 2;
        assert_eq!(
            &taken(&mut engine, &format!("fen {} moves {}", fens[half], moves[half + 1..].join(" "))),
            last
        );
    }
    engine.quit();
}

/// R57: a late FEN without a count counts afresh from the bare king's next turn.
#[test]
fn a_late_fen_without_a_count() {
    let mut engine = Engine::start();
    let fen = taken(&mut engine, "fen 8/1k6/8/4R3/8/2K5/8/8 b - - 7 20 moves b7c6");
    assert_eq!(fen, "8/8/2k5/4R3/8/2K5/8/8 w - - 8 21");
    let fen = taken(&mut engine, &format!("fen {fen} moves e5e4"));
    assert_eq!(fen, "8/8/2k5/8/4R3/2K5/8/8 b - 32 0 21");
    engine.quit();
}

/// C25: where the game could be or is drawn already, a move is still found.
#[test]
fn roots_that_are_drawn() {
    let mut engine = Engine::start();
    let dance = ["b1d2", "b8d7", "d2b1", "d7b8", "b1d2", "b8d7", "d2b1", "d7b8"];
    let answer = engine.go(&format!("position startpos moves {}\ngo depth 8", dance.join(" ")));
    check_answer(START, &dance, &answer);
    for fen in [
        "8/8/4k3/8/8/4K3/8/R7 w - 32 33 60",
        "8/8/4k3/8/8/4K3/8/R7 b - 32 33 60",
        "8/8/4k3/8/8/4K3/8/R7 w - 32 32 60",
        "4k3/4p3/8/8/8/8/4P3/R3K3 w - - 100 80",
        "4k3/4p3/8/8/8/8/4P3/R3K3 b - - 150 80",
        KK,
    ] {
        for go in ["go depth 8", "go movetime 20", "go nodes 1", "go infinite\nstop"] {
            check_answer(fen, &[], &engine.search(fen, go));
        }
    }
    // The last move of the count cannot mate: the best line is a draw.
    let answer = engine.search("8/8/4k3/8/8/4K3/8/R7 w - 32 31 60", "go depth 8");
    assert_eq!(answer.score(), "cp 0", "{answer:?}");
    engine.quit();
}

/// C26, R39: lines of play end where the game does.
#[test]
fn lines_end_with_the_game() {
    let mut engine = Engine::start();
    let dance = ["b1d2", "b8d7", "d2b1", "d7b8", "b1d2", "b8d7", "d2b1"];
    let answer = engine.go(&format!("position startpos moves {}\ngo depth 12", dance.join(" ")));
    check_answer(START, &dance, &answer);
    for fen in [
        "8/8/4k3/8/8/4K3/8/R7 w - 32 28 60",
        "8/8/4k3/8/8/4K3/8/R7 b - 32 29 60",
        "4k3/8/8/8/8/8/8/R3K2R w - 32 26 60",
        "4k3/4p3/8/8/8/8/4P3/R3K3 w - - 96 80",
        "8/8/4k3/8/8/3BKQ2/8/8 w - - 95 80",
        "8/8/3qk3/8/8/3NK3/8/8 w - - 0 1",
        M2,
        LOSE2,
        PROMOTION,
    ] {
        for go in
            ["go depth 12", "setoption name MultiPV value 4\ngo depth 8\nsetoption name MultiPV value 1"]
        {
            check_answer(fen, &[], &engine.search(fen, go));
        }
    }
    engine.quit();
}

/// R39: the same over whole games, the engine against itself from endings with counts to come.
#[test]
fn lines_in_whole_games() {
    let mut engine = Engine::with("setoption name Hash value 4");
    for fen in [
        "8/8/4k3/8/8/3BKQ2/8/8 w - - 0 1",
        "4k3/p7/8/8/8/8/P7/R3K3 w - - 0 1",
        "8/8/3nk3/8/3R4/4K3/8/8 w - - 0 1",
        "r3k3/4pp2/8/8/8/8/4PP2/R3K3 w - - 0 1",
    ] {
        let mut moves: Vec<String> = Vec::new();
        let mut now = game(fen, &[]);
        engine.send("ucinewgame");
        while now.outcome().is_none() && now.claim().is_none() && moves.len() < 120 {
            let answer = engine.go(&format!("position fen {fen} moves {}\ngo nodes 3000", moves.join(" ")));
            let texts: Vec<&str> = moves.iter().map(String::as_str).collect();
            check_answer(fen, &texts, &answer);
            play(&mut now, &answer.best);
            moves.push(answer.best);
        }
    }
    engine.quit();
}

/// R26: very long games.
#[test]
fn long_games() {
    let mut engine = Engine::start();
    for plies in [1200, 6000, 20_000] {
        let moves = "a1a2 a8a7 a2a1 a7a8 ".repeat(plies / 4);
        let start = Instant::now();
        let answer = engine.go(&format!("position startpos moves {moves}\ngo depth 6"));
        check_answer(
            START,
            &[],
            &Answer { lines: answer.lines[answer.lines.len() - 2..].to_vec(), ..answer },
        );
        let answer = engine.go("go wtime 2000 btime 2000");
        assert!(is_legal(START, &answer.best), "{plies}");
        assert!(start.elapsed() < 4 * PROMPT, "{plies}: {:?}", start.elapsed());
    }
    for number in [300, 9999] {
        let fen = format!("rnbqkbnr/8/pppppppp/8/8/PPPPPPPP/8/RNBQKBNR w - - 0 {number}");
        assert_eq!(taken(&mut engine, &format!("fen {fen}")), fen);
        check_answer(&fen, &[], &engine.go("go wtime 500 btime 500"));
    }
    engine.quit();
}

/// R62: the khon's straight step is forward for its owner.
#[test]
fn khons_of_both_sides() {
    let mut engine = Engine::start();
    for side in ["w", "b"] {
        for (depth, nodes) in [(1, 10), (2, 95), (3, 999)] {
            engine.send(&format!("position fen 4k3/8/8/3b4/3B4/8/8/4K3 {side} - - 0 1\nperft {depth}"));
            assert_eq!(*engine.until("Nodes").last().expect("a total"), format!("Nodes searched: {nodes}"));
        }
    }
    let moves = |engine: &mut Engine, fen: &str, from: &str| {
        engine.send(&format!("position fen {fen}"));
        let all = engine.shown("Moves");
        all.split(' ').filter_map(|text| text.strip_prefix(from)).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(moves(&mut engine, "4k3/8/8/8/3B4/8/8/4K3 w - - 0 1", "d4"), "c3 c5 d5 e3 e5");
    assert_eq!(moves(&mut engine, "4k3/8/8/3b4/8/8/8/4K3 b - - 0 1", "d5"), "c4 c6 d4 e4 e6");
    // Checks from below for White's, from above for Black's.
    for (fen, checker) in [
        ("8/8/8/3k4/3B4/8/8/4K3 b - - 0 1", "d4"),
        ("8/8/8/3B4/3k4/8/8/4K3 b - - 0 1", ""),
        ("4k3/8/8/3b4/3K4/8/8/8 w - - 0 1", "d5"),
        ("4k3/8/8/3K4/3b4/8/8/8 w - - 0 1", ""),
    ] {
        engine.send(&format!("position fen {fen}"));
        assert_eq!(engine.shown("Checkers"), checker, "{fen}");
    }
    engine.quit();
}
