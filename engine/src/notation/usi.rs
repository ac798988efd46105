//! Moves in the coordinates of USI, as Fairy-Stockfish writes them for this game: `1f1e`, `8b8ar`.
//!
//! Files are counted 1 to 8 from White's right (h is 1), ranks `a` to `h` from the top (8 is `a`), so
//! h3h4 is `1f1e`. A promotion ends with the letter of the new man, as in UCI, and not with `+`.

use std::fmt;
use std::str::FromStr;

use super::uci::parse_coordinates;
use crate::moves::Move;
use crate::position::Position;
use crate::square::{File, Rank, Square};

/// A move to be read or written in USI's coordinates.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct UsiMove(pub Move);

/// The text is not a move in USI's coordinates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseUsiError(pub String);

impl fmt::Display for ParseUsiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unreadable move: {:?}", self.0)
    }
}

impl std::error::Error for ParseUsiError {}

fn parse_square(text: &str) -> Option<Square> {
    let mut letters = text.chars();
    let (file, rank) = (letters.next()?, letters.next()?);
    // USI's digits and letters are those of ranks and files, the other way round and counted backwards.
    let from_right = Rank::from_letter(file)?.index();
    let from_top = File::from_letter(rank)?.index();
    Some(Square::new(File::from_index(7 - from_right)?, Rank::from_index(7 - from_top)?))
}

fn write_square(square: Square, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let from_top = char::from(b'h' - square.rank() as u8);
    write!(f, "{}{from_top}", 8 - square.file().index())
}

/// Reads a move, not looked at on a board. The promotion letter may be a capital.
impl FromStr for UsiMove {
    type Err = ParseUsiError;

    fn from_str(text: &str) -> Result<UsiMove, ParseUsiError> {
        parse_coordinates(text, parse_square).map(UsiMove).ok_or_else(|| ParseUsiError(text.into()))
    }
}

impl fmt::Display for UsiMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_square(self.0.from(), f)?;
        write_square(self.0.to(), f)?;
        match self.0.promoted() {
            Some(role) => write!(f, "{}", role.letter()),
            None => Ok(()),
        }
    }
}

impl Move {
    /// The move in USI's coordinates.
    pub const fn usi(self) -> UsiMove {
        UsiMove(self)
    }
}

/// Why a text gives no move of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UsiMoveError {
    /// The text is no move in USI's coordinates.
    Syntax(ParseUsiError),
    /// The move is not legal here.
    Illegal(UsiMove),
}

impl fmt::Display for UsiMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UsiMoveError::Syntax(error) => error.fmt(f),
            UsiMoveError::Illegal(mv) => write!(f, "illegal move: {mv}"),
        }
    }
}

impl std::error::Error for UsiMoveError {}

impl Position {
    /// Reads a legal move in USI's coordinates.
    ///
    /// # Errors
    /// For a text that is no move, and for a move that is not legal here.
    pub fn parse_usi(&self, text: &str) -> Result<Move, UsiMoveError> {
        let usi: UsiMove = text.parse().map_err(UsiMoveError::Syntax)?;
        if self.is_legal(usi.0) { Ok(usi.0) } else { Err(UsiMoveError::Illegal(usi)) }
    }
}
