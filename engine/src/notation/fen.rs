//! FEN, with the two counting fields of Fairy-Stockfish and pychess.org.
//!
//! Fields: placement, side, castling (always `-`), count limit in plies or `-`, plies of the count or of
//! the fifty-move clock, move number. Reading is lenient where clients differ: fields 3 to 6 may be
//! missing, and a count limit of `0` is none. Writing is exact.

use std::fmt;

use crate::color::Color;
use crate::count::CountLimit;
use crate::position::{Position, PositionErrors};
use crate::role::Piece;
use crate::setup::{PromotionRule, Setup};
use crate::square::{File, Rank, Square};

/// Why a text is no FEN: each variant names its field and holds the offending text.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the messages below say it")]
pub enum FenError {
    Empty,
    RankCount(usize),
    EmptyRank(Rank),
    RankLength { rank: Rank, text: String },
    BadPiece { rank: Rank, letter: char },
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
            FenError::Empty => f.write_str("the position is empty"),
            FenError::RankCount(ranks) => write!(f, "placement: {ranks} ranks instead of 8"),
            FenError::EmptyRank(rank) => write!(f, "placement: rank {} is empty", rank.letter()),
            FenError::RankLength { rank, text } => {
                write!(f, "placement: rank {} ({text:?}) has not 8 squares", rank.letter())
            }
            FenError::BadPiece { rank, letter } => {
                write!(f, "placement: {letter:?} in rank {} is no piece", rank.letter())
            }
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

impl<E: std::error::Error + 'static> std::error::Error for ParsePositionError<E> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ParsePositionError::Syntax(error) => Some(error),
            ParsePositionError::Impossible(errors) => Some(errors),
        }
    }
}

/// Reads digits only: `str::parse` alone would take a sign.
fn number<T: std::str::FromStr>(text: &str) -> Option<T> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

/// Reads the first field of FEN and SFEN.
pub(super) fn parse_placement(text: &str) -> Result<[Option<Piece>; 64], FenError> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 8 {
        return Err(FenError::RankCount(ranks.len()));
    }
    let mut board = [None; 64];
    for (rank, text) in Rank::ALL.into_iter().rev().zip(ranks) {
        if text.is_empty() {
            return Err(FenError::EmptyRank(rank));
        }
        let wrong_length = || FenError::RankLength { rank, text: text.into() };
        let mut file = 0;
        for letter in text.chars() {
            if let Some(gap @ 1..=8) = letter.to_digit(10) {
                file += gap as usize;
            } else {
                let piece = Piece::from_letter(letter).ok_or(FenError::BadPiece { rank, letter })?;
                let square = File::from_index(file).map(|file| Square::new(file, rank));
                board[square.ok_or_else(wrong_length)?.index()] = Some(piece);
                file += 1;
            }
        }
        if file != 8 {
            return Err(wrong_length());
        }
    }
    Ok(board)
}

impl Setup {
    /// Reads a FEN.
    ///
    /// # Errors
    /// The first field that cannot be read. Whether the position is possible is not looked at.
    pub fn from_fen(text: &str) -> Result<Setup, FenError> {
        let mut fields = text.split_ascii_whitespace();
        let mut setup = Setup::empty();
        setup.board = parse_placement(fields.next().ok_or(FenError::Empty)?)?;
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

/// Writes the first field of FEN and SFEN.
pub(super) fn write_placement(board: &[Option<Piece>; 64], f: &mut impl fmt::Write) -> fmt::Result {
    for rank in Rank::ALL.into_iter().rev() {
        if rank != Rank::Eighth {
            f.write_char('/')?;
        }
        let mut gap = 0;
        for file in File::ALL {
            match board[Square::new(file, rank).index()] {
                None => gap += 1,
                Some(piece) => {
                    if gap > 0 {
                        write!(f, "{gap}")?;
                        gap = 0;
                    }
                    f.write_char(piece.letter())?;
                }
            }
        }
        if gap > 0 {
            write!(f, "{gap}")?;
        }
    }
    Ok(())
}

/// Writes the setup as a FEN of six fields.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_placement(&self.board, f)?;
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
    /// # Errors
    /// What cannot be read, or everything that makes the position impossible.
    pub fn from_fen(text: &str, rule: PromotionRule) -> Result<Position, ParsePositionError<FenError>> {
        let setup = Setup::from_fen(text).map_err(ParsePositionError::Syntax)?;
        Position::from_setup(&setup, rule).map_err(ParsePositionError::Impossible)
    }

    /// The position as a FEN of six fields.
    pub fn to_fen(&self) -> String {
        self.to_setup().to_string()
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({} {:?})", self.to_setup(), self.promotion_rule())
    }
}
