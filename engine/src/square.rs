//! Squares, files and ranks.
#![allow(unsafe_code, reason = "one conversion, see Square::from_index_wrapping")]

use std::fmt;
use std::str::FromStr;

use crate::color::Color;

macro_rules! line_of_eight {
    ($(#[$doc:meta])* $name:ident, $first:literal, [$($variant:ident),*]) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        #[allow(missing_docs, reason = "the names say it")]
        pub enum $name { $($variant),* }

        impl $name {
            /// All eight in order.
            pub const ALL: [$name; 8] = [$($name::$variant),*];

            /// 0 to 7.
            #[inline]
            pub const fn index(self) -> usize {
                self as usize
            }

            /// The one with this index, if there is one.
            pub const fn from_index(index: usize) -> Option<$name> {
                if index < 8 { Some($name::ALL[index]) } else { None }
            }

            /// The character of coordinate notation.
            pub const fn letter(self) -> char {
                ($first + self as u8) as char
            }

            /// Reads the character of coordinate notation.
            pub const fn from_letter(letter: char) -> Option<$name> {
                $name::from_index((letter as usize).wrapping_sub($first as usize))
            }
        }

        /// Writes the character of coordinate notation.
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Write::write_char(f, self.letter())
            }
        }
    };
}

line_of_eight!(
    /// A column of the board, `a` to `h` from White's left.
    File, b'a', [A, B, C, D, E, F, G, H]
);
line_of_eight!(
    /// A row of the board, `1` to `8` from White's side.
    Rank, b'1', [First, Second, Third, Fourth, Fifth, Sixth, Seventh, Eighth]
);

impl Rank {
    /// The same row counted from a player's own side.
    #[inline]
    pub const fn relative_to(self, color: Color) -> Rank {
        Rank::ALL[self as usize ^ (color as usize * 7)]
    }
}

/// One of the 64 squares; a1 is 0, b1 is 1, h8 is 63.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[rustfmt::skip]
#[allow(missing_docs, reason = "the names say it")]
pub enum Square {
    A1, B1, C1, D1, E1, F1, G1, H1,
    A2, B2, C2, D2, E2, F2, G2, H2,
    A3, B3, C3, D3, E3, F3, G3, H3,
    A4, B4, C4, D4, E4, F4, G4, H4,
    A5, B5, C5, D5, E5, F5, G5, H5,
    A6, B6, C6, D6, E6, F6, G6, H6,
    A7, B7, C7, D7, E7, F7, G7, H7,
    A8, B8, C8, D8, E8, F8, G8, H8,
}

impl Square {
    /// All squares from a1 to h8, file by file within each rank.
    pub const ALL: [Square; 64] = {
        let mut all = [Square::A1; 64];
        let mut i = 0;
        while i < 64 {
            all[i] = Square::from_index_wrapping(i as u8);
            i += 1;
        }
        all
    };

    /// The square where a file and a rank cross.
    #[inline]
    pub const fn new(file: File, rank: Rank) -> Square {
        Square::from_index_wrapping(rank as u8 * 8 + file as u8)
    }

    /// The square with this index, if it is below 64.
    pub const fn from_index(index: usize) -> Option<Square> {
        if index < 64 { Some(Square::ALL[index]) } else { None }
    }

    /// The square whose index is `index` modulo 64.
    #[inline]
    pub const fn from_index_wrapping(index: u8) -> Square {
        // SAFETY: `Square` is `repr(u8)` with the 64 values 0 to 63, and the mask leaves no other.
        unsafe { std::mem::transmute::<u8, Square>(index & 63) }
    }

    /// 0 to 63.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Its column.
    #[inline]
    pub const fn file(self) -> File {
        File::ALL[self as usize & 7]
    }

    /// Its row.
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank::ALL[self as usize >> 3]
    }

    /// The square seen from a player's own side: itself for White, upside down for Black.
    #[inline]
    pub const fn relative_to(self, color: Color) -> Square {
        Square::from_index_wrapping(self as u8 ^ (color as u8 * 56))
    }

    /// The square mirrored left to right.
    #[inline]
    pub const fn flip_file(self) -> Square {
        Square::from_index_wrapping(self as u8 ^ 7)
    }

    /// Upside down: a1 is a8.
    #[inline]
    pub const fn flip_rank(self) -> Square {
        Square::from_index_wrapping(self as u8 ^ 56)
    }

    /// The square some steps away, if it is on the board.
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        let file = (self as i8 & 7) + files;
        let rank = (self as i8 >> 3) + ranks;
        if file >= 0 && file < 8 && rank >= 0 && rank < 8 {
            Some(Square::from_index_wrapping((rank * 8 + file) as u8))
        } else {
            None
        }
    }

    /// King steps between two squares (Chebyshev distance), 0 to 7.
    #[inline]
    pub fn distance(self, other: Square) -> usize {
        let files = (self.file() as usize).abs_diff(other.file() as usize);
        let ranks = (self.rank() as usize).abs_diff(other.rank() as usize);
        files.max(ranks)
    }

    /// True for the squares of a1's colour.
    #[inline]
    pub const fn is_dark(self) -> bool {
        (self as u8 ^ (self as u8 >> 3)) & 1 == 0
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), self.rank())
    }
}

/// The text is not a square such as `e4`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseSquareError(pub String);

impl fmt::Display for ParseSquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a square: {:?}", self.0)
    }
}

impl std::error::Error for ParseSquareError {}

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        let error = || ParseSquareError(text.into());
        let mut letters = text.chars();
        let (Some(file), Some(rank), None) = (letters.next(), letters.next(), letters.next()) else {
            return Err(error());
        };
        match (File::from_letter(file), Rank::from_letter(rank)) {
            (Some(file), Some(rank)) => Ok(Square::new(file, rank)),
            _ => Err(error()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn square_is_its_file_and_rank() {
        for (i, square) in Square::ALL.into_iter().enumerate() {
            assert_eq!(square.index(), i);
            assert_eq!(Square::new(square.file(), square.rank()), square);
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(square.flip_rank(), square.relative_to(Color::Black));
            assert_eq!(square.rank().relative_to(Color::Black), square.flip_rank().rank());
        }
        assert_eq!(Square::from_index(64), None);
        assert!(Square::A1.is_dark() && Square::H8.is_dark() && !Square::A8.is_dark());
        assert_eq!(Square::E4.offset(1, -1), Some(Square::F3));
        assert_eq!(Square::H4.offset(1, 0), None);
        assert_eq!(Square::A1.distance(Square::C8), 7);
        for bad in ["", "e", "e9", "i4", "e4e", "E4", "é4"] {
            assert!(bad.parse::<Square>().is_err(), "{bad}");
        }
    }
}
