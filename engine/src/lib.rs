//! The rules of ASEAN chess.
#![deny(missing_docs)]

pub mod attacks;
mod bitboard;
mod color;
mod count;
mod cycle;
mod game;
mod movegen;
mod moves;
pub mod notation;
mod outcome;
mod perft;
mod position;
mod role;
mod see;
mod setup;
mod square;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use color::Color;
pub use count::{Count, CountLimit};
pub use game::{Game, IllegalMove};
pub use movegen::Stage;
pub use moves::{MAX_LEGAL_MOVES, Move, MoveList};
pub use outcome::{Claim, FIFTY_MOVES_PLIES, Outcome};
pub use perft::{divide, perft};
pub use position::{Position, PositionError, PositionErrors};
pub use role::{Piece, Role};
pub use see::RoleValues;
pub use setup::{ParsePromotionRuleError, PromotionRule, Setup};
pub use square::{File, ParseSquareError, Rank, Square};
