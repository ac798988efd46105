//! A position as somebody wrote it down, not yet checked.

use std::fmt;
use std::str::FromStr;

use crate::color::Color;
use crate::count::CountLimit;
use crate::role::{Piece, Role};
use crate::square::Square;

/// What a pawn may become. Fixed for a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum PromotionRule {
    /// Rook, knight, khon or met: as all known programs and sites play.
    #[default]
    Any,
    /// Met only: the 2011 Laws of ASEAN-Chess.
    Met,
}

impl PromotionRule {
    /// What a pawn may become, best first.
    #[inline]
    pub const fn roles(self) -> &'static [Role] {
        match self {
            PromotionRule::Any => &Role::PROMOTIONS,
            PromotionRule::Met => &[Role::Met],
        }
    }
}

impl fmt::Display for PromotionRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PromotionRule::Any => "any",
            PromotionRule::Met => "met",
        })
    }
}

/// The text is the name of no promotion rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParsePromotionRuleError(pub String);

impl fmt::Display for ParsePromotionRuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "promotion rule: {:?} is neither any nor met", self.0)
    }
}

impl std::error::Error for ParsePromotionRuleError {}

impl FromStr for PromotionRule {
    type Err = ParsePromotionRuleError;

    fn from_str(text: &str) -> Result<PromotionRule, ParsePromotionRuleError> {
        match text {
            "any" => Ok(PromotionRule::Any),
            "met" => Ok(PromotionRule::Met),
            _ => Err(ParsePromotionRuleError(text.into())),
        }
    }
}

/// The contents of a FEN or SFEN: the men, the side to move and the counters.
///
/// A `Setup` may be impossible. [`Position::from_setup`](crate::Position::from_setup) checks it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    /// The man on each square.
    pub board: [Option<Piece>; 64],
    /// The side to move.
    pub turn: Color,
    /// The limit of a running count.
    pub count_limit: Option<CountLimit>,
    /// With a running count its plies, else the plies since the last capture or pawn move.
    pub counter: u16,
    /// The number of the move, from 1; Black's reply has the same.
    pub fullmove: u32,
}

impl Setup {
    /// An empty board, White to move, all counters at their start.
    pub const fn empty() -> Setup {
        Setup { board: [None; 64], turn: Color::White, count_limit: None, counter: 0, fullmove: 1 }
    }

    /// The man on a square.
    pub const fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// Puts a man on a square, or clears it.
    pub const fn set(&mut self, square: Square, piece: Option<Piece>) {
        self.board[square.index()] = piece;
    }

    /// The setup mirrored upside down with colours swapped: the same game for the other player.
    #[must_use]
    pub fn flipped(&self) -> Setup {
        let mut flipped = Setup { turn: !self.turn, ..self.clone() };
        for square in Square::ALL {
            let piece = self.piece_at(square.flip_rank());
            flipped.set(square, piece.map(|piece| piece.role().of(!piece.color())));
        }
        flipped
    }
}
