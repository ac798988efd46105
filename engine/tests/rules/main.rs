//! The rules core against the reference data in `tests/data/` and against slow twins of itself.

mod counting;
mod ends;
mod fen;
mod games;
mod moves;
mod perft;
mod properties;
mod san;
mod see;
mod twin;
mod usi;

use makara_engine::{Position, PromotionRule};

/// Reads a FEN that must be right, under the rule `any`.
fn position(fen: &str) -> Position {
    Position::from_fen(fen, PromotionRule::Any).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The FENs of `perft.epd`.
fn perft_fens() -> impl Iterator<Item = &'static str> {
    include_str!("../../../tests/data/perft.epd").lines().filter_map(|line| line.split(';').next())
}

/// A stream of random numbers from a fixed seed (xorshift64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}
