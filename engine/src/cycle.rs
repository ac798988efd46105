//! Which move leads from one position to another, told from their keys alone.
//!
//! A search can so see that the side to move is able to repeat an earlier position, one ply before it
//! happens (after Marcel van Kervinck, 2013). All moves that can be taken back are kept in a cuckoo hash
//! table: a key has two possible places, so a look-up reads at most two.

use crate::attacks::between;
use crate::moves::Move;
use crate::position::Position;
use crate::role::{Piece, Role};
use crate::square::Square;
use crate::zobrist;

const SIZE: usize = 8192;

struct Table {
    keys: [u64; SIZE],
    moves: [Option<Move>; SIZE],
    len: usize,
}

const fn places(key: u64) -> (usize, usize) {
    (key as usize % SIZE, (key >> 16) as usize % SIZE)
}

/// True when a man can go from one square to the other and back on an empty board.
const fn is_reversible(role: Role, from: Square, to: Square) -> bool {
    let files = (from as u8 & 7).abs_diff(to as u8 & 7);
    let ranks = (from as u8 >> 3).abs_diff(to as u8 >> 3);
    match role {
        // A pawn never goes back, nor does a khon's straight step.
        Role::Pawn => false,
        Role::Met | Role::Khon => files == 1 && ranks == 1,
        Role::Knight => files * ranks == 2,
        Role::Rook => (files == 0) != (ranks == 0),
        Role::King => files <= 1 && ranks <= 1 && files + ranks > 0,
    }
}

static TABLE: Table = {
    let mut table = Table { keys: [0; SIZE], moves: [None; SIZE], len: 0 };
    let mut piece = 0;
    while piece < 12 {
        let man = Piece::ALL[piece];
        let mut from = 0;
        while from < 64 {
            let mut to = from + 1;
            while to < 64 {
                let (a, b) = (Square::ALL[from], Square::ALL[to]);
                if is_reversible(man.role(), a, b) {
                    insert(&mut table, zobrist::piece(man, a) ^ zobrist::piece(man, b) ^ zobrist::SIDE, a, b);
                }
                to += 1;
            }
            from += 1;
        }
        piece += 1;
    }
    table
};

const fn insert(table: &mut Table, key: u64, from: Square, to: Square) {
    let (mut key, mut mv) = (key, Move::new(from, to));
    let mut place = places(key).0;
    loop {
        let (old_key, old_move) = (table.keys[place], table.moves[place]);
        table.keys[place] = key;
        table.moves[place] = mv;
        if old_move.is_none() {
            break;
        }
        // The one that was here goes to its other place.
        key = old_key;
        mv = old_move;
        let (first, second) = places(key);
        place = if place == first { second } else { first };
    }
    table.len += 1;
}

impl Position {
    /// True when one move of the side to move leads to the position with this [`key`](Position::key),
    /// and that position can have stood before this one on the same men.
    #[inline]
    pub fn can_move_to(&self, key: u64) -> bool {
        let difference = self.key() ^ key;
        let (first, second) = places(difference);
        let place = if TABLE.keys[first] == difference {
            first
        } else if TABLE.keys[second] == difference {
            second
        } else {
            return false;
        };
        let Some(mv) = TABLE.moves[place] else { return false };
        (between(mv.from(), mv.to()) & self.occupied()).is_empty()
            && self.by_color(self.turn()).contains(mv.from()) != self.by_color(self.turn()).contains(mv.to())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PromotionRule;

    #[test]
    fn table_holds_every_reversible_move() {
        let mets_and_khons = 4 * 98;
        assert_eq!(TABLE.len, mets_and_khons + 2 * (168 + 448 + 210));
        assert_eq!(TABLE.moves.iter().flatten().count(), TABLE.len);
    }

    #[test]
    fn sees_the_move_back() {
        let fen = "4k3/8/8/3b4/8/2N5/8/R3K3 w - - 0 1";
        let start = Position::from_fen(fen, PromotionRule::Any).expect("a position");
        let play = |position: &Position, text: &str| position.after(position.parse_uci(text).expect("legal"));
        let knight_out = play(&start, "c3b5");
        let king = play(&knight_out, "e8e7");
        let knight_back = play(&king, "b5c3");
        assert!(knight_back.can_move_to(start.key()));
        assert!(!king.can_move_to(start.key()));
        // A khon's straight step cannot be taken back.
        let khon = play(&knight_out, "d5d4");
        let knight_back = play(&khon, "b5c3");
        assert!(!knight_back.can_move_to(start.key()));
    }
}
