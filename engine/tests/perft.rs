//! Node counts of every position in `tests/data/perft.epd`.

use makara_engine::{Position, PromotionRule, perft};

#[test]
fn every_line_of_the_reference() {
    let mut checked = 0;
    for line in include_str!("../../tests/data/perft.epd").lines() {
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
