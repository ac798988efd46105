//! The rules of ASEAN chess: positions, legal moves, how a game ends, counting, notation.
//!
//! No dependencies, no I/O, no global state; no text makes a parser panic. Positions are small and `Copy`,
//! and generated moves are legal.
//!
//! # Set up
//! ```
//! use makara_engine::{Color, Piece, Position, PromotionRule, Role, Setup, Square};
//!
//! // The start of the game, a FEN, and a FEN under the rule that pawns become mets only.
//! let start = Position::default();
//! let rooks: Position = "4k3/8/8/8/8/8/8/R3K2R w - - 0 1".parse()?;
//! let laws = Position::from_fen("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", PromotionRule::Met)?;
//! assert_eq!(start.piece_at(Square::E1), Some(Piece::WhiteKing));
//! assert_eq!(rooks.pieces(Color::White, Role::Rook).count(), 2);
//! assert_eq!(laws.promotion_rule(), PromotionRule::Met);
//!
//! // Man by man: a setup may be impossible, so it is checked.
//! let mut setup = Setup::empty();
//! setup.set(Square::E1, Some(Piece::WhiteKing));
//! let errors = Position::from_setup(&setup, PromotionRule::Any).unwrap_err();
//! assert_eq!(errors.to_string(), "placement: black has no king");
//! setup.set(Square::E8, Some(Piece::BlackKing));
//! assert!(Position::from_setup(&setup, PromotionRule::Any).is_ok());
//!
//! // A bad text says which field is wrong, and why.
//! let error = "4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1".parse::<Position>().unwrap_err();
//! assert_eq!(error.to_string(), r#"castling: "KQkq" instead of -, the game has no castling"#);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Generate
//! ```
//! use makara_engine::{MoveList, Position, Square, Stage, perft};
//!
//! let start = Position::default();
//! assert_eq!(start.legal_moves().len(), 23);
//! let from_b1 = start.legal_moves().into_iter().filter(|mv| mv.from() == Square::B1).count();
//! assert_eq!(from_b1, 1);
//! assert_eq!(perft(&start, 3), 12012);
//!
//! // In stages: captures and promotions first.
//! let mut moves = MoveList::new();
//! start.generate(Stage::Noisy, &mut moves);
//! assert!(moves.is_empty());
//! start.generate(Stage::Quiet, &mut moves);
//! assert_eq!(moves.len(), 23);
//! ```
//!
//! # Play
//! ```
//! use makara_engine::{Game, Position};
//!
//! // A position gives the next one and stays as it is.
//! let start = Position::default();
//! let next = start.after(start.parse_uci("e3e4")?);
//! assert_eq!(next.to_fen(), "rnbqkbnr/8/pppppppp/8/4P3/PPPP1PPP/8/RNBQKBNR b - - 0 1");
//!
//! // A game keeps the history, which repetition needs, and refuses illegal moves.
//! let mut game = Game::default();
//! game.play(game.position().parse_uci("e3e4")?)?;
//! assert!(game.play("e4e6".parse()?).is_err());
//! assert_eq!(game.position(), &next);
//! game.undo();
//! assert_eq!(game.position(), &start);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # End
//! Mate, stalemate, a dead position and a count that has run out end a game; a threefold repetition and
//! the fifty moves are draws that a player may claim.
//! ```
//! use makara_engine::{Claim, Color, CountLimit, Game, Outcome};
//!
//! let mut game = Game::new("7k/R7/6K1/8/8/8/8/8 w - 32 31 60".parse()?);
//! assert_eq!(game.position().count().map(|count| count.limit), Some(CountLimit::Rook));
//! game.play(game.position().parse_san("Ra8#")?)?;
//! assert_eq!(game.outcome(), Some(Outcome::Checkmate { winner: Color::White }));
//! assert_eq!(game.outcome().map(Outcome::result), Some("1-0"));
//!
//! let mut game = Game::default();
//! for uci in ["b1d2", "b8d7", "d2b1", "d7b8", "b1d2", "b8d7", "d2b1", "d7b8"] {
//!     game.play(game.position().parse_uci(uci)?)?;
//! }
//! assert_eq!((game.outcome(), game.claim()), (None, Some(Claim::Threefold)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Notation
//! ```
//! use makara_engine::{Position, PromotionRule};
//!
//! let position: Position = "1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1".parse()?;
//! let mv = position.parse_san("axb8=R+")?;
//! assert_eq!(mv.to_string(), "a7b8r");
//! assert_eq!(mv.usi().to_string(), "8b7ar");
//! assert_eq!(position.san(mv).to_string(), "axb8=R+");
//! assert_eq!(position.parse_uci("a7b8r")?, mv);
//! assert_eq!(position.parse_usi("8b7ar")?, mv);
//!
//! // SFEN calls the first mover black, and has no room for the counters.
//! assert_eq!(position.to_sfen(), "1r2k3/P7/8/8/8/8/8/4K3 b - 1");
//! assert_eq!(Position::from_sfen(&position.to_sfen(), PromotionRule::Any)?, position);
//! print!("{}", position.diagram());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
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
