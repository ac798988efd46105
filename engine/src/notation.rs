//! Positions and moves as text.
//!
//! | what | here |
//! |---|---|
//! | FEN | [`Position::from_fen`](crate::Position::from_fen), [`Position::to_fen`](crate::Position::to_fen) |
//! | UCI moves (`a7a8r`) | [`UciMove`], `Display` of [`Move`](crate::Move) |

mod fen;
mod uci;

pub use fen::{FenError, ParsePositionError};
pub use uci::{ParseUciError, UciMove, UciMoveError};
