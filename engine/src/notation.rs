//! Positions and moves as text.
//!
//! | what | read | write |
//! |---|---|---|
//! | FEN | [`Position::from_fen`](crate::Position::from_fen), `FromStr` | [`Position::to_fen`](crate::Position::to_fen), `Display` |
//! | SFEN | [`Position::from_sfen`](crate::Position::from_sfen) | [`Position::to_sfen`](crate::Position::to_sfen) |
//! | UCI moves (`a7a8r`) | [`Position::parse_uci`](crate::Position::parse_uci), `FromStr` of [`Move`](crate::Move) | `Display` of [`Move`](crate::Move) |
//! | USI moves (`8b8ar`) | [`Position::parse_usi`](crate::Position::parse_usi), `FromStr` of [`UsiMove`] | [`Move::usi`](crate::Move::usi) |
//! | SAN (`Rdxd4+`) | [`Position::parse_san`](crate::Position::parse_san) | [`Position::san`](crate::Position::san) |
//! | a diagram | | [`Position::diagram`](crate::Position::diagram) |
//!
//! `FromStr` of a [`Position`](crate::Position) reads a FEN under the promotion rule `any`.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod diagram;
mod fen;
mod placement;
mod san;
mod sfen;
mod uci;
mod usi;

pub use diagram::Diagram;
pub use fen::{FenError, ParsePositionError};
pub use placement::PlacementError;
pub use san::{San, SanError};
pub use sfen::SfenError;
pub use uci::{ParseUciError, UciMoveError};
pub use usi::{ParseUsiError, UsiMove, UsiMoveError};

/// Reads digits only: `str::parse` alone would take a sign.
fn number<T: std::str::FromStr>(text: &str) -> Option<T> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}
