//! Search and evaluation for ASEAN chess.
//!
//! [`Searcher`] is the face of the crate: it owns the transposition table and the threads, runs one
//! search at a time in the background and reports by [`Event`]s through a channel. It never prints.
#![deny(missing_docs)]

mod chances;
#[cfg(feature = "tuning")]
pub mod evaluation;
#[cfg(not(feature = "tuning"))]
mod evaluation;
mod history;
mod iteration;
mod learning;
mod limits;
mod margins;
mod memory;
mod movepick;
pub mod parameters;
mod pruning;
mod quiescence;
mod report;
mod score;
mod search;
mod searcher;
mod signals;
mod skill;
mod stack;
mod time;
mod transposition;
mod worker;

pub use chances::Chances;
pub use evaluation::{BUILT_IN_NETWORK, Evaluation, Explanation, NetworkError};
pub use limits::{Clock, Limits};

pub use report::{Bound, Event, Finished, Line};
pub use score::{MAX_PLY, Outlook};
pub use searcher::{SearchError, Searcher};
pub use skill::Skill;
