//! Self-play, data tools and the trainer of Makara's evaluation network.
//!
//! The way of the data: [`selfplay`] plays games and appends them to game files ([`format`](mod@format)).
//! [`tools`] count, check and show them. [`sample`] draws positions from them into position files
//! ([`packed`]). The trainer ([`train`](mod@train)) learns a network from these, of the inputs that [`features`] tell, and
//! rounds it to whole numbers ([`quantised`]). What scores mean is fitted by [`wdl`].
#![deny(missing_docs)]

pub mod error;
pub mod features;
pub mod format;
pub mod packed;
pub mod quantised;
pub mod random;
pub mod replay;
pub mod sample;
pub mod selfplay;
pub mod tools;
pub mod train;
pub mod wdl;
