//! Kinds of men, with and without a colour.

use std::fmt;

use crate::color::Color;

/// A kind of man, in rising order of its usual value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Role {
    /// `p`: one step straight forward to an empty square, captures one step diagonally forward.
    Pawn,
    /// `q`: one step diagonally. Also called queen.
    Met,
    /// `b`: one step diagonally or straight forward. Also called bishop; moves like a silver general.
    Khon,
    /// `n`: the knight of chess.
    Knight,
    /// `r`: the rook of chess, the only man that moves far.
    Rook,
    /// `k`: one step in any direction.
    King,
}

impl Role {
    /// All six kinds in rising order.
    pub const ALL: [Role; 6] = [Role::Pawn, Role::Met, Role::Khon, Role::Knight, Role::Rook, Role::King];

    /// What a pawn may become under [`PromotionRule::Any`](crate::PromotionRule::Any), best first.
    pub const PROMOTIONS: [Role; 4] = [Role::Rook, Role::Knight, Role::Khon, Role::Met];

    /// 0 for a pawn to 5 for a king.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The role with this [`index`](Role::index), if there is one.
    pub const fn from_index(index: usize) -> Option<Role> {
        if index < 6 { Some(Role::ALL[index]) } else { None }
    }

    /// The lower-case letter of FEN, SAN and coordinate notation: `p q b n r k`.
    pub const fn letter(self) -> char {
        match self {
            Role::Pawn => 'p',
            Role::Met => 'q',
            Role::Khon => 'b',
            Role::Knight => 'n',
            Role::Rook => 'r',
            Role::King => 'k',
        }
    }

    /// Reads a letter of either case.
    pub const fn from_letter(letter: char) -> Option<Role> {
        Some(match letter {
            'p' | 'P' => Role::Pawn,
            'q' | 'Q' => Role::Met,
            'b' | 'B' => Role::Khon,
            'n' | 'N' => Role::Knight,
            'r' | 'R' => Role::Rook,
            'k' | 'K' => Role::King,
            _ => return None,
        })
    }

    /// This kind of man for a player.
    #[inline]
    pub const fn of(self, color: Color) -> Piece {
        Piece::ALL[color.index() * 6 + self.index()]
    }
}

/// Writes the game's name of it.
impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Role::Pawn => "pawn",
            Role::Met => "met",
            Role::Khon => "khon",
            Role::Knight => "knight",
            Role::Rook => "rook",
            Role::King => "king",
        })
    }
}

/// A man: a [`Role`] with a [`Color`], in one byte.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Piece {
    WhitePawn,
    WhiteMet,
    WhiteKhon,
    WhiteKnight,
    WhiteRook,
    WhiteKing,
    BlackPawn,
    BlackMet,
    BlackKhon,
    BlackKnight,
    BlackRook,
    BlackKing,
}

impl Piece {
    /// All twelve men, White's first, each player's in the order of [`Role::ALL`].
    pub const ALL: [Piece; 12] = [
        Piece::WhitePawn,
        Piece::WhiteMet,
        Piece::WhiteKhon,
        Piece::WhiteKnight,
        Piece::WhiteRook,
        Piece::WhiteKing,
        Piece::BlackPawn,
        Piece::BlackMet,
        Piece::BlackKhon,
        Piece::BlackKnight,
        Piece::BlackRook,
        Piece::BlackKing,
    ];

    /// 0 to 11, the place in [`Piece::ALL`].
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Whose man it is.
    #[inline]
    pub const fn color(self) -> Color {
        if (self as u8) < 6 { Color::White } else { Color::Black }
    }

    /// Its kind.
    #[inline]
    pub const fn role(self) -> Role {
        const ROLES: [Role; 12] = [
            Role::Pawn,
            Role::Met,
            Role::Khon,
            Role::Knight,
            Role::Rook,
            Role::King,
            Role::Pawn,
            Role::Met,
            Role::Khon,
            Role::Knight,
            Role::Rook,
            Role::King,
        ];
        ROLES[self as usize]
    }

    /// The FEN letter: upper case for White.
    pub const fn letter(self) -> char {
        match self.color() {
            Color::White => self.role().letter().to_ascii_uppercase(),
            Color::Black => self.role().letter(),
        }
    }

    /// Reads a FEN letter.
    pub const fn from_letter(letter: char) -> Option<Piece> {
        match Role::from_letter(letter) {
            Some(role) if letter.is_ascii_uppercase() => Some(role.of(Color::White)),
            Some(role) => Some(role.of(Color::Black)),
            None => None,
        }
    }
}

/// Writes the FEN letter.
impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Write::write_char(f, self.letter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn piece_is_its_color_and_role() {
        for color in Color::ALL {
            for role in Role::ALL {
                let piece = role.of(color);
                assert_eq!((piece.color(), piece.role()), (color, role));
                assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
                assert_eq!(Role::from_index(role.index()), Some(role));
            }
        }
        assert_eq!(Piece::from_letter('m'), None);
        assert_eq!(size_of::<Option<Piece>>(), 1);
    }
}
