//! What ends a search.

use std::time::Duration;

use makara_engine::Move;

/// The mover's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// Time left; zero also for a clock that has run out.
    pub remaining: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Free time at each move that is used before `remaining` (USI's byoyomi).
    pub byoyomi: Duration,
    /// Moves to the next time control; `None` when the clock is for the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// The limits of one search. The first one reached ends it; with none at all it runs until stopped.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Iterations, at least 1; more than [`MAX_PLY`](crate::MAX_PLY) is as many.
    pub depth: Option<u32>,
    /// Nodes over all threads.
    pub nodes: Option<u64>,
    /// Begin no new iteration after so many nodes of the first thread: cheaper and steadier than `nodes` for
    /// self-play.
    pub soft_nodes: Option<u64>,
    /// Time for this move, less the move overhead.
    pub move_time: Option<Duration>,
    /// End when a mate in so many of the mover's moves is found.
    pub mate: Option<u32>,
    /// Play by the clock.
    pub clock: Option<Clock>,
    /// Give no result before [`Searcher::stop`](crate::Searcher::stop), even when the search has ended.
    pub infinite: bool,
    /// Think on the opponent's time: no result and no clock before
    /// [`Searcher::ponder_hit`](crate::Searcher::ponder_hit) or `stop`.
    pub ponder: bool,
    /// Search only these first moves; all when none of them is legal.
    pub search_moves: Vec<Move>,
}
