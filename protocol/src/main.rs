//! The Makara engine.

use makara_engine::{Position, perft};

fn main() {
    let depth = std::env::args().nth(1).and_then(|arg| arg.parse().ok()).unwrap_or(5);
    println!("{}", perft(&Position::default(), depth));
}
