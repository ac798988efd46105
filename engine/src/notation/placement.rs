//! The first field of FEN and SFEN: the men on the board, rank 8 first.

use std::fmt;

use crate::role::Piece;
use crate::setup::Setup;
use crate::square::{File, Rank, Square};

/// Why a text is no placement field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlacementError {
    /// Nothing is there.
    Missing,
    /// So many ranks instead of eight.
    RankCount(usize),
    /// Nothing stands between two slashes.
    EmptyRank(Rank),
    /// A rank has more or fewer than eight squares.
    RankLength {
        /// Which rank.
        rank: Rank,
        /// The rank as written.
        text: String,
    },
    /// A character is neither a piece nor a number of empty squares.
    BadPiece {
        /// Which rank.
        rank: Rank,
        /// The character.
        letter: char,
    },
}

impl fmt::Display for PlacementError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlacementError::Missing => f.write_str("placement: missing"),
            PlacementError::RankCount(ranks) => write!(f, "placement: {ranks} ranks instead of 8"),
            PlacementError::EmptyRank(rank) => write!(f, "placement: rank {rank} is empty"),
            PlacementError::RankLength { rank, text } => {
                write!(f, "placement: rank {rank} ({text:?}) has not 8 squares")
            }
            PlacementError::BadPiece { rank, letter } => {
                write!(f, "placement: {letter:?} in rank {rank} is no piece")
            }
        }
    }
}

impl std::error::Error for PlacementError {}

/// Reads the field into a setup with an empty board.
pub(super) fn parse_placement(text: Option<&str>) -> Result<Setup, PlacementError> {
    let text = text.ok_or(PlacementError::Missing)?;
    let ranks = text.split('/').count();
    if ranks != 8 {
        return Err(PlacementError::RankCount(ranks));
    }
    let mut setup = Setup::empty();
    for (rank, text) in Rank::ALL.into_iter().rev().zip(text.split('/')) {
        if text.is_empty() {
            return Err(PlacementError::EmptyRank(rank));
        }
        let wrong_length = || PlacementError::RankLength { rank, text: text.into() };
        let mut file = 0;
        for letter in text.chars() {
            if let Some(gap @ 1..=8) = letter.to_digit(10) {
                file += gap as usize;
            } else {
                let piece = Piece::from_letter(letter).ok_or(PlacementError::BadPiece { rank, letter })?;
                let square = File::from_index(file).map(|file| Square::new(file, rank));
                setup.set(square.ok_or_else(wrong_length)?, Some(piece));
                file += 1;
            }
        }
        if file != 8 {
            return Err(wrong_length());
        }
    }
    Ok(setup)
}

/// Writes the field.
pub(super) fn write_placement(setup: &Setup, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for rank in Rank::ALL.into_iter().rev() {
        let mut gap = 0;
        for file in File::ALL {
            let Some(piece) = setup.piece_at(Square::new(file, rank)) else {
                gap += 1;
                continue;
            };
            if gap > 0 {
                write!(f, "{gap}")?;
                gap = 0;
            }
            write!(f, "{piece}")?;
        }
        if gap > 0 {
            write!(f, "{gap}")?;
        }
        if rank != Rank::First {
            f.write_str("/")?;
        }
    }
    Ok(())
}
