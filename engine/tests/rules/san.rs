//! Algebraic notation.

use makara_engine::notation::SanError;
use serde_json::Value;

use crate::position;

#[test]
fn every_move_of_the_reference() {
    let mut checked = 0;
    for line in include_str!("../../../tests/data/san.jsonl").lines() {
        let record: Value = serde_json::from_str(line).expect("JSON");
        let position = position(record["fen"].as_str().expect("a FEN"));
        let moves = record["moves"].as_object().expect("moves");
        assert_eq!(position.legal_moves().len(), moves.len(), "{position}");
        for (uci, san) in moves {
            let (mv, san) = (position.parse_uci(uci).expect(uci), san.as_str().expect("SAN"));
            assert_eq!(position.san(mv).to_string(), san, "{position} {uci}");
            assert_eq!(position.parse_san(san), Ok(mv), "{position} {san}");
            checked += 1;
        }
    }
    assert!(checked > 6000, "only {checked} moves");
}

#[test]
fn lenient_reading() {
    let promotion = "1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1";
    let rooks = "4k3/8/8/8/3R4/8/8/R2RK3 w - - 0 1";
    for (fen, text, uci) in [
        (promotion, "a8=R", "a7a8r"),
        (promotion, "a8R", "a7a8r"),
        (promotion, "a8=n", "a7a8n"),
        (promotion, "a8q", "a7a8q"),
        (promotion, "a7a8b", "a7a8b"),
        (promotion, "axb8=R", "a7b8r"),
        (promotion, "axb8=R+", "a7b8r"),
        (promotion, "ab8R#!?", "a7b8r"),
        (promotion, "a7-a8=R", "a7a8r"),
        (rooks, "Rd4d5", "d4d5"),
        (rooks, "Rd4-d5!!", "d4d5"),
        (rooks, "Rdd5", "d4d5"),
        (rooks, "R4d5", "d4d5"),
        (rooks, "Rxd5", "d4d5"),
        (rooks, "Rd5+", "d4d5"),
        (rooks, "R1d2", "d1d2"),
        (rooks, "Ke2?!", "e1e2"),
        ("4k3/8/2p5/3P4/8/8/8/4K3 w - - 0 1", "dxc6", "d5c6"),
        ("4k3/8/2p5/3P4/8/8/8/4K3 w - - 0 1", "dc6", "d5c6"),
    ] {
        let position = position(fen);
        assert_eq!(position.parse_san(text).map(|mv| mv.to_string()), Ok(uci.into()), "{text}");
    }
}

#[test]
fn refused_texts() {
    let rooks = position("4k3/8/8/8/3R4/8/P6p/R2RK3 w - - 0 1");
    for text in [
        "", "+", "O-O", "0-0", "0-0-0", "O-O-O", "--", "R", "Rd", "Rd9", "Ri1", "d", "4", "rd5", "Xd5",
        "Rdxxd5", "R44d5", "Rd4d5d6", "a3=", "a3=X", "Rđ5", "♖d5", "a3 ", " a3", "N", "=R", "R=", "é3",
        "+a3", "Rd5++ ",
    ] {
        assert_eq!(rooks.parse_san(text), Err(SanError::Syntax(text.into())));
    }
    for text in ["Rd9", "a9"] {
        let error = rooks.parse_san(text).expect_err(text);
        assert_eq!(error.to_string(), format!("unreadable move: {text:?}"));
    }
    for text in ["Nd5", "a4", "Rh8", "a3=R", "Ke8", "h1=R", "Pa3x", "Rb4b5", "bxa3", "Kd1"] {
        let error = rooks.parse_san(text).expect_err(text);
        assert!(matches!(error, SanError::Illegal(_) | SanError::Syntax(_)), "{text}: {error}");
    }
    assert_eq!(rooks.parse_san("Rd2"), Err(SanError::Ambiguous("Rd2".into())));
    assert_eq!(rooks.parse_san("Rdd2"), Err(SanError::Ambiguous("Rdd2".into())));
    assert_eq!(rooks.parse_san("Rb4").map(|mv| mv.to_string()), Ok("d4b4".into()));
    // A promotion without its man fits no move: the pawn must say what it becomes.
    let promotion = position("4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
    assert_eq!(promotion.parse_san("a8"), Err(SanError::Illegal("a8".into())));
}

/// A rook that is pinned is no rival, so its move needs no telling apart.
#[test]
fn only_legal_rivals_are_told_apart() {
    let position = position("4r2k/8/8/8/8/4N3/8/1N2K3 w - - 0 1");
    let mv = position.parse_uci("b1d2").expect("legal");
    assert_eq!(position.san(mv).to_string(), "Nd2");
    let free = crate::position("7k/8/8/8/8/5N2/8/1N2K3 w - - 0 1");
    assert_eq!(free.san(free.parse_uci("b1d2").expect("legal")).to_string(), "Nbd2");
}
