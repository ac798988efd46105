//! What a search tells while it runs.

use std::time::Duration;

use makara_engine::Move;

use crate::chances::Chances;
use crate::score::Outlook;

/// Whether a score is exact or only a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The score itself.
    Exact,
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

/// A line of play with its score.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// Its place among several lines, from 1.
    pub multipv: usize,
    /// The iteration, 0 only where there is no legal move.
    pub depth: usize,
    /// The deepest ply that was looked at.
    pub seldepth: usize,
    /// The score.
    pub outlook: Outlook,
    /// The same in the centipawns that search and training reckon in; of a mate, a number beyond all others.
    pub raw: i32,
    /// What it promises.
    pub chances: Chances,
    /// What the score is.
    pub bound: Bound,
    /// Nodes of all threads since the search began.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// How full the transposition table is, in thousandths.
    pub hashfull: usize,
    /// Positions found in endgame tables.
    pub tbhits: u64,
    /// The moves, the first of which is the move proposed. Empty only where there is no legal move.
    pub pv: Vec<Move>,
}

/// The answer of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Finished {
    /// The move to play; `None` where there is no legal move.
    pub best: Option<Move>,
    /// The reply that the search expects.
    pub ponder: Option<Move>,
}

/// What a running search sends. Each search ends with exactly one [`Event::Finished`].
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// A new or better line. At least one precedes the end of every search.
    Line(Line),
    /// The search begins with a root move; sent only once the search has run for some seconds.
    CurrentMove {
        /// The iteration.
        depth: usize,
        /// The root move.
        mv: Move,
        /// Its place in the order of root moves, from 1.
        number: usize,
    },
    /// The end.
    Finished(Finished),
}
