//! The trainer.

mod checkpoint;
pub mod config;
mod gradient;
pub mod network;
mod optimizer;
mod report;
mod session;
mod stream;

pub use report::{Data, Quantisation, Report, SuperBatch};
pub use session::{TrainError, train};
