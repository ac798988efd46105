//! Standard algebraic notation: `e4`, `exd5`, `Nbd2`, `Rxh7+`, `a8=R#`.
//!
//! Men other than pawns have the letters `K R N B Q`, where B is a khon and Q a met. Writing gives the
//! shortest text that names one legal move: a file if that is enough, else a rank, else both.

use std::fmt;

use crate::bitboard::Bitboard;
use crate::moves::Move;
use crate::position::Position;
use crate::role::Role;
use crate::square::{File, Rank, Square};

/// A legal move of a position, to be written in algebraic notation.
#[derive(Clone, Copy, Debug)]
pub struct San<'a> {
    position: &'a Position,
    mv: Move,
}

/// Why a text gives no move of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SanError {
    /// The text is not algebraic notation. Castling is not, since the game has none.
    Syntax(String),
    /// No legal move fits the text.
    Illegal(String),
    /// More than one legal move fits the text.
    Ambiguous(String),
}

impl fmt::Display for SanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SanError::Syntax(text) => write!(f, "unreadable move: {text:?}"),
            SanError::Illegal(text) => write!(f, "illegal move: {text:?}"),
            SanError::Ambiguous(text) => write!(f, "ambiguous move: {text:?}"),
        }
    }
}

impl std::error::Error for SanError {}

impl Position {
    /// A legal move in algebraic notation, by its `Display`.
    ///
    /// For a move that is not legal here the text has no meaning.
    pub const fn san(&self, mv: Move) -> San<'_> {
        San { position: self, mv }
    }

    /// Reads a legal move in algebraic notation.
    ///
    /// Lenient where writers differ: `x`, `=`, `+` and `#` may be missing or superfluous, marks such as
    /// `!?` may follow, the promotion letter may be small, and the square left may be given where it need
    /// not be.
    ///
    /// # Errors
    /// For a text that is no such notation, and for one that fits no legal move or more than one.
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        let pattern = Pattern::parse(text).ok_or_else(|| SanError::Syntax(text.into()))?;
        let legal = self.legal_moves();
        let mut fitting = legal.iter().filter(|&&mv| pattern.fits(self, mv));
        match (fitting.next(), fitting.next()) {
            (Some(&mv), None) => Ok(mv),
            (None, _) => Err(SanError::Illegal(text.into())),
            (Some(_), Some(_)) => Err(SanError::Ambiguous(text.into())),
        }
    }
}

impl fmt::Display for San<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (position, mv) = (self.position, self.mv);
        let (from, to) = (mv.from(), mv.to());
        let capture = position.piece_at(to).is_some();
        match position.role_at(from) {
            None | Some(Role::Pawn) if capture => write!(f, "{}", from.file())?,
            None | Some(Role::Pawn) => {}
            Some(role) => {
                write!(f, "{}", role.letter().to_ascii_uppercase())?;
                self.write_origin(role, f)?;
            }
        }
        write!(f, "{}{to}", if capture { "x" } else { "" })?;
        if let Some(role) = mv.promoted() {
            write!(f, "={}", role.letter().to_ascii_uppercase())?;
        }
        let next = position.after(mv);
        f.write_str(match (next.in_check(), next.in_check() && !next.has_legal_move()) {
            (_, true) => "#",
            (true, _) => "+",
            _ => "",
        })
    }
}

impl San<'_> {
    /// Writes as much of the square that is left as tells the move from others of the same kind of man.
    fn write_origin(&self, role: Role, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from, to) = (self.mv.from(), self.mv.to());
        let rivals: Bitboard = self
            .position
            .pieces(self.position.turn(), role)
            .without(from)
            .into_iter()
            .filter(|&rival| Move::new(rival, to).is_some_and(|mv| self.position.is_legal(mv)))
            .collect();
        if rivals.is_empty() {
            Ok(())
        } else if (rivals & Bitboard::file(from.file())).is_empty() {
            write!(f, "{}", from.file())
        } else if (rivals & Bitboard::rank(from.rank())).is_empty() {
            write!(f, "{}", from.rank())
        } else {
            write!(f, "{from}")
        }
    }
}

/// What a text in algebraic notation says about a move.
struct Pattern {
    role: Role,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<Role>,
}

impl Pattern {
    fn parse(text: &str) -> Option<Pattern> {
        let text = text.trim_end_matches(['+', '#', '!', '?']);
        let (role, rest) = match text.chars().next()? {
            letter @ ('K' | 'R' | 'N' | 'B' | 'Q') => (Role::from_letter(letter)?, text.get(1..)?),
            _ => (Role::Pawn, text),
        };
        let (promotion, rest) = match rest.chars().next_back()? {
            letter if Rank::from_letter(letter).is_some() => (None, rest),
            letter => {
                let role = Role::from_letter(letter)?;
                let squares = rest.get(..rest.len() - 1)?;
                (Some(role), squares.strip_suffix('=').unwrap_or(squares))
            }
        };
        let to_at = rest.len().checked_sub(2)?;
        let to = rest.get(to_at..)?.parse().ok()?;
        let origin = rest.get(..to_at)?;
        let mut origin = origin.strip_suffix(['x', '-']).unwrap_or(origin).chars().peekable();
        let file = origin.next_if(|&letter| File::from_letter(letter).is_some());
        let rank = origin.next_if(|&letter| Rank::from_letter(letter).is_some());
        if origin.next().is_some() {
            return None;
        }
        let (file, rank) = (file.and_then(File::from_letter), rank.and_then(Rank::from_letter));
        Some(Pattern { role, file, rank, to, promotion })
    }

    fn fits(&self, position: &Position, mv: Move) -> bool {
        let from = mv.from();
        // A pawn's text without a file is a push: the file of a capture is no mere disambiguation.
        let implied = (self.role == Role::Pawn).then_some(self.to.file());
        mv.to() == self.to
            && mv.promoted() == self.promotion
            && position.role_at(from) == Some(self.role)
            && self.file.or(implied).is_none_or(|file| file == from.file())
            && self.rank.is_none_or(|rank| rank == from.rank())
    }
}
