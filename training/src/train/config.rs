//! What a training run is told, as JSON. It is recorded beside the network.

use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::{Deserialize, Serialize};

use crate::error::FileError;

/// A training run. What a file leaves out has the value of [`Config::default`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Name of the network and its files.
    pub name: String,
    /// Folder for the files.
    pub output: PathBuf,
    /// Position files. They are read one after another, so draw a mixture with `sample` first.
    pub training: Vec<PathBuf>,
    /// A position file of games that are not trained on.
    pub validation: Option<PathBuf>,
    /// A checkpoint whose weights to begin with.
    pub initial: Option<PathBuf>,
    /// Hidden units of a perspective, a multiple of 64.
    pub hidden: usize,
    /// Positions of a batch.
    pub batch: usize,
    /// Number of superbatches.
    pub superbatches: usize,
    /// Positions of a superbatch, after which losses are told and a checkpoint is written; `None` for
    /// once through the data.
    pub superbatch_positions: Option<u64>,
    /// The step size.
    pub learning_rate: LearningRate,
    /// Share of the search's score in the target; the rest is the game's result.
    pub lambda: Lambda,
    /// Centipawns of the data's scores that count as one output before the sigmoid.
    pub score_scale: f32,
    /// The loss is the difference of prediction and target to this power.
    pub loss_power: f32,
    /// AdamW's weight decay.
    pub weight_decay: f32,
    /// Threads that compute.
    pub threads: usize,
    /// Seed of the first weights.
    pub seed: u64,
}

/// The step size in the course of a run.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LearningRate {
    /// The highest.
    pub start: f32,
    /// The last, for cosine decay.
    pub end: f32,
    /// Batches of linear rise from 0 to `start`.
    pub warm_up: u64,
    /// How it falls.
    pub decay: Decay,
}

/// How the step size falls.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Decay {
    /// By half a cosine wave.
    Cosine,
    /// By a factor after every so many superbatches.
    Step {
        /// Superbatches.
        every: usize,
        /// The factor.
        factor: f32,
    },
}

/// Linear from the first superbatch to the last.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lambda {
    /// In the first superbatch.
    pub start: f32,
    /// In the last.
    pub end: f32,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            name: "network".into(),
            output: ".".into(),
            training: Vec::new(),
            validation: None,
            initial: None,
            hidden: 256,
            batch: 16_384,
            superbatches: 20,
            superbatch_positions: None,
            learning_rate: LearningRate::default(),
            lambda: Lambda { start: 0.8, end: 0.8 },
            score_scale: 400.0,
            loss_power: 2.0,
            weight_decay: 0.01,
            threads: 2,
            seed: 1,
        }
    }
}

impl Default for LearningRate {
    fn default() -> LearningRate {
        LearningRate { start: 0.001, end: 0.000_01, warm_up: 100, decay: Decay::Cosine }
    }
}

impl Config {
    /// Reads a config file.
    ///
    /// # Errors
    /// When it cannot be read, or a value makes no sense.
    pub fn load(path: &Path) -> Result<Config, FileError> {
        let text = fs::read_to_string(path).map_err(FileError::io(path))?;
        let config: Config = serde_json::from_str(&text)
            .map_err(|error| FileError::Io { path: path.into(), source: io::Error::other(error) })?;
        match config.fault() {
            Some(fault) => Err(FileError::Io { path: path.into(), source: io::Error::other(fault) }),
            None => Ok(config),
        }
    }

    fn fault(&self) -> Option<&'static str> {
        let share = |value: f32| (0.0..=1.0).contains(&value);
        [
            (self.hidden == 0 || !self.hidden.is_multiple_of(64), "hidden: no multiple of 64"),
            (self.hidden > 4096, "hidden: more than 4096"),
            (self.batch == 0 || self.batch > 1 << 22, "batch: 0 or too large"),
            (self.superbatches == 0, "superbatches: 0"),
            (self.training.is_empty(), "training: no files"),
            (self.threads == 0 || self.threads > 256, "threads: 0 or too many"),
            (!share(self.lambda.start) || !share(self.lambda.end), "lambda: not from 0 to 1"),
            (self.score_scale <= 0.0, "score_scale: not above 0"),
            (self.loss_power < 1.0, "loss_power: below 1"),
        ]
        .into_iter()
        .find_map(|(wrong, fault)| wrong.then_some(fault))
    }

    /// The step size at a batch, counted from 0 over the run, of `per_superbatch` batches each.
    pub fn learning_rate_at(&self, batch: u64, per_superbatch: u64) -> f32 {
        let LearningRate { start, end, warm_up, decay } = self.learning_rate;
        if batch < warm_up {
            return start * (batch + 1) as f32 / warm_up as f32;
        }
        match decay {
            Decay::Cosine => {
                let all = per_superbatch * self.superbatches as u64;
                let done = (batch - warm_up) as f32 / all.saturating_sub(warm_up).max(1) as f32;
                end + (start - end) * 0.5 * (1.0 + (std::f32::consts::PI * done.min(1.0)).cos())
            }
            Decay::Step { every, factor } => {
                let steps = batch / (per_superbatch * every.max(1) as u64).max(1);
                start * factor.powi(steps as i32)
            }
        }
    }

    /// The share of the score in the target, in a superbatch counted from 0.
    pub fn lambda_at(&self, superbatch: usize) -> f32 {
        let done = superbatch as f32 / (self.superbatches - 1).max(1) as f32;
        self.lambda.start + (self.lambda.end - self.lambda.start) * done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_may_be_short() {
        let text = r#"{"name": "a", "training": ["b"], "learning_rate": {"decay": {"step": {"every": 2, "factor": 0.5}}}}"#;
        let config: Config = serde_json::from_str(text).expect("a config");
        assert_eq!((config.hidden, config.fault()), (256, None));
        let rates = [49, 99, 199, 200, 400].map(|batch| config.learning_rate_at(batch, 100));
        assert_eq!(rates, [0.0005, 0.001, 0.001, 0.0005, 0.000_25]);
        assert!(serde_json::from_str::<Config>(r#"{"hiden": 3}"#).is_err());
    }

    #[test]
    fn cosine_falls_from_start_to_end() {
        let config = Config { superbatches: 3, ..Config::default() };
        let rates: Vec<f32> = (0..3000).map(|batch| config.learning_rate_at(batch, 1000)).collect();
        assert!(rates[..100].is_sorted() && rates[99..].is_sorted_by(|a, b| a >= b));
        assert!((rates[2999] - 0.000_01).abs() < 1e-7);
        assert_eq!(Config { lambda: Lambda { start: 1.0, end: 0.5 }, ..config }.lambda_at(1), 0.75);
    }
}
