//! What a position is worth at rest: by a network, or by hand-written terms.

mod explain;
#[cfg(feature = "tuning")]
pub mod hand_written;
#[cfg(not(feature = "tuning"))]
mod hand_written;
mod network;

use std::convert::Infallible;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use makara_engine::Position;

use crate::score::Score;
pub use explain::Explanation;
pub(crate) use network::Accumulators;
use network::Network;
pub use network::{BUILT_IN_NETWORK, NetworkError};

/// What a search evaluates by.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Evaluation {
    /// The network inside the binary.
    #[default]
    BuiltIn,
    /// Hand-written terms.
    HandWritten,
    /// The network in a file.
    File(PathBuf),
}

impl Evaluation {
    /// Stands for [`BuiltIn`](Evaluation::BuiltIn) in text.
    pub const BUILT_IN: &str = "<built-in>";
    /// Stands for [`HandWritten`](Evaluation::HandWritten) in text.
    pub const HAND_WRITTEN: &str = "<hand-written>";
}

impl FromStr for Evaluation {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Evaluation, Infallible> {
        Ok(match text {
            Evaluation::BUILT_IN => Evaluation::BuiltIn,
            Evaluation::HAND_WRITTEN => Evaluation::HandWritten,
            path => Evaluation::File(path.into()),
        })
    }
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Evaluation::BuiltIn => f.write_str(Evaluation::BUILT_IN),
            Evaluation::HandWritten => f.write_str(Evaluation::HAND_WRITTEN),
            Evaluation::File(path) => path.display().fmt(f),
        }
    }
}

/// An evaluation ready for use; cheap to clone.
#[derive(Clone)]
pub(crate) enum Evaluator {
    Network(Arc<Network>),
    HandWritten,
}

impl Evaluator {
    /// # Errors
    /// When a file is not a whole, undamaged network of this engine's shape.
    pub(crate) fn new(evaluation: &Evaluation) -> Result<Evaluator, NetworkError> {
        Ok(match evaluation {
            Evaluation::BuiltIn => Evaluator::Network(Arc::new(Network::embedded()?)),
            Evaluation::HandWritten => Evaluator::HandWritten,
            Evaluation::File(path) => Evaluator::Network(Arc::new(Network::from_file(path)?)),
        })
    }

    /// The network inside the binary.
    pub(crate) fn built_in() -> Evaluator {
        // It is always whole, as a test makes sure.
        Evaluator::new(&Evaluation::BuiltIn).unwrap_or(Evaluator::HandWritten)
    }

    /// Begins a line of moves at its root.
    pub(crate) fn reset(&self, accumulators: &mut Accumulators) {
        if let Evaluator::Network(network) = self {
            accumulators.reset(network);
        }
    }

    /// True if [`evaluate`](Evaluator::evaluate) wants every move noted.
    #[inline]
    pub(crate) const fn follows_moves(&self) -> bool {
        matches!(self, Evaluator::Network(_))
    }

    /// The score of the position at `ply` of the line, from the side to move.
    #[inline]
    pub(crate) fn evaluate(&self, accumulators: &mut Accumulators, position: &Position, ply: usize) -> Score {
        match self {
            Evaluator::Network(network) => {
                Score::estimate(faded(position, accumulators.evaluate(network, position, ply)))
            }
            Evaluator::HandWritten => hand_written::evaluate(position),
        }
    }
}

/// The score would be nothing after so many plies without progress, were it not a draw before.
const CLOCK_FADE: i32 = 140;
/// Plies of the count that seem to be left when none is.
const COUNT_FADE: i32 = 12;

/// A value made smaller the nearer a draw by the fifty-move clock or the count is.
#[inline]
fn faded(position: &Position, value: i32) -> i32 {
    let mut value = value;
    if let Some(count) = position.count() {
        let left = i32::from(count.plies_left().unwrap_or(0));
        value = value * (left + COUNT_FADE) / (i32::from(count.limit.plies()) + COUNT_FADE);
    }
    value * (CLOCK_FADE - i32::from(position.clock()).min(100)) / CLOCK_FADE
}

#[cfg(test)]
mod tests {
    use makara_engine::PromotionRule;

    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen, PromotionRule::Any).expect(fen)
    }

    fn evaluations() -> [Evaluator; 2] {
        [Evaluator::new(&Evaluation::BuiltIn).expect("a whole network"), Evaluator::HandWritten]
    }

    fn score(evaluator: &Evaluator, position: &Position) -> Score {
        let mut accumulators = Accumulators::new();
        evaluator.reset(&mut accumulators);
        evaluator.evaluate(&mut accumulators, position, 0)
    }

    #[test]
    fn both_colours_are_seen_alike() {
        for evaluator in evaluations() {
            for line in include_str!("../../tests/data/perft.epd").lines() {
                let fen = line.split(';').next().expect("a FEN");
                let flipped = position(fen).to_setup().flipped();
                let flipped = Position::from_setup(&flipped, PromotionRule::Any).expect(fen);
                assert_eq!(score(&evaluator, &position(fen)), score(&evaluator, &flipped), "{fen}");
            }
        }
    }

    #[test]
    fn more_men_are_better() {
        for evaluator in evaluations() {
            let score = |fen: &str| score(&evaluator, &position(fen));
            assert!(score("4k3/8/pppp4/8/8/PPPP4/8/R3K3 w - - 0 1") > Score::estimate(300));
            assert!(score("rnb1kbnr/8/pppppppp/8/8/PPPPPPPP/8/RNBQKBNR w - - 0 1") > Score::estimate(50));
        }
    }

    #[test]
    fn scores_fade_as_a_draw_comes_near() {
        for evaluator in evaluations() {
            let score = |fen: &str| score(&evaluator, &position(fen));
            // The bare king's side is to move; 32 plies are the count of a rook.
            let by_count: Vec<Score> = [2, 10, 20, 28, 31]
                .map(|counted| score(&format!("7k/8/8/8/8/8/8/R3K3 b - 32 {counted} 1")))
                .to_vec();
            assert!(by_count.is_sorted() && by_count[0] < by_count[4], "{by_count:?}");
            let by_clock: Vec<Score> = [0, 20, 60, 90, 99]
                .map(|clock| score(&format!("4k3/8/pppp4/8/8/PPPP4/8/R3K3 b - - {clock} 60")))
                .to_vec();
            assert!(by_clock.is_sorted() && by_clock[0] < by_clock[4], "{by_clock:?}");
            assert!(by_clock[4].raw() * 3 > by_clock[0].raw(), "still better than nothing: {by_clock:?}");
        }
    }

    #[test]
    fn evaluations_have_names() {
        for evaluation in [Evaluation::BuiltIn, Evaluation::HandWritten, Evaluation::File("a b".into())] {
            assert_eq!(evaluation.to_string().parse(), Ok(evaluation));
        }
    }
}
