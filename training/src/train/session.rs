//! A training run from config to network.

use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{fmt, fs, io};

use super::checkpoint;
use super::config::Config;
use super::gradient::{Goal, Worker};
use super::network::Network;
use super::optimizer::AdamW;
use super::report::{Data, Quantisation, Report, SuperBatch};
use super::stream::Stream;
use crate::error::FileError;
use crate::features::{BUCKETS, Features};
use crate::packed::{Packed, PackedReader};
use crate::quantised::{QA, QB, Quantised, SCALE};

/// Validation positions that are used at most.
const MOST_VALIDATION: usize = 1 << 20;
/// Positions on which the rounded network is compared.
const QUANTISATION_SAMPLE: usize = 20_000;
/// Batches between two progress lines.
const TALK_EVERY: u64 = 200;

/// Why a run failed.
#[derive(Debug)]
pub enum TrainError {
    /// A file could not be read or written.
    File(FileError),
    /// There is an earlier run of this name: resume it, or give another name.
    Exists(PathBuf),
    /// The checkpoint is of another run.
    OtherRun(PathBuf),
    /// The loss is no number any more: the step size is too large.
    Diverged,
}

impl fmt::Display for TrainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TrainError::File(error) => error.fmt(f),
            TrainError::Exists(path) => {
                write!(f, "{} is there already: use --resume, or another name", path.display())
            }
            TrainError::OtherRun(path) => write!(f, "{} is of a run with another config", path.display()),
            TrainError::Diverged => f.write_str("the training diverged; use a smaller learning rate"),
        }
    }
}

impl std::error::Error for TrainError {}

impl From<FileError> for TrainError {
    fn from(error: FileError) -> TrainError {
        TrainError::File(error)
    }
}

/// Trains a network and writes it with its checkpoint and report; with `resume`, goes on after the last
/// checkpoint. `tell` hears of the progress.
///
/// # Errors
/// When a file cannot be read or written, or the training diverges. The last checkpoint stays.
pub fn train(config: &Config, resume: bool, mut tell: impl FnMut(String)) -> Result<Report, TrainError> {
    let mut session = Session::new(config, resume)?;
    let per_superbatch = session.batches_per_superbatch();
    let done = session.report.superbatches.len();
    tell(format!(
        "{}: {} positions, {} for validation, {} superbatches of {per_superbatch} batches",
        config.name,
        session.report.training.iter().map(|data| data.positions).sum::<u64>(),
        session.validation.len(),
        config.superbatches
    ));
    let first = session.optimizer.steps * config.batch as u64;
    let stream = Stream::start(config.training.clone(), first, config.batch)?;
    for superbatch in done..config.superbatches {
        let result = session.superbatch(superbatch, per_superbatch, &stream, &mut tell)?;
        let validation =
            result.validation_loss.map_or(String::new(), |loss| format!(", validation {loss:.6}"));
        tell(format!(
            "superbatch {} of {}: loss {:.6}{validation}, rate {:.6}, {:.0} positions/s",
            result.number, config.superbatches, result.training_loss, result.learning_rate, result.per_second
        ));
        session.report.superbatches.push(result);
        session.save()?;
    }
    Ok(session.report)
}

/// The names of a run's files.
struct Paths {
    network: PathBuf,
    report: PathBuf,
    checkpoint: PathBuf,
}

struct Session<'a> {
    config: &'a Config,
    paths: Paths,
    network: Network,
    optimizer: AdamW,
    workers: Vec<Worker>,
    validation: Vec<Packed>,
    report: Report,
}

/// The sum of all workers' gradients, gathered in the first one's.
fn gathered(workers: &mut [Worker]) -> &[f32] {
    let Some((first, others)) = workers.split_first_mut() else { return &[] };
    for other in others {
        for (sum, part) in first.gradient.iter_mut().zip(&other.gradient) {
            *sum += part;
        }
    }
    &first.gradient
}

/// Opens a position file and counts it.
fn data(path: &Path) -> Result<Data, FileError> {
    Ok(Data { path: path.into(), positions: PackedReader::open(path)?.count() })
}

impl<'a> Session<'a> {
    fn new(config: &'a Config, resume: bool) -> Result<Session<'a>, TrainError> {
        fs::create_dir_all(&config.output).map_err(FileError::io(&config.output))?;
        let path = |ending: &str| config.output.join(format!("{}.{ending}", config.name));
        let paths = Paths { network: path("nn"), report: path("json"), checkpoint: path("checkpoint") };
        let mut validation = Vec::new();
        if let Some(path) = &config.validation {
            PackedReader::open(path)?.read(&mut validation, MOST_VALIDATION)?;
        }
        let mut report = Report {
            trainer: concat!("makara-train ", env!("CARGO_PKG_VERSION")).into(),
            config: config.clone(),
            training: config.training.iter().map(|path| data(path)).collect::<Result<_, _>>()?,
            validation: config.validation.as_deref().map(data).transpose()?,
            superbatches: Vec::new(),
            quantisation: None,
        };
        let (network, optimizer) = if resume {
            let text = fs::read(&paths.report).map_err(FileError::io(&paths.report))?;
            let json = |error| FileError::Io { path: paths.report.clone(), source: io::Error::other(error) };
            let old: Report = serde_json::from_slice(&text).map_err(json)?;
            if old.config != *config || old.training != report.training {
                return Err(TrainError::OtherRun(paths.report));
            }
            report.superbatches = old.superbatches;
            checkpoint::load(&paths.checkpoint, config.hidden)?
        } else if paths.checkpoint.exists() {
            return Err(TrainError::Exists(paths.checkpoint));
        } else {
            let network = match &config.initial {
                Some(path) => checkpoint::load(path, config.hidden)?.0,
                None => Network::random(config.hidden, config.seed),
            };
            let parameters = network.shape.len();
            (network, AdamW::new(parameters))
        };
        let workers = (0..config.threads).map(|_| Worker::new(&network)).collect();
        let mut session = Session { config, paths, network, optimizer, workers, validation, report };
        // The checkpoint is written last: a kill before it leaves a report of one superbatch too many.
        let done = session.optimizer.steps / session.batches_per_superbatch();
        session.report.superbatches.truncate(done as usize);
        Ok(session)
    }

    fn batches_per_superbatch(&self) -> u64 {
        let all = self.report.training.iter().map(|data| data.positions).sum();
        (self.config.superbatch_positions.unwrap_or(all) / self.config.batch as u64).max(1)
    }

    fn superbatch(
        &mut self,
        superbatch: usize,
        batches: u64,
        stream: &Stream,
        tell: &mut impl FnMut(String),
    ) -> Result<SuperBatch, TrainError> {
        let config = self.config;
        let lambda = config.lambda_at(superbatch);
        let goal = Goal::new(config, lambda);
        let start = Instant::now();
        let (mut losses, mut learning_rate) = (0.0, 0.0);
        for batch in 0..batches {
            let positions = stream.next()?;
            let loss = self.on_all_workers(&positions, |worker, network, positions| {
                worker.clear();
                worker.learn(network, goal, positions)
            });
            learning_rate = config.learning_rate_at(self.optimizer.steps, batches);
            let scale = 1.0 / positions.len() as f32;
            let gradient = gathered(&mut self.workers);
            self.optimizer.step(&mut self.network, gradient, scale, learning_rate, config.weight_decay);
            losses += loss / positions.len() as f64;
            if !losses.is_finite() {
                return Err(TrainError::Diverged);
            }
            if (batch + 1) % TALK_EVERY == 0 {
                let per_second = ((batch + 1) * config.batch as u64) as f64 / start.elapsed().as_secs_f64();
                let mean = losses / (batch + 1) as f64;
                tell(format!(
                    "  batch {} of {batches}: loss {mean:.6}, {per_second:.0} positions/s",
                    batch + 1
                ));
            }
        }
        let per_second = (batches * config.batch as u64) as f64 / start.elapsed().as_secs_f64();
        Ok(SuperBatch {
            number: superbatch + 1,
            positions: self.optimizer.steps * config.batch as u64,
            learning_rate,
            lambda,
            training_loss: losses / batches as f64,
            validation_loss: self.validation_loss(),
            per_second,
        })
    }

    fn validation_loss(&mut self) -> Option<f64> {
        let goal = Goal::new(self.config, self.config.lambda.end);
        let positions = std::mem::take(&mut self.validation);
        let loss = self
            .on_all_workers(&positions, |worker, network, positions| worker.loss(network, goal, positions));
        let count = positions.len();
        self.validation = positions;
        (count > 0).then(|| loss / count as f64)
    }

    /// Gives each worker its share of the positions and sums up what they return.
    fn on_all_workers(
        &mut self,
        positions: &[Packed],
        work: impl Fn(&mut Worker, &Network, &[Packed]) -> f64 + Sync,
    ) -> f64 {
        let share = positions.len().div_ceil(self.workers.len()).max(1);
        let (network, work) = (&self.network, &work);
        std::thread::scope(|scope| {
            let mut shares = positions.chunks(share);
            let mut workers = self.workers.iter_mut();
            let own = workers.next();
            let own_share = shares.next().unwrap_or_default();
            let threads: Vec<_> = workers
                .map(|worker| {
                    let share = shares.next().unwrap_or_default();
                    scope.spawn(move || work(worker, network, share))
                })
                .collect();
            let own_loss = own.map_or(0.0, |worker| work(worker, network, own_share));
            // A thread that panicked makes the loss no number, which ends the run.
            own_loss + threads.into_iter().map(|thread| thread.join().unwrap_or(f64::NAN)).sum::<f64>()
        })
    }

    /// Writes network, report and checkpoint.
    fn save(&mut self) -> Result<(), TrainError> {
        let mut quantised = self.network.quantised();
        let sample = self.sample()?;
        self.calibrate(&mut quantised, &sample);
        self.report.quantisation = Some(self.compare(&quantised, &sample));
        checkpoint::replace(&self.paths.network, &quantised.to_bytes())?;
        let mut text = serde_json::to_vec_pretty(&self.report)
            .map_err(|error| FileError::Io { path: self.paths.report.clone(), source: error.into() })?;
        text.push(b'\n');
        checkpoint::replace(&self.paths.report, &text)?;
        Ok(checkpoint::save(&self.paths.checkpoint, &self.network, &self.optimizer)?)
    }

    /// Validation positions, or else training ones, on which the rounded network is compared.
    fn sample(&self) -> Result<Vec<Packed>, FileError> {
        let mut sample: Vec<Packed> = self.validation.iter().take(QUANTISATION_SAMPLE).copied().collect();
        if let (true, Some(path)) = (sample.is_empty(), self.config.training.first()) {
            PackedReader::open(path)?.read(&mut sample, QUANTISATION_SAMPLE)?;
        }
        Ok(sample)
    }

    /// By how much rounding lowers a score, in centipawns.
    fn difference(&self, quantised: &Quantised, features: &Features) -> f64 {
        let exact = f64::from(self.network.evaluate(features)) * f64::from(SCALE);
        exact - f64::from(quantised.evaluate(features))
    }

    /// Much of what rounding does to a score is the same for all positions of a bucket: the bucket's bias
    /// takes it back.
    fn calibrate(&self, quantised: &mut Quantised, sample: &[Packed]) {
        let mut sums = [(0.0, 0.0); BUCKETS];
        for features in sample.iter().map(Features::new) {
            let (sum, count) = &mut sums[features.bucket()];
            *sum += self.difference(quantised, &features);
            *count += 1.0;
        }
        for (bias, (sum, count)) in quantised.output_biases.iter_mut().zip(sums) {
            let mean: f64 = if count > 0.0 { sum / count } else { 0.0 };
            *bias += (mean * f64::from(QA * QB) / f64::from(SCALE)).round() as i32;
        }
    }

    /// Compares the rounded network with the exact one.
    fn compare(&self, quantised: &Quantised, sample: &[Packed]) -> Quantisation {
        let differences =
            sample.iter().map(|packed| self.difference(quantised, &Features::new(packed)).abs());
        let (largest, sum) = differences.fold((0.0, 0.0), |(largest, sum): (f64, f64), difference| {
            (largest.max(difference), sum + difference)
        });
        Quantisation {
            positions: sample.len(),
            largest,
            mean: sum / sample.len().max(1) as f64,
            sums_fit_i32: quantised.sums_fit_i32(),
        }
    }
}
