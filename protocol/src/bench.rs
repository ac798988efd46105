//! A fixed set of positions, searched to measure speed and to notice any change of play.

use std::time::Instant;

use makara_engine::{Game, Position, PromotionRule};
use makara_search::{Evaluation, Limits, Searcher};

use crate::output::{Output, complain};

/// Plies, unless another depth is asked for.
pub(crate) const DEPTH: u32 = 13;

/// The start, openings, middlegames and endgames; the game's own counting endings among them.
const POSITIONS: &[&str] = &[
    "rnbqkbnr/8/pppppppp/8/8/PPPPPPPP/8/RNBQKBNR w - - 0 1",
    "rnbqkbnr/8/pp1p2p1/2pPpp1p/4P3/PPP2PPP/R1B5/1N1QKBNR b - - 0 5",
    "rnb2bnr/2q2k2/pp1pppp1/2p4p/P2P3P/1PP1PPP1/3N4/R1BQKBNR w - - 1 5",
    "rn1qkbnr/2b5/pppp1pp1/4p3/P1P4p/RP1PPPPP/4N1B1/1NBQK2R b - - 1 5",
    "rn1qk1nr/3b2b1/pp1ppp1p/2p3p1/8/PPPPPPPP/3NN2R/R1BQKB2 b - - 1 5",
    "rn1qkb1r/2b5/pppp1npp/4pp2/1PP5/P2PPPPP/3N1B2/1RBQK1NR b - - 0 5",
    "rnbq3r/4nkb1/pp1ppppp/2p5/2P4P/PPNPPPP1/2B5/R2QKBNR w - - 1 5",
    "rnbq1b1r/5k2/pppp1npp/4pp2/2P2P2/PP1PP1PP/4N2R/RNBQKB2 w - - 3 5",
    "r2qkbnr/2b5/ppnpp1pp/2p2p2/1P1P2P1/P1P1PP1P/1B2N3/RN1QKB1R b - - 2 5",
    "rn1qkb1r/3b4/ppp1pppp/3p1n2/P4P2/RPPPP1PP/3B4/1N1QKBNR w - - 4 5",
    "rnbqkb1r/4n3/p1p1ppp1/1p1p3p/1P1P1P2/P1P1P1PP/R7/1NBQKBNR w - - 2 5",
    "r1bqkbnr/8/ppnp1pp1/2p1p2p/4PP1P/PPPP2P1/R7/1NBQKBNR w - - 2 5",
    "rn1q1bnr/2b3k1/ppppp1pp/5p2/PP1P2P1/2P1PP1P/5B2/RNBQK1NR b - - 0 5",
    "r1b1kbnr/3nq3/ppppp1p1/5p1p/4PP2/PPPP2PP/4N2R/RNBQKB2 w - - 0 5",
    "rnbq1b1r/4nk2/1pppppp1/p6p/P1PP4/1P2PPPP/2B3B1/RN1QK1NR b - - 1 5",
    "rnbq1b1r/4nk2/pp1pppp1/2p4p/2P1PP2/PP1P2PP/1B2B3/RN1QK1NR b - - 0 5",
    "r1bq1bnr/3n1k2/ppppp1p1/5p1p/1P6/P1PPPPPP/R2N1K2/2BQ1BNR w - - 0 5",
    "rnbqkb1r/4n3/1pppp2p/p4ppP/8/PPPPPPP1/R2N4/2BQKBNR w - - 0 5",
    "4k3/8/8/N7/P3K3/8/2B5/8 b - - 6 58",
    "8/4q3/2p1n3/2P1p1k1/2B1P2p/3P4/3KQB2/8 w - - 0 54",
    "r1bk3r/2qnb3/pp1pp2p/2p1Pp1n/P1NP1PpP/1PP1B3/2Q3R1/R1B1K1N1 b - - 1 13",
    "8/2k5/6PB/8/2KN4/5P2/8/8 b - - 6 54",
    "r2qk2r/3bnnb1/pp1p2p1/2pP1pP1/2P1pP2/PP2P3/3BN1B1/RN1QKR2 b - - 1 13",
    "3q4/1r6/1b1p3K/6n1/5b2/k7/n7/8 w - - 11 59",
    "1n1qkb2/2rb4/1pppppp1/p7/6P1/PPPPP3/R1BB3N/2K5 b - - 1 13",
    "1nbqkbn1/1r4r1/pp1pp2p/2p2pp1/2PP4/PP2PPPP/RB1N1B2/1Q2K1NR b - - 0 13",
    "4r3/1nq1b1k1/pb1p2p1/2pP2Pp/2P4P/P2B2K1/2QBRN2/8 w - - 19 43",
    "r3kb2/2qbn2r/1p3pp1/p3n2p/2Pp3P/P2P1PP1/2BNNK2/1R1Q1B1R b - - 3 13",
    "1k6/2bP1n2/8/p7/P7/1K6/5B2/8 w - - 0 107",
    "rn1q1br1/1b2n3/p1ppk1p1/1p2p3/7P/PPPPP1BN/3NRK2/2BQ4 b - - 0 13",
    "1nk5/r7/3b3K/P3p3/p3P3/2PP4/2Q5/2B2b2 b - - 4 41",
    "3q1bn1/1bkn3r/1ppppp2/rp5p/P4P2/2PP1BPP/3B3R/RN1QK1N1 b - - 3 13",
    "1K5R/6k1/8/1r6/8/8/8/8 w - - 0 1",
    "7N/8/8/8/8/6K1/6Q1/7k b - - 0 1",
    "7k/3N4/4K3/8/1Q6/8/8/8 b - - 0 1",
    "5q2/8/8/7Q/k7/8/2K5/8 w - - 0 1",
    "5qk1/8/7K/8/8/N7/8/8 w - - 0 1",
    "8/3P1k2/8/8/4R3/8/6K1/8 w - - 0 1",
    "8/8/4k3/8/8/3BKQ2/8/8 w - - 0 1",
    "8/8/8/8/8/8/1Rk5/K7 b - - 0 1",
];

/// Searches all positions, each from an empty memory, on one thread, and prints `N nodes M nps`. With
/// `progress` each position is noted on standard error.
///
/// # Errors
/// With a message, when the evaluation cannot be had.
pub(crate) fn run(
    output: &mut Output,
    depth: u32,
    evaluation: Evaluation,
    progress: bool,
) -> Result<(), String> {
    let mut searcher = Searcher::new().map_err(|error| error.to_string())?;
    searcher.set_evaluation(evaluation).map_err(|error| error.to_string())?;
    let start = Instant::now();
    let mut nodes = 0;
    for (number, fen) in POSITIONS.iter().enumerate() {
        let position = Position::from_fen(fen, PromotionRule::Any)
            .map_err(|error| format!("bad bench position {fen}: {error}"))?;
        searcher.clear();
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let (line, _) = searcher.search(&Game::new(position), limits);
        let spent = line.map_or(0, |line| line.nodes);
        nodes += spent;
        if progress {
            complain(&format!("{:2}/{} {spent:9} {fen}", number + 1, POSITIONS.len()));
        }
    }
    let micros = start.elapsed().as_micros().max(1);
    output.line(&format!("{nodes} nodes {} nps", u128::from(nodes) * 1_000_000 / micros));
    Ok(())
}
