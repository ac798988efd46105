//! The USI protocol, as a client sees it.

mod harness;

use std::time::{Duration, Instant};

use harness::*;
use makara_engine::{Position, PromotionRule};

fn usi() -> Engine {
    let engine = Engine::with("usi");
    engine.until("usiok");
    engine
}

fn sfen(fen: &str) -> String {
    Position::from_fen(fen, PromotionRule::Any).expect("a good FEN").to_sfen()
}

#[test]
fn it_names_itself_and_its_options_without_blanks() {
    let mut engine = Engine::with("usi");
    let lines = engine.until_within("usiok", PROMPT);
    assert!(lines[0].starts_with("id name Makara "), "{lines:?}");
    let options: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("option name ")).collect();
    for option in &options {
        assert_eq!(option.split(' ').nth(1), Some("type"), "{option}");
    }
    for name in ["USI_Hash", "USI_Ponder", "USI_Variant", "USI_MultiPV", "Move_Overhead", "Threads"] {
        assert!(options.iter().any(|option| option.starts_with(&format!("{name} "))), "{name}: {options:?}");
    }
    // Both spellings are taken, and nothing is told of what went well.
    engine.send("setoption name USI_Hash value 8\nsetoption name Hash value 8\nsetoption name USI_Variant value asean");
    engine.send("setoption name Move_Overhead value 20\nsetoption name Move Overhead value 20\nusinewgame");
    assert!(engine.ready().is_empty());
    engine.send("setoption name USI_Variant value shogi");
    assert_eq!(messages(&engine.ready()).len(), 1);
    engine.quit();
}

#[test]
fn positions_and_moves_are_those_of_shogi() {
    let mut engine = usi();
    engine.send("position startpos moves 1f1e 8c8d");
    assert_eq!(engine.fen(), "rnbqkbnr/8/1ppppppp/p7/7P/PPPPPPP1/8/RNBQKBNR w - - 0 2");
    engine.send("position sfen rnbqkbnr/8/pppppppp/8/7P/PPPPPPP1/8/RNBQKBNR w - 2 moves 8c8d");
    assert_eq!(engine.fen(), "rnbqkbnr/8/1ppppppp/p7/7P/PPPPPPP1/8/RNBQKBNR w - - 0 2");
    // A promotion keeps the letter of its man.
    engine.send(&format!("position sfen {} moves 8b8ar", sfen(PROMOTION)));
    assert!(engine.fen().starts_with("R7/"));
    // What is bad leaves all as it was.
    let before = engine.fen();
    for bad in [
        "position startpos moves e3e4",
        "position startpos moves 1f1e 1f1e",
        "position sfen 8/8/8/8/8/8/8/8 b - 1",
        "position sfen x b - 1",
        "position fen 4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
        "position",
    ] {
        engine.send(bad);
        assert_eq!(messages(&engine.ready()).len(), 1, "{bad}");
        assert_eq!(engine.fen(), before, "{bad}");
    }
    engine.quit();
}

#[test]
fn moves_are_told_in_the_same_notation() {
    let mut engine = usi();
    let answer = engine.go(&format!("position sfen {}\ngo depth 4", sfen(M1)));
    assert_eq!((answer.best.as_str(), answer.score().as_str()), ("8h8a", "mate 1"));
    assert_eq!(pv(answer.last()), ["8h8a"]);
    let answer = engine.go("position startpos moves 7f7e\ngo depth 5");
    let position = game(START, &["b3b4"]);
    let best = position.position().parse_usi(&answer.best).expect("legal");
    let reply = position.position().after(best);
    assert!(reply.parse_usi(answer.ponder.as_deref().expect("a reply")).is_ok());
    engine.quit();
}

#[test]
fn the_first_mover_is_black_and_has_its_clock() {
    let mut engine = usi();
    // Black, who moves first, has all the time there is; then it is White who has none.
    let quick = engine.go("position startpos moves 7f7e\ngo btime 600000 wtime 10 byoyomi 0");
    assert!(quick.time < PROMPT, "{:?}", quick.time);
    let quick = engine.go("position startpos\ngo btime 10 wtime 600000");
    assert!(quick.time < PROMPT, "{:?}", quick.time);
    for (go, least, most) in [
        ("go byoyomi 600", 500, 600),
        ("go btime 0 wtime 0 byoyomi 600", 500, 600),
        ("go btime 0 wtime 0 byoyomi 100", 50, 100),
        ("go btime 0 wtime 0 binc 200 winc 200", 0, 200),
    ] {
        for moves in ["", " moves 7f7e"] {
            let answer = engine.go(&format!("position startpos{moves}\n{go}"));
            let millis = answer.number("time");
            // The upper end is what the engine itself counts: the machine may be late with the rest.
            assert!((least..=most).contains(&millis), "{go}{moves}: {millis}");
        }
    }
    engine.quit();
}

#[test]
fn a_search_for_a_mate_answers_by_its_own_word() {
    let mut engine = usi();
    engine.send(&format!("position sfen {}\ngo mate infinite", sfen(M2)));
    let line = engine.until("checkmate").pop().expect("a line");
    let mut game = game(M2, &[]);
    let moves: Vec<&str> = line.split(' ').skip(1).collect();
    for text in &moves {
        let mv = game.position().parse_usi(text).expect("legal");
        game.play(mv).expect("legal");
    }
    assert_eq!(moves.len(), 3, "{line}");
    assert!(game.outcome().is_some_and(|outcome| outcome.winner().is_some()), "{line}");
    engine.send(&format!("position sfen {}\ngo mate 100", sfen(KK)));
    assert_eq!(engine.until("checkmate").pop().as_deref(), Some("checkmate timeout"));
    engine.send("position startpos\ngo mate infinite\nstop");
    assert_eq!(engine.until("checkmate").pop().as_deref(), Some("checkmate timeout"));
    engine.send(&format!("position sfen {}\ngo mate 1000", sfen(MATED)));
    assert_eq!(engine.until("checkmate").pop().as_deref(), Some("checkmate nomate"));
    // And the next search is an ordinary one.
    assert_eq!(engine.go(&format!("position sfen {}\ngo depth 2", sfen(M1))).best, "8h8a");
    engine.quit();
}

#[test]
fn who_is_mated_resigns_and_nobody_else() {
    let mut engine = usi();
    let answer = engine.go(&format!("position sfen {}\ngo depth 3", sfen(MATED)));
    assert_eq!((answer.best.as_str(), answer.score().as_str()), ("resign", "mate 0"));
    let answer = engine.go(&format!("position sfen {}\ngo depth 3", sfen(STALE)));
    assert_ne!(answer.best, "resign");
    let answer = engine.go(&format!("position sfen {}\ngo depth 6", sfen(LOSE2)));
    assert_ne!(answer.best, "resign");
    engine.quit();
}

#[test]
fn every_search_answers_once() {
    let mut engine = usi();
    engine.send("position startpos\ngo infinite\nisready");
    engine.until("readyok");
    engine.send("stop\nposition startpos\ngo byoyomi 100\nisready");
    engine.until("bestmove");
    engine.until("bestmove");
    // A new limit of lines takes hold between two searches.
    engine.send("go infinite\nstop\nsetoption name MultiPV value 3\nposition startpos\ngo depth 3");
    engine.until("bestmove");
    let lines = engine.until("bestmove");
    assert!(lines.iter().any(|line| field(line, "multipv") == Some("3")), "{lines:?}");
    engine.send("gameover win\ngo ponder btime 1000 wtime 1000\ngameover draw");
    engine.until("bestmove");
    engine.send("go searchmoves 8f8e depth 3");
    assert!(engine.until("bestmove").pop().expect("a line").starts_with("bestmove 8f8e"));
    assert_eq!(engine.listen(Duration::from_millis(200)), Vec::<String>::new());
    // Whatever ends a search, its answer is in this notation.
    for end in ["usinewgame", "ucinewgame", "setoption name Clear_Hash", "perft 1", "quit"] {
        engine.send("position startpos\ngo infinite");
        engine.send(end);
        if end == "quit" {
            break;
        }
        let best = engine.until("bestmove").pop().expect("a line");
        let word = best.split(' ').nth(1).expect("a move");
        assert!(game(START, &[]).position().parse_usi(word).is_ok(), "{end}: {best}");
    }
}

#[test]
fn the_end_of_input_and_a_change_of_protocol() {
    let start = Instant::now();
    let mut engine = usi();
    engine.send("position startpos\ngo infinite");
    engine.close_stdin();
    engine.until("bestmove");
    assert!(engine.end(PATIENCE).0.success());
    assert!(start.elapsed() < PATIENCE);
    // A search still answers in the protocol in which it was asked for.
    let mut engine = usi();
    engine.send("position startpos\ngo infinite\nuci");
    let best = engine.until("bestmove").pop().expect("a line");
    assert!(game(START, &[]).position().parse_usi(best.split(' ').nth(1).expect("a move")).is_ok(), "{best}");
    engine.until("uciok");
    let answer = engine.search(M1, "go depth 2");
    assert_eq!(answer.best, "a1a8");
    engine.quit();
}
