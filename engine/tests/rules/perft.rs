//! Node counts of every position in `tests/data/perft.epd`.

use makara_engine::{Position, PromotionRule, divide, perft};

#[test]
fn every_line_of_the_reference() {
    let mut checked = 0;
    for line in include_str!("../../../tests/data/perft.epd").lines() {
        let mut fields = line.split(';');
        let fen = fields.next().expect("a FEN");
        let position = Position::from_fen(fen, PromotionRule::Any).expect(fen);
        for field in fields {
            let (depth, nodes) = field.trim()[1..].split_once(' ').expect("a depth and a count");
            let depth = depth.parse().expect("a depth");
            assert_eq!(perft(&position, depth).to_string(), nodes, "{fen} depth {depth}");
            checked += 1;
        }
    }
    assert!(checked >= 1000, "only {checked} counts");
}

/// The position with the most moves among those that pychess and Fairy-Stockfish tests use.
#[test]
fn many_moves() {
    let position = crate::position("R6R/3R4/1BN1N1K1/1R3R2/2R5/6R1/1R1BkQ2/R6R w - - 0 1");
    assert_eq!(position.legal_moves().len(), 139);
    assert_eq!(position.legal_move_count(), 139);
}

#[test]
fn divide_adds_up() {
    let start = Position::default();
    let parts = divide(&start, 3);
    assert_eq!(parts.len(), 23);
    assert_eq!(parts.iter().map(|(_, nodes)| nodes).sum::<u64>(), 12012);
    assert!(divide(&start, 0).is_empty());
    assert_eq!(perft(&start, 0), 1);
}

/// No pawn reaches the last rank in four plies, so both rules count the same.
#[test]
fn start_under_the_rule_met() {
    assert_eq!(perft(&Position::start(PromotionRule::Met), 4), 273_026);
}
