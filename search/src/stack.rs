//! What the search remembers of each ply of the line it is in.

use makara_engine::Move;

use crate::history::{PieceTo, QuietKey};
use crate::score::{MAX_PLY, Score};

/// One ply.
#[derive(Clone, Copy, Default)]
pub(crate) struct Frame {
    /// The move being searched; `None` for a null move.
    pub(crate) mv: Option<Move>,
    /// The same as the histories see it.
    pub(crate) piece_to: Option<PieceTo>,
    /// The move's place in the histories, if it is quiet.
    pub(crate) quiet_key: Option<QuietKey>,
    /// The corrected static evaluation; `None` in check.
    pub(crate) evaluation: Option<Score>,
    /// The move left out by a singular search.
    pub(crate) excluded: Option<Move>,
    /// How far the move was reduced, in 1024ths of a ply.
    pub(crate) reduction: i32,
    /// Beta cutoffs among the children of the node.
    pub(crate) cutoffs: u32,
    /// The node is or was on a principal variation.
    pub(crate) was_pv: bool,
    /// How many extensions doubled on the way here.
    pub(crate) doubles: u32,
}

/// Frames from the root on, with room for every ply.
pub(crate) type Stack = Box<[Frame]>;

pub(crate) fn new_stack() -> Stack {
    vec![Frame::default(); MAX_PLY + 2].into_boxed_slice()
}

/// The principal variation below each ply ("triangular table").
pub(crate) struct PvTable {
    lines: Vec<Vec<Move>>,
}

impl PvTable {
    pub(crate) fn new() -> PvTable {
        PvTable { lines: (0..MAX_PLY + 2).map(|_| Vec::with_capacity(MAX_PLY)).collect() }
    }

    /// Forgets the line of a ply.
    #[inline]
    pub(crate) fn clear(&mut self, ply: usize) {
        self.lines[ply].clear();
    }

    /// A better move was found: the line of the ply is that move and the line below.
    pub(crate) fn extend(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&lower[0]);
    }

    pub(crate) fn line(&self, ply: usize) -> &[Move] {
        &self.lines[ply]
    }
}
