//! What is recorded beside a network.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::config::Config;

/// Everything about a run, as JSON.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Report {
    /// The program that trained.
    pub trainer: String,
    /// What it was told.
    pub config: Config,
    /// The training files.
    pub training: Vec<Data>,
    /// The validation file.
    pub validation: Option<Data>,
    /// The superbatches so far.
    pub superbatches: Vec<SuperBatch>,
    /// The whole-number network against the floating-point one.
    pub quantisation: Option<Quantisation>,
}

/// A file and its positions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Data {
    pub path: PathBuf,
    pub positions: u64,
}

/// One superbatch.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SuperBatch {
    /// Its number, from 1.
    pub number: usize,
    /// Positions trained on since the start of the run.
    pub positions: u64,
    /// The last step size.
    pub learning_rate: f32,
    /// The share of the score in the target.
    pub lambda: f32,
    /// Mean loss of its positions.
    pub training_loss: f64,
    /// Mean loss of the validation positions, always with the last superbatch's `lambda`.
    pub validation_loss: Option<f64>,
    /// Positions a second, validation aside.
    pub per_second: f64,
}

/// How far rounding moves the scores.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Quantisation {
    /// Positions compared.
    pub positions: usize,
    /// The largest difference, in centipawns.
    pub largest: f64,
    /// The mean difference, in centipawns.
    pub mean: f64,
    /// No sum of the output can leave 32 bits.
    pub sums_fit_i32: bool,
}
