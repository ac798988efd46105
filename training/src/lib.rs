//! Self-play, data tools and the trainer of Makara's evaluation network.
//!
//! The way of the data: [`selfplay`] plays games and appends them to game files ([`format`](mod@format)).
#![deny(missing_docs)]

pub mod error;
pub mod format;
pub mod random;
pub mod selfplay;
