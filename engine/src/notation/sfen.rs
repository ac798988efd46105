//! SFEN, the positions of USI, as Fairy-Stockfish writes them for this game.
//!
//! Fields: placement with FEN's letters, side, hands (always `-`), number of the ply. The side is `b` for
//! the first mover, which is our White, and `w` for the second. The number is that of the ply to be played
//! next, from 1, so it is odd for `b` and even for `w`: move 3 of White is ply 5.
//!
//! SFEN has no room for a count or a clock. Writing drops both; reading starts with no count running and
//! the clock at 0. A client that needs them sends the moves from where the count was not running yet.

use std::fmt;

use super::fen::ParsePositionError;
use super::number;
use super::placement::{PlacementError, parse_placement, write_placement};
use crate::color::Color;
use crate::position::Position;
use crate::setup::{PromotionRule, Setup};

/// Why a text is no SFEN: each variant names its field and holds the offending text.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the messages below say it")]
pub enum SfenError {
    Placement(PlacementError),
    MissingSide,
    BadSide(String),
    BadHands(String),
    BadPly(String),
    TrailingField(String),
}

impl fmt::Display for SfenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SfenError::Placement(error) => error.fmt(f),
            SfenError::MissingSide => f.write_str("side to move: missing"),
            SfenError::BadSide(text) => write!(f, "side to move: {text:?} is neither b nor w"),
            SfenError::BadHands(text) => write!(f, "hands: {text:?} instead of -, the game has no drops"),
            SfenError::BadPly(text) => write!(f, "ply number: {text:?} is no number that fits"),
            SfenError::TrailingField(text) => write!(f, "unexpected {text:?} after the last field"),
        }
    }
}

impl std::error::Error for SfenError {}

impl Setup {
    /// Reads an SFEN. The hands and the ply number may be missing. A ply number of the wrong parity for the
    /// side to move is read as Fairy-Stockfish does: `b` with 4 is move 2, as with 3.
    ///
    /// # Errors
    /// The first field that cannot be read. Whether the position is possible is not looked at.
    pub fn from_sfen(text: &str) -> Result<Setup, SfenError> {
        let mut fields = text.split_ascii_whitespace();
        let mut setup = parse_placement(fields.next()).map_err(SfenError::Placement)?;
        setup.turn = match fields.next().ok_or(SfenError::MissingSide)? {
            "b" => Color::White,
            "w" => Color::Black,
            other => return Err(SfenError::BadSide(other.into())),
        };
        match fields.next() {
            None | Some("-") => {}
            Some(other) => return Err(SfenError::BadHands(other.into())),
        }
        if let Some(text) = fields.next() {
            let earlier = number::<u64>(text).map(|ply| ply.saturating_sub(1 + setup.turn.index() as u64));
            let fullmove = earlier.and_then(|earlier| u32::try_from(earlier / 2 + 1).ok());
            setup.fullmove = fullmove.ok_or_else(|| SfenError::BadPly(text.into()))?;
        }
        match fields.next() {
            Some(extra) => Err(SfenError::TrailingField(extra.into())),
            None => Ok(setup),
        }
    }

    /// The setup as an SFEN of four fields, without its count or clock.
    pub fn to_sfen(&self) -> String {
        Sfen(self).to_string()
    }
}

struct Sfen<'a>(&'a Setup);

impl fmt::Display for Sfen<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sfen(setup) = self;
        write_placement(setup, f)?;
        let side = (!setup.turn).letter();
        let ply = (u64::from(setup.fullmove.max(1)) - 1) * 2 + setup.turn.index() as u64 + 1;
        write!(f, " {side} - {ply}")
    }
}

impl Position {
    /// Reads an SFEN and checks the position. No count runs in it.
    ///
    /// # Errors
    /// What cannot be read, or everything that makes the position impossible.
    pub fn from_sfen(text: &str, rule: PromotionRule) -> Result<Position, ParsePositionError<SfenError>> {
        let setup = Setup::from_sfen(text).map_err(ParsePositionError::Syntax)?;
        Position::from_setup(&setup, rule).map_err(ParsePositionError::Impossible)
    }

    /// The position as an SFEN of four fields. A running count and the clock are lost.
    pub fn to_sfen(&self) -> String {
        self.to_setup().to_sfen()
    }
}
