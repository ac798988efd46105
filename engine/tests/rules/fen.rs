//! FEN in and out.

use makara_engine::notation::{FenError, ParsePositionError};
use makara_engine::{CountLimit, Position, PositionError, PromotionRule, Setup};

use crate::{perft_fens, position};

const START: &str = "rnbqkbnr/8/pppppppp/8/8/PPPPPPPP/8/RNBQKBNR w - - 0 1";

fn error(fen: &str) -> String {
    let result = Position::from_fen(fen, PromotionRule::Any);
    result.map_or_else(|error| error.to_string(), |_| panic!("{fen:?} was read"))
}

/// The field that an error must name, by the cause in the reference.
fn field_of(cause: &str) -> &'static str {
    match cause {
        "side to move missing" | "side x" | "side in capitals" => "side to move",
        _ if cause.starts_with("side not to move") => "side to move",
        _ if cause.starts_with("castling") => "castling",
        _ if cause.starts_with("en passant") || cause.starts_with("count") => "count limit",
        _ if cause.contains("half-move clock") => "clock",
        _ if cause.contains("move number") => "move number",
        "trailing field" => "unexpected \"extra\"",
        _ => "placement",
    }
}

#[test]
fn every_bad_fen_of_the_reference() {
    let mut checked = 0;
    for line in include_str!("../../../tests/data/fen_invalid.tsv").lines() {
        let (fen, cause) = line.rsplit_once('\t').expect("a tab");
        let message = error(fen);
        assert!(message.starts_with(field_of(cause)), "{cause}: {message}");
        checked += 1;
    }
    assert_eq!(checked, 46);
}

#[test]
fn messages_hold_the_offending_text() {
    for (fen, message) in [
        ("", "placement: missing"),
        ("8/8/8", "placement: 3 ranks instead of 8"),
        ("8/8/8/8/8/8/8/6x1 w", "placement: 'x' in rank 1 is no piece"),
        ("8/8/8/44k/8/8/8/8 w", "placement: rank 5 (\"44k\") has not 8 squares"),
        ("8/8/8/8//8/8/8 w", "placement: rank 4 is empty"),
        ("8/8/8/8/8/8/8/8 w", "placement: white has no king; placement: black has no king"),
        ("4k3/8/8/8/8/8/8/R3K3 w - +32 0 1", "count limit: \"+32\" is none of - 0 32 88 128"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - +0 1", "clock: \"+0\" is no number of plies from 0 to 65535"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 65536 1", "clock: \"65536\" is no number of plies from 0 to 65535"),
        (
            "4k3/8/8/8/8/8/8/R3K3 w - - 0 4294967296",
            "move number: \"4294967296\" is no number from 0 to 4294967295",
        ),
        (
            "4k3/8/8/8/8/8/8/R3K3 b - 88 0 1",
            "count limit: 88 plies is longer than the men on the board allow",
        ),
        ("4k3/8/8/8/8/8/8/4RK2 w - - 0 1", "side to move: black is in check but it is the other side's move"),
    ] {
        assert_eq!(error(fen), message, "{fen}");
    }
}

#[test]
fn all_reasons_are_reported() {
    let fen = "PPPPPPPP/PPPPPPPP/P7/8/8/8/8/2K1K3 b - - 0 1";
    let Err(ParsePositionError::Impossible(errors)) = Position::from_fen(fen, PromotionRule::Any) else {
        panic!("{fen} was read")
    };
    for expected in [
        |error: &PositionError| matches!(error, PositionError::TooManyKings(_)),
        |error: &PositionError| matches!(error, PositionError::MissingKing(_)),
        |error: &PositionError| matches!(error, PositionError::TooManyMen(_)),
        |error: &PositionError| matches!(error, PositionError::TooManyPawns(_)),
        |error: &PositionError| matches!(error, PositionError::PawnOnBackRank(_)),
    ] {
        assert!(errors.0.iter().any(expected), "{errors}");
    }
    assert!(matches!("x".parse::<Setup>(), Err(FenError::Placement(_))));
}

#[test]
fn every_line_is_written_back() {
    let fens = perft_fens().chain(include_str!("../../../tests/data/openings.epd").lines()).chain(
        include_str!("../../../tests/data/mates.epd").lines().filter_map(|line| line.split(';').next()),
    );
    let mut checked = 0;
    for fen in fens {
        assert_eq!(position(fen).to_fen(), fen);
        checked += 1;
    }
    assert!(checked > 2700, "only {checked} FENs");
}

#[test]
fn lenient_reading_and_exact_writing() {
    let men = "4k3/8/8/8/8/8/8/R3K3";
    for (fields, written) in [
        ("w", "w - - 0 1"),
        ("b -", "b - - 0 1"),
        ("w - -", "w - - 0 1"),
        ("w - - 7", "w - - 7 1"),
        ("w - - 7 9", "w - - 7 9"),
        ("w - 0 7 9", "w - - 7 9"),
        ("w - 0 0 0", "w - - 0 1"),
        ("w - 32", "w - 32 0 1"),
        ("b - 32 4", "b - 32 4 1"),
        ("w - 32 033 007", "w - 32 33 7"),
        ("  w\t-   -  0 1  ", "w - - 0 1"),
    ] {
        assert_eq!(position(&format!("{men} {fields}")).to_fen(), format!("{men} {written}"));
    }
    // A placement may write a gap in parts.
    assert_eq!(position("4k3/8/8/8/8/8/8/R111K21 w").to_fen(), format!("{men} w - - 0 1"));
    assert_eq!(START.parse::<Position>().as_ref(), Ok(&Position::default()));
    assert_eq!(Position::start(PromotionRule::Met).to_fen(), START);
}

/// Which limits fit which men: those that the attacker had at the start of the count or lost since.
#[test]
fn count_limits_fit_the_men() {
    for (men, limits) in [
        ("R3K3", &[32][..]),
        ("B3K3", &[32, 88]),
        ("N3K3", &[32, 88, 128]),
        ("QQ2K3", &[32, 88, 128]),
        ("4K3", &[32, 88, 128]),
        ("NB1RK3", &[32]),
    ] {
        for limit in CountLimit::ALL.map(CountLimit::plies) {
            let fen = format!("4k3/8/8/8/8/8/8/{men} w - {limit} 3 1");
            let read = Position::from_fen(&fen, PromotionRule::Any);
            assert_eq!(read.is_ok(), limits.contains(&limit), "{fen}");
            if let Ok(position) = read {
                assert_eq!(position.to_fen(), fen);
            }
        }
    }
}

#[test]
fn diagram_and_displays() {
    let diagram = "8 r n b q k b n r\n7 . . . . . . . .\n6 p p p p p p p p\n5 . . . . . . . .\n\
                   4 . . . . . . . .\n3 P P P P P P P P\n2 . . . . . . . .\n1 R N B Q K B N R\n  a b c d e f g h\n";
    assert_eq!(Position::default().diagram().to_string(), diagram);
    assert_eq!(Position::default().to_string(), START);
    assert_eq!(format!("{:?}", Position::default()), format!("Position({START} Any)"));
    for rule in [PromotionRule::Any, PromotionRule::Met] {
        assert_eq!(rule.to_string().parse(), Ok(rule));
    }
    let error = "Met".parse::<PromotionRule>().expect_err("capital");
    assert_eq!(error.to_string(), "promotion rule: \"Met\" is neither any nor met");
}
