//! How a game ends by itself, and what may be claimed.

use std::fmt;

use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::position::Position;
use crate::role::Role;

/// The end of a game that needs no claim, in order of precedence.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// The side to move is in check and has no legal move.
    Checkmate {
        /// The side that gave mate.
        winner: Color,
    },
    /// The side to move has no legal move and is not in check: a draw.
    Stalemate,
    /// No sequence of legal moves leads to any mate: a draw.
    DeadPosition,
    /// The count has run out: a draw.
    CountExpired,
}

impl Outcome {
    /// The winner, unless the game is drawn.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Outcome::Checkmate { winner } => Some(winner),
            _ => None,
        }
    }

    /// The result as PGN writes it.
    pub const fn result(self) -> &'static str {
        match self.winner() {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Outcome::Checkmate { .. } => "checkmate",
            Outcome::Stalemate => "stalemate",
            Outcome::DeadPosition => "dead position",
            Outcome::CountExpired => "counting",
        })
    }
}

/// A draw that either player may claim. It never ends the game by itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Claim {
    /// The same position stands for the third time.
    Threefold,
    /// 100 plies have passed without a capture or a pawn move.
    FiftyMoves,
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Claim::Threefold => "threefold repetition",
            Claim::FiftyMoves => "fifty moves",
        })
    }
}

/// Plies without a capture or a pawn move after which a draw may be claimed.
pub const FIFTY_MOVES_PLIES: u16 = 100;

impl Position {
    /// How the game has ended in this position, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        if !self.has_legal_move() {
            return Some(match self.in_check() {
                true => Outcome::Checkmate { winner: !self.turn() },
                false => Outcome::Stalemate,
            });
        }
        if self.is_dead() {
            return Some(Outcome::DeadPosition);
        }
        self.is_count_expired().then_some(Outcome::CountExpired)
    }

    /// True when the men on the board can give no mate, whatever both sides play: no rook, khon or pawn,
    /// and nothing but the kings, or one knight, or only mets on squares of one colour.
    #[inline]
    pub fn is_dead(&self) -> bool {
        let role = |role| self.by_role(role);
        if (role(Role::Rook) | role(Role::Khon) | role(Role::Pawn)).any() {
            return false;
        }
        let (knights, mets) = (role(Role::Knight), role(Role::Met));
        if knights.any() {
            return mets.is_empty() && !knights.more_than_one();
        }
        (mets & Bitboard::DARK).is_empty() || mets.minus(Bitboard::DARK).is_empty()
    }

    /// True when a count runs and is greater than its limit.
    #[inline]
    pub fn is_count_expired(&self) -> bool {
        self.count().is_some_and(|count| count.is_expired())
    }

    /// True when the fifty-move draw may be claimed.
    #[inline]
    pub fn is_fifty_moves(&self) -> bool {
        self.clock() >= FIFTY_MOVES_PLIES
    }
}
