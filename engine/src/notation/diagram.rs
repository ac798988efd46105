//! A board drawn in text, for people.

use std::fmt;

use crate::position::Position;
use crate::square::{File, Rank, Square};

/// Draws a position with White at the bottom: FEN's letters, and dots for empty squares.
#[derive(Clone, Copy, Debug)]
pub struct Diagram<'a>(&'a Position);

impl Position {
    /// The board as a text of nine lines, each ended by a line feed.
    pub const fn diagram(&self) -> Diagram<'_> {
        Diagram(self)
    }
}

impl fmt::Display for Diagram<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            write!(f, "{rank}")?;
            for file in File::ALL {
                match self.0.piece_at(Square::new(file, rank)) {
                    Some(piece) => write!(f, " {piece}")?,
                    None => f.write_str(" .")?,
                }
            }
            writeln!(f)?;
        }
        f.write_str(" ")?;
        for file in File::ALL {
            write!(f, " {file}")?;
        }
        writeln!(f)
    }
}
