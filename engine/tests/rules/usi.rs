//! USI's coordinates and SFEN, with texts that Fairy-Stockfish wrote for the variant `asean`.

use makara_engine::notation::UsiMove;
use makara_engine::{Move, Position, PromotionRule, Square};

use crate::position;

fn sfen(text: &str) -> Position {
    Position::from_sfen(text, PromotionRule::Any).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn moves() {
    for (uci, usi) in [
        ("h3h4", "1f1e"),
        ("a6a5", "8c8d"),
        ("a7a8r", "8b8ar"),
        ("a7a8q", "8b8aq"),
        ("a1b1", "8h7h"),
        ("e1d2", "4h5g"),
    ] {
        let mv: Move = uci.parse().expect(uci);
        assert_eq!(mv.usi().to_string(), usi);
        assert_eq!(usi.parse(), Ok(UsiMove(mv)));
    }
    for from in Square::ALL {
        for mv in Square::ALL.into_iter().filter_map(|to| Move::new(from, to)) {
            assert_eq!(mv.usi().to_string().parse(), Ok(mv.usi()));
        }
    }
    for bad in [
        "", "1f", "1f1f", "9f1e", "0a1b", "1i1e", "a1b1", "1f1e+", "1f1ek", "1f1ep", "R*1e", "1f1err", "1f1é",
    ] {
        let error = bad.parse::<UsiMove>().expect_err(bad);
        assert_eq!(error.to_string(), format!("unreadable move: {bad:?}"));
    }
}

#[test]
fn moves_of_a_position() {
    let start = Position::default();
    assert_eq!(start.parse_usi("1f1e").map(|mv| mv.to_string()), Ok("h3h4".into()));
    assert_eq!(start.parse_usi("1f1d").map_err(|error| error.to_string()), Err("illegal move: 1f1d".into()));
    assert_eq!(
        start.parse_usi("h3h4").map_err(|error| error.to_string()),
        Err("unreadable move: \"h3h4\"".into())
    );
    let mut all: Vec<String> = position("4k3/P7/8/8/8/8/8/R3K3 w - - 0 1")
        .legal_moves()
        .iter()
        .map(|mv| mv.usi().to_string())
        .collect();
    all.sort();
    let expected = "4h3g 4h3h 4h4g 4h5g 4h5h 8b8ab 8b8an 8b8aq 8b8ar 8h5h 8h6h 8h7h 8h8c 8h8d 8h8e 8h8f 8h8g";
    assert_eq!(all.join(" "), expected);
}

/// Left: SFEN given to Fairy-Stockfish. Then the FEN and the SFEN that its `d` prints.
#[test]
fn positions() {
    const START: &str = "rnbqkbnr/8/pppppppp/8/8/PPPPPPPP/8/RNBQKBNR";
    const ROOK: &str = "4k3/8/8/8/8/8/8/R3K3";
    for (men, given, fen, written) in [
        (START, "b - 1", "w - - 0 1", "b - 1"),
        (START, "b - 5", "w - - 0 3", "b - 5"),
        (START, "w - 4", "b - - 0 2", "w - 4"),
        (ROOK, "w - 2", "b - - 0 1", "w - 2"),
        (ROOK, "b", "w - - 0 1", "b - 1"),
        (ROOK, "b -", "w - - 0 1", "b - 1"),
        // Of the wrong parity: the same move number as Fairy-Stockfish's, written with the right ply.
        (ROOK, "w - 7", "b - - 0 3", "w - 6"),
        (ROOK, "w - 1", "b - - 0 1", "w - 2"),
        (ROOK, "w - 0", "b - - 0 1", "w - 2"),
    ] {
        let position = sfen(&format!("{men} {given}"));
        assert_eq!(position.to_fen(), format!("{men} {fen}"), "{given}");
        assert_eq!(position.to_sfen(), format!("{men} {written}"), "{given}");
    }
    let mut position = Position::default();
    for usi in ["1f1e", "8c8d"] {
        position = position.after(position.parse_usi(usi).expect(usi));
    }
    assert_eq!(position.to_sfen(), "rnbqkbnr/8/1ppppppp/p7/7P/PPPPPPP1/8/RNBQKBNR b - 3");
}

#[test]
fn a_count_is_lost_and_starts_again() {
    let running = position("4k3/8/8/8/8/8/R7/4K3 b - 32 7 5");
    assert_eq!(running.to_sfen(), "4k3/8/8/8/8/8/R7/4K3 w - 10");
    assert_eq!(sfen(&running.to_sfen()).to_fen(), "4k3/8/8/8/8/8/R7/4K3 b - - 0 5");
    let rook = sfen("4k3/8/8/8/8/8/8/R3K3 b - 1");
    let after = rook.after(rook.parse_usi("8h8g").expect("legal"));
    assert_eq!(after.to_fen(), "4k3/8/8/8/8/8/R7/4K3 b - 32 0 1");
}

#[test]
fn bad_sfens() {
    for (text, message) in [
        ("", "placement: missing"),
        ("4k3/8/8/8/8/8/8/R3K3", "side to move: missing"),
        ("4k3/8/8/8/8/8/8/R3K3 x - 1", "side to move: \"x\" is neither b nor w"),
        ("4k3/8/8/8/8/8/8/R3K3 b 32 1", "hands: \"32\" instead of -, the game has no drops"),
        ("4k3/8/8/8/8/8/8/R3K3 b - -1", "ply number: \"-1\" is no number that fits"),
        ("4k3/8/8/8/8/8/8/R3K3 b - 99999999999", "ply number: \"99999999999\" is no number that fits"),
        ("4k3/8/8/8/8/8/8/R3K3 b - 1 1", "unexpected \"1\" after the last field"),
        ("8/8/8/8/8/8/8/R3K3 b - 1", "placement: black has no king"),
        ("4k3/8/8/8/8/8/8/4RK2 b - 1", "side to move: black is in check but it is the other side's move"),
    ] {
        let error = Position::from_sfen(text, PromotionRule::Any).expect_err(text);
        assert_eq!(error.to_string(), message);
    }
    let last = "4k3/8/8/8/8/8/8/R3K3 b - - 0 4294967295";
    assert_eq!(sfen(&position(last).to_sfen()).to_fen(), last);
}
