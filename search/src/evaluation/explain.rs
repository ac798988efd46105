//! An evaluation taken apart, for people.

use makara_engine::{Piece, Position, Square};

use super::{Accumulators, Evaluator};
use crate::chances::{Chances, centipawns};

/// What an evaluation says of a position, without any search. All scores are White's, in centipawns.
#[derive(Clone, PartialEq, Debug)]
pub struct Explanation {
    /// The score.
    pub score: i32,
    /// The score before it fades as the fifty-move clock or the count runs out.
    pub unfaded: i32,
    /// What the score promises the side to move.
    pub chances: Chances,
    /// The unfaded scores of all outputs of a network, by how many men they are for, from few to many.
    pub outputs: Vec<i32>,
    /// The place in `outputs` of the one that counts.
    pub output: usize,
    /// Each man with what White's unfaded score loses without it; nothing for kings, and for men without which the
    /// position would be impossible.
    pub men: Vec<(Square, Piece, Option<i32>)>,
}

impl Evaluator {
    /// Takes the evaluation of a position apart.
    pub(crate) fn explain(&self, position: &Position) -> Explanation {
        let mut accumulators = Accumulators::new();
        let men = position.occupied().count();
        let white = |raw: i32| centipawns(if position.turn().is_white() { raw } else { -raw }, men);
        self.reset(&mut accumulators);
        let score = self.evaluate(&mut accumulators, position, 0).raw();
        let fresh = without_counters(position).unwrap_or(*position);
        let mut unfaded = |position: &Position| {
            self.reset(&mut accumulators);
            self.evaluate(&mut accumulators, position, 0).raw()
        };
        let whole = unfaded(&fresh);
        let worths = position.occupied().into_iter().filter_map(|square| {
            let piece = position.piece_at(square)?;
            let rest = without(&fresh, square).map(|rest| white(whole - unfaded(&rest)));
            Some((square, piece, rest))
        });
        let men = worths.collect();
        let (outputs, output) = match self {
            Evaluator::Network(network) => accumulators.outputs(network, &fresh),
            Evaluator::HandWritten => (Vec::new(), 0),
        };
        Explanation {
            score: white(score),
            unfaded: white(whole),
            chances: Chances::of(score, position.occupied().count()),
            outputs: outputs.into_iter().map(white).collect(),
            output,
            men,
        }
    }
}

/// The position as if the last move had been a capture that starts no count.
fn without_counters(position: &Position) -> Option<Position> {
    let mut setup = position.to_setup();
    (setup.count_limit, setup.counter) = (None, 0);
    Position::from_setup(&setup, position.promotion_rule()).ok()
}

/// The position without a man; `None` where that is impossible.
fn without(position: &Position, square: Square) -> Option<Position> {
    let mut setup = position.to_setup();
    setup.set(square, None);
    Position::from_setup(&setup, position.promotion_rule()).ok()
}
