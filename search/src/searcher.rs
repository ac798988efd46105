//! The face of the crate: one search at a time, in the background.

use std::fmt;
use std::time::Duration;

use crossbeam_channel::Sender;
use makara_engine::Game;

use crate::limits::Limits;
use crate::report::{Bound, Event, Finished, Line};
use crate::score::Outlook;

/// Why a setting could not be changed. The setting before it stays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchError {
    /// The machine cannot give a table of so many MiB.
    Hash(usize),
    /// The machine cannot run so many threads.
    Threads(usize),
}

impl fmt::Display for SearchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SearchError::Hash(mib) => write!(f, "cannot allocate a hash table of {mib} MiB"),
            SearchError::Threads(count) => write!(f, "cannot start {count} threads"),
        }
    }
}

impl std::error::Error for SearchError {}

/// Searches positions. Owns the transposition table and the threads.
#[derive(Debug)]
pub struct Searcher {}

impl Searcher {
    /// The table size before any [`set_hash`](Searcher::set_hash), in MiB.
    pub const DEFAULT_HASH: usize = 16;
    /// The most threads that [`set_threads`](Searcher::set_threads) takes.
    pub const MAX_THREADS: usize = 1024;

    /// One thread, a table of [`DEFAULT_HASH`](Searcher::DEFAULT_HASH) MiB.
    ///
    /// # Errors
    /// When the machine cannot give even that.
    pub fn new() -> Result<Searcher, SearchError> {
        Ok(Searcher {})
    }

    /// Changes the size of the transposition table, in MiB, and empties it. Ends a running search first.
    ///
    /// # Errors
    /// When there is not so much memory; the old table stays.
    pub fn set_hash(&mut self, _mib: usize) -> Result<(), SearchError> {
        Ok(())
    }

    /// Changes the number of threads, 1 to [`MAX_THREADS`](Searcher::MAX_THREADS). Ends a running search.
    ///
    /// # Errors
    /// When the machine cannot run so many; the old ones stay.
    pub fn set_threads(&mut self, _count: usize) -> Result<(), SearchError> {
        Ok(())
    }

    /// How many lines the next searches report, at least 1.
    pub fn set_multi_pv(&mut self, _lines: usize) {}

    /// Time to keep in reserve at each move for what lies between engine and clock.
    pub fn set_move_overhead(&mut self, _overhead: Duration) {}

    /// Forgets everything learned from earlier searches. Ends a running search first.
    pub fn clear(&mut self) {}

    /// Starts a search of the game's position and returns at once. A search that still runs is stopped and
    /// sends its result first.
    pub fn start(&mut self, game: &Game, _limits: Limits, events: Sender<Event>) {
        let best = game.position().legal_moves().first().copied();
        let _ = events.send(Event::Line(Line {
            multipv: 1,
            depth: 1,
            seldepth: 1,
            outlook: Outlook::Centipawns(0),
            bound: Bound::Exact,
            nodes: 1,
            time: Duration::ZERO,
            hashfull: 0,
            tbhits: 0,
            pv: best.into_iter().collect(),
        }));
        let _ = events.send(Event::Finished(Finished { best, ponder: None }));
    }

    /// Ends the running search, if any: its result comes within milliseconds.
    pub fn stop(&self) {}

    /// The opponent played the expected move: a pondering search goes on by the clock.
    pub fn ponder_hit(&self) {}

    /// Waits until the running search, if any, has sent its result.
    pub fn wait(&mut self) {}
}
