//! A move in 16 bits, and a list of moves without a heap.

use std::fmt;
use std::num::NonZeroU16;
use std::ops::{Deref, DerefMut};

use crate::role::Role;
use crate::square::Square;

/// A move: where from, where to, and what a pawn becomes.
///
/// ```text
/// 15    14 .. 12    11 .. 6    5 .. 0
///  0   promotion      to        from
/// ```
///
/// `promotion` is 0, or the index of a [`Role`] from met to rook. No move stays on its square, so the
/// word is never 0 and `Option<Move>` takes 16 bits too. A `Move` says nothing about legality: ask
/// [`Position::is_legal`](crate::Position::is_legal).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU16);

const _: () = assert!(size_of::<Option<Move>>() == 2);

impl Move {
    /// A move that is no promotion. `None` if both squares are the same.
    pub const fn new(from: Square, to: Square) -> Option<Move> {
        if from as u8 == to as u8 { None } else { Some(Move::normal(from, to)) }
    }

    /// A promotion. `None` if both squares are the same or nothing may become that role.
    pub const fn promotion(from: Square, to: Square, role: Role) -> Option<Move> {
        match role {
            Role::Pawn | Role::King => None,
            _ if from as u8 == to as u8 => None,
            _ => Some(Move::promoting(from, to, role)),
        }
    }

    /// The generator's constructor: it knows that the squares differ.
    #[inline]
    pub(crate) const fn normal(from: Square, to: Square) -> Move {
        debug_assert!(from as u8 != to as u8);
        match NonZeroU16::new(from as u16 | (to as u16) << 6) {
            Some(word) => Move(word),
            None => Move(NonZeroU16::MIN),
        }
    }

    /// As [`normal`](Move::normal), for a role that a pawn may become.
    #[inline]
    pub(crate) const fn promoting(from: Square, to: Square, role: Role) -> Move {
        Move(Move::normal(from, to).0.saturating_add((role as u16) << 12))
    }

    /// The square it leaves.
    #[inline]
    pub const fn from(self) -> Square {
        Square::from_index_wrapping(self.0.get() as u8)
    }

    /// The square it enters.
    #[inline]
    pub const fn to(self) -> Square {
        Square::from_index_wrapping((self.0.get() >> 6) as u8)
    }

    /// What the pawn becomes, for a promotion.
    #[inline]
    pub const fn promoted(self) -> Option<Role> {
        match self.0.get() >> 12 {
            1 => Some(Role::Met),
            2 => Some(Role::Khon),
            3 => Some(Role::Knight),
            4 => Some(Role::Rook),
            _ => None,
        }
    }

    /// True for a promotion.
    #[inline]
    pub const fn is_promotion(self) -> bool {
        self.0.get() >> 12 != 0
    }

    /// The 16-bit word, for storing.
    #[inline]
    pub const fn raw(self) -> u16 {
        self.0.get()
    }

    /// Reads a stored word. `None` if it is not one that [`raw`](Move::raw) can give.
    #[inline]
    pub const fn from_raw(word: u16) -> Option<Move> {
        let squares_differ = word & 63 != word >> 6 & 63;
        match NonZeroU16::new(word) {
            Some(nonzero) if squares_differ && word >> 12 <= 4 => Some(Move(nonzero)),
            _ => None,
        }
    }

    /// Indexes a table of 4096 by the two squares.
    #[inline]
    pub const fn squares_index(self) -> usize {
        self.0.get() as usize & 0xfff
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Move({self})")
    }
}

/// The most legal moves that any position can have.
///
/// A [`Position`](crate::Position) has at most 16 men a side. One is the king with at most 8 moves. No
/// other man has more than a rook's 14: a knight has 8, a khon 5, a met 4, and a pawn one step from
/// promotion 3 ways of 4 roles each, 12. So 8 + 15 × 14 = 218.
pub const MAX_LEGAL_MOVES: usize = 218;

/// Legal moves of one position, stored in place.
#[derive(Clone)]
pub struct MoveList {
    len: usize,
    moves: [Move; MAX_LEGAL_MOVES],
}

impl MoveList {
    /// An empty list.
    #[inline]
    pub const fn new() -> MoveList {
        MoveList { len: 0, moves: [Move(NonZeroU16::MIN); MAX_LEGAL_MOVES] }
    }

    /// Adds a move.
    ///
    /// # Panics
    /// When the list holds [`MAX_LEGAL_MOVES`] already, which no position reaches.
    #[inline]
    pub fn push(&mut self, mv: Move) {
        self.moves[self.len] = mv;
        self.len += 1;
    }

    /// Forgets all moves.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl DerefMut for MoveList {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Move] {
        &mut self.moves[..self.len]
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = std::iter::Take<std::array::IntoIter<Move, MAX_LEGAL_MOVES>>;

    fn into_iter(self) -> Self::IntoIter {
        self.moves.into_iter().take(self.len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn word_holds_all_parts() {
        for from in Square::ALL {
            for to in Square::ALL {
                let Some(mv) = Move::new(from, to) else {
                    assert_eq!(from, to);
                    continue;
                };
                assert_eq!((mv.from(), mv.to(), mv.promoted()), (from, to, None));
                assert_eq!(Move::from_raw(mv.raw()), Some(mv));
                for role in Role::PROMOTIONS {
                    let mv = Move::promotion(from, to, role).expect("squares differ");
                    assert_eq!((mv.from(), mv.to(), mv.promoted()), (from, to, Some(role)));
                    assert_eq!(Move::from_raw(mv.raw()), Some(mv));
                }
                assert_eq!(Move::promotion(from, to, Role::King), None);
            }
        }
        assert_eq!(Move::from_raw(0), None);
        assert_eq!(Move::from_raw(5 << 12 | 1), None);
    }
}
