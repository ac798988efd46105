//! From a setup to a position: everything that makes a setup impossible.

use std::fmt;

use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::count::CountLimit;
use crate::position::Position;
use crate::role::{Piece, Role};
use crate::setup::{PromotionRule, Setup};
use crate::square::{Rank, Square};

/// A reason why a setup is impossible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PositionError {
    /// A player has no king.
    MissingKing(Color),
    /// A player has more than one king.
    TooManyKings(Color),
    /// A player has more than 16 men.
    TooManyMen(Color),
    /// A player has more than 8 pawns.
    TooManyPawns(Color),
    /// A pawn stands on the first or last rank.
    PawnOnBackRank(Square),
    /// The two kings stand side by side.
    TouchingKings,
    /// The side not to move is in check.
    OppositeCheck(Color),
    /// A count runs though no king is bare.
    CountWithoutBareKing,
    /// A count runs though there are pawns.
    CountWithPawns,
    /// The count's limit is longer than the attacker's men allow.
    CountLimitTooLong(CountLimit),
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PositionError::MissingKing(color) => write!(f, "placement: {color} has no king"),
            PositionError::TooManyKings(color) => write!(f, "placement: {color} has more than one king"),
            PositionError::TooManyMen(color) => write!(f, "placement: {color} has more than 16 men"),
            PositionError::TooManyPawns(color) => write!(f, "placement: {color} has more than 8 pawns"),
            PositionError::PawnOnBackRank(square) => {
                write!(f, "placement: a pawn cannot stand on {square}")
            }
            PositionError::TouchingKings => f.write_str("placement: the kings stand side by side"),
            PositionError::OppositeCheck(color) => {
                write!(f, "side to move: {color} is in check but it is the other side's move")
            }
            PositionError::CountWithoutBareKing => {
                f.write_str("count limit: a count runs but neither king is bare")
            }
            PositionError::CountWithPawns => {
                f.write_str("count limit: a count runs but there are pawns on the board")
            }
            PositionError::CountLimitTooLong(limit) => {
                write!(f, "count limit: {} plies is longer than the men on the board allow", limit.plies())
            }
        }
    }
}

/// Every reason why a setup is impossible; at least one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionErrors(pub Vec<PositionError>);

impl fmt::Display for PositionErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, error) in self.0.iter().enumerate() {
            write!(f, "{}{error}", if i > 0 { "; " } else { "" })?;
        }
        Ok(())
    }
}

impl std::error::Error for PositionErrors {}

impl Position {
    /// Checks a setup and makes it a position.
    ///
    /// # Errors
    /// All reasons why the setup is impossible.
    pub fn from_setup(setup: &Setup, promotion_rule: PromotionRule) -> Result<Position, PositionErrors> {
        let mut errors = men_errors(setup);
        if !errors.is_empty() {
            return Err(PositionErrors(errors));
        }
        let position = Position::from_checked_setup(setup, promotion_rule);
        let waiting = !position.turn;
        let king = position.king(waiting);
        if king.distance(position.king(position.turn)) <= 1 {
            errors.push(PositionError::TouchingKings);
        } else if position.attacked_by(position.turn, position.occupied()).contains(king) {
            errors.push(PositionError::OppositeCheck(waiting));
        }
        if let Some(limit) = setup.count_limit {
            errors.extend(position.count_error(limit));
        }
        if errors.is_empty() { Ok(position) } else { Err(PositionErrors(errors)) }
    }

    fn count_error(&self, limit: CountLimit) -> Option<PositionError> {
        if self.by_role(Role::Pawn).any() {
            return Some(PositionError::CountWithPawns);
        }
        if !self.is_bare(Color::White) && !self.is_bare(Color::Black) {
            return Some(PositionError::CountWithoutBareKing);
        }
        // Men can be lost after the start of a count, never gained, so a limit may be too short only.
        let longest = if self.by_role(Role::Rook).any() {
            CountLimit::Rook
        } else if self.by_role(Role::Khon).any() {
            CountLimit::Khon
        } else {
            CountLimit::Knight
        };
        (limit.plies() > longest.plies()).then_some(PositionError::CountLimitTooLong(limit))
    }
}

/// What is wrong with the men alone. Only without such errors may the board be given to the attack code.
fn men_errors(setup: &Setup) -> Vec<PositionError> {
    let on = |wanted: &dyn Fn(Piece) -> bool| -> Bitboard {
        Square::ALL.into_iter().filter(|&square| setup.piece_at(square).is_some_and(wanted)).collect()
    };
    let mut errors = Vec::new();
    for color in Color::ALL {
        match on(&|piece| piece == Role::King.of(color)).count() {
            0 => errors.push(PositionError::MissingKing(color)),
            1 => {}
            _ => errors.push(PositionError::TooManyKings(color)),
        }
        if on(&|piece| piece.color() == color).count() > 16 {
            errors.push(PositionError::TooManyMen(color));
        }
        if on(&|piece| piece == Role::Pawn.of(color)).count() > 8 {
            errors.push(PositionError::TooManyPawns(color));
        }
    }
    let back_ranks = Bitboard::rank(Rank::First) | Bitboard::rank(Rank::Eighth);
    let misplaced = on(&|piece| piece.role() == Role::Pawn) & back_ranks;
    errors.extend(misplaced.into_iter().map(PositionError::PawnOnBackRank));
    errors
}
