//! Moves in coordinates, as UCI and XBoard write them: `e3e4`, `a7a8r`.

use std::fmt;
use std::str::FromStr;

use crate::moves::Move;
use crate::position::Position;
use crate::role::Role;
use crate::square::Square;

/// The text is not a move in coordinates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseUciError(pub String);

impl fmt::Display for ParseUciError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unreadable move: {:?}", self.0)
    }
}

impl std::error::Error for ParseUciError {}

/// Reads the parts of a move in coordinates of any kind: two squares and a promotion letter.
pub(super) fn parse_coordinates(text: &str, square: impl Fn(&str) -> Option<Square>) -> Option<Move> {
    let from = square(text.get(0..2)?)?;
    let to = square(text.get(2..4)?)?;
    let mut rest = text.get(4..)?.chars();
    match (rest.next(), rest.next()) {
        (None, _) => Move::new(from, to),
        (Some(letter), None) => Move::promotion(from, to, Role::from_letter(letter)?),
        _ => None,
    }
}

/// Reads a move in coordinates, not looked at on a board. The promotion letter may be a capital.
impl FromStr for Move {
    type Err = ParseUciError;

    fn from_str(text: &str) -> Result<Move, ParseUciError> {
        parse_coordinates(text, |name| name.parse().ok()).ok_or_else(|| ParseUciError(text.into()))
    }
}

/// Writes the move in coordinates.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promoted() {
            Some(role) => write!(f, "{}", role.letter()),
            None => Ok(()),
        }
    }
}

/// Why a text gives no move of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UciMoveError {
    /// The text is no move in coordinates.
    Syntax(ParseUciError),
    /// The move is not legal here.
    Illegal(Move),
}

impl fmt::Display for UciMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UciMoveError::Syntax(error) => error.fmt(f),
            UciMoveError::Illegal(mv) => write!(f, "illegal move: {mv}"),
        }
    }
}

impl std::error::Error for UciMoveError {}

impl Position {
    /// Reads a legal move in coordinates.
    ///
    /// # Errors
    /// For a text that is no move, and for a move that is not legal here.
    pub fn parse_uci(&self, text: &str) -> Result<Move, UciMoveError> {
        let mv = text.parse().map_err(UciMoveError::Syntax)?;
        if self.is_legal(mv) { Ok(mv) } else { Err(UciMoveError::Illegal(mv)) }
    }
}
