//! FEN, with the two counting fields of Fairy-Stockfish and pychess.org.
//!
//! Fields: placement, side, castling (always `-`), count limit in plies or `-`, plies of the count or of
//! the fifty-move clock, move number. Reading is lenient where clients differ: fields 3 to 6 may be
//! missing, and a count limit of `0` is none. Writing is exact.

use std::fmt;
use std::str::FromStr;

use super::number;
use super::placement::{PlacementError, parse_placement, write_placement};
use crate::color::Color;
use crate::count::CountLimit;
use crate::position::{Position, PositionErrors};
use crate::setup::{PromotionRule, Setup};

/// Why a text is no FEN: each variant names its field and holds the offending text.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the messages below say it")]
pub enum FenError {
    Placement(PlacementError),
    MissingSide,
    BadSide(String),
    BadCastling(String),
    BadCountLimit(String),
    BadClock(String),
    BadMoveNumber(String),
    TrailingField(String),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FenError::Placement(error) => error.fmt(f),
            FenError::MissingSide => f.write_str("side to move: missing"),
            FenError::BadSide(text) => write!(f, "side to move: {text:?} is neither w nor b"),
            FenError::BadCastling(text) => {
                write!(f, "castling: {text:?} instead of -, the game has no castling")
            }
            FenError::BadCountLimit(text) => {
                write!(f, "count limit: {text:?} is none of - 0 32 88 128")
            }
            FenError::BadClock(text) => {
                write!(f, "clock: {text:?} is no number of plies from 0 to {}", u16::MAX)
            }
            FenError::BadMoveNumber(text) => {
                write!(f, "move number: {text:?} is no number from 0 to {}", u32::MAX)
            }
            FenError::TrailingField(text) => write!(f, "unexpected {text:?} after the last field"),
        }
    }
}

impl std::error::Error for FenError {}

/// Why a text gives no position: it cannot be read, or the position is impossible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParsePositionError<E> {
    /// The text is malformed.
    Syntax(E),
    /// The text can be read but no such position can arise.
    Impossible(PositionErrors),
}

impl<E: fmt::Display> fmt::Display for ParsePositionError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParsePositionError::Syntax(error) => error.fmt(f),
            ParsePositionError::Impossible(errors) => errors.fmt(f),
        }
    }
}

impl<E: std::error::Error> std::error::Error for ParsePositionError<E> {}

impl Setup {
    /// Reads a FEN.
    ///
    /// # Errors
    /// The first field that cannot be read. Whether the position is possible is not looked at.
    pub fn from_fen(text: &str) -> Result<Setup, FenError> {
        let mut fields = text.split_ascii_whitespace();
        let mut setup = parse_placement(fields.next()).map_err(FenError::Placement)?;
        setup.turn = match fields.next().ok_or(FenError::MissingSide)? {
            "w" => Color::White,
            "b" => Color::Black,
            other => return Err(FenError::BadSide(other.into())),
        };
        match fields.next() {
            None | Some("-") => {}
            Some(other) => return Err(FenError::BadCastling(other.into())),
        }
        setup.count_limit = match fields.next() {
            None | Some("-" | "0") => None,
            Some(text) => {
                let limit = number(text).and_then(CountLimit::from_plies);
                Some(limit.ok_or_else(|| FenError::BadCountLimit(text.into()))?)
            }
        };
        if let Some(text) = fields.next() {
            setup.counter = number(text).ok_or_else(|| FenError::BadClock(text.into()))?;
        }
        if let Some(text) = fields.next() {
            let number: Option<u32> = number(text);
            setup.fullmove = number.ok_or_else(|| FenError::BadMoveNumber(text.into()))?.max(1);
        }
        match fields.next() {
            Some(extra) => Err(FenError::TrailingField(extra.into())),
            None => Ok(setup),
        }
    }
}

impl FromStr for Setup {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Setup, FenError> {
        Setup::from_fen(text)
    }
}

/// Writes the setup as a FEN of six fields.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_placement(self, f)?;
        write!(f, " {} - ", self.turn.letter())?;
        match self.count_limit {
            None => f.write_str("-")?,
            Some(limit) => write!(f, "{}", limit.plies())?,
        }
        write!(f, " {} {}", self.counter, self.fullmove)
    }
}

impl Position {
    /// Reads a FEN and checks the position.
    ///
    /// A running count takes the clock's place in FEN. The fifty-move clock of such a position is read as
    /// 0, the smallest it can be.
    ///
    /// # Errors
    /// What cannot be read, or everything that makes the position impossible.
    pub fn from_fen(text: &str, rule: PromotionRule) -> Result<Position, ParsePositionError<FenError>> {
        let setup = Setup::from_fen(text).map_err(ParsePositionError::Syntax)?;
        Position::from_setup(&setup, rule).map_err(ParsePositionError::Impossible)
    }

    /// The position as a FEN of six fields.
    pub fn to_fen(&self) -> String {
        self.to_string()
    }
}

/// Reads a FEN under [`PromotionRule::Any`].
impl FromStr for Position {
    type Err = ParsePositionError<FenError>;

    fn from_str(text: &str) -> Result<Position, Self::Err> {
        Position::from_fen(text, PromotionRule::Any)
    }
}

/// Writes the position as a FEN of six fields.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_setup().fmt(f)
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self} {:?})", self.promotion_rule())
    }
}
