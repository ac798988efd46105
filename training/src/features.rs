//! What the network sees of a position.
//!
//! Each player sees every man as one of 768 inputs, `384 × (the man is the other's) + 64 × role + square`,
//! roles in the order pawn, met, khon, knight, rook, king. Squares are seen from the player's side of the
//! board: Black's with the ranks flipped, and for either with the files mirrored when its own king stands
//! on files e to h.

use makara_engine::{Color, Piece};

use crate::packed::Packed;

/// Inputs of each perspective.
pub const INPUTS: usize = 768;
/// Sets of output weights, chosen by the number of men.
pub const BUCKETS: usize = 8;
const FLIP_RANK: usize = 56;
const MIRROR_FILE: usize = 7;
const KINDS: usize = Piece::ALL.len();

/// The output bucket for so many men, kings included.
pub const fn bucket(men: usize) -> usize {
    let bucket = men.saturating_sub(2) / 4;
    if bucket < BUCKETS { bucket } else { BUCKETS - 1 }
}

/// What is `XOR`ed to a square for a player whose king stands on `king` (0 to 63, as on the board).
pub const fn orientation(perspective: Color, king: usize) -> usize {
    let flip = if perspective.is_white() { 0 } else { FLIP_RANK };
    if king % 8 >= 4 { flip ^ MIRROR_FILE } else { flip }
}

/// The input for a man on a square, both as on the board; `orientation` from the function of that name.
pub const fn input(perspective: Color, orientation: usize, piece: usize, square: usize) -> usize {
    let kind = if perspective.is_white() { piece } else { (piece + KINDS / 2) % KINDS };
    kind * 64 + (square ^ orientation)
}

/// The active inputs of a position, the mover's first.
#[derive(Clone, Copy, Debug)]
pub struct Features {
    inputs: [[u16; 32]; 2],
    men: usize,
}

impl Features {
    /// Reads them from a position.
    pub fn new(packed: &Packed) -> Features {
        let mover = packed.turn();
        let mut kings = [0; 2];
        for (piece, square) in packed.men() {
            if piece == Piece::WhiteKing.index() {
                kings[0] = square;
            } else if piece == Piece::BlackKing.index() {
                kings[1] = square;
            }
        }
        let [own, other] = [mover, !mover].map(|color| (color, orientation(color, kings[color.index()])));
        let mut features = Features { inputs: [[0; 32]; 2], men: 0 };
        for (piece, square) in packed.men() {
            features.inputs[0][features.men] = input(own.0, own.1, piece, square) as u16;
            features.inputs[1][features.men] = input(other.0, other.1, piece, square) as u16;
            features.men += 1;
        }
        features
    }

    /// The inputs of the mover (0) or the other player (1).
    pub fn inputs(&self, side: usize) -> &[u16] {
        &self.inputs[side][..self.men]
    }

    /// The output bucket.
    pub fn bucket(&self) -> usize {
        bucket(self.men)
    }
}

#[cfg(test)]
mod tests {
    use makara_engine::{Position, PromotionRule, Setup, Square};

    use super::*;
    use crate::format::GameResult;

    fn sorted(setup: &Setup) -> [Vec<u16>; 2] {
        let position = Position::from_setup(setup, PromotionRule::Any).expect("possible");
        let features = Features::new(&Packed::new(&position, 0, GameResult::Draw, 0));
        [0, 1].map(|side| {
            let mut inputs = features.inputs(side).to_vec();
            inputs.sort_unstable();
            inputs
        })
    }

    #[test]
    fn inputs_by_hand() {
        // White: king f1 (mirrored), pawn a3; Black: king b8, rook h6.
        let setup = Setup::from_fen("1k6/8/7r/8/8/P7/8/5K2 w - - 0 1").expect("a FEN");
        let own = [23, 5 * 64 + 2, 384 + 4 * 64 + 40, 384 + 5 * 64 + 62];
        let other = [4 * 64 + 23, 5 * 64 + 1, 384 + 40, 384 + 5 * 64 + 61];
        assert_eq!(sorted(&setup), [own.to_vec(), other.to_vec()]);
    }

    #[test]
    fn both_symmetries_hold() {
        let setup = Setup::from_fen("r1bqkb1r/2n3n1/p1pppppp/1p6/5P2/PPPPP1PP/4N2K/RNBQ1B1R b - - 0 9");
        let setup = setup.expect("a FEN");
        assert_eq!(sorted(&setup), sorted(&setup.flipped()));
        let mut mirrored = setup.clone();
        for square in Square::ALL {
            mirrored.board[square.index()] = setup.piece_at(square.flip_file());
        }
        assert_eq!(sorted(&setup), sorted(&mirrored));
    }

    #[test]
    fn buckets_cover_all_counts_of_men() {
        assert_eq!([2, 5, 6, 29, 30, 32].map(bucket), [0, 0, 1, 6, 7, 7]);
    }
}
