//! Counting the leaves of the tree of legal moves, the standard test of a generator.

use crate::moves::Move;
use crate::position::Position;

/// The number of legal move paths of this many plies. The last ply is counted in bulk.
///
/// Paths go on where the game would end by a dead position or the count: only moves count.
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.legal_move_count() as u64,
        _ => position.legal_moves().iter().map(|&mv| perft(&position.after(mv), depth - 1)).sum(),
    }
}

/// [`perft`] split by first move, in the generator's order. Empty at depth 0.
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let Some(rest) = depth.checked_sub(1) else { return Vec::new() };
    position.legal_moves().iter().map(|&mv| (mv, perft(&position.after(mv), rest))).collect()
}
