//! Positions from games: filtered, without doubles, in random order, with bounded memory.
//!
//! Each position goes to one of some buckets on disk, chosen by its key, so that equal positions meet.
//! Then each bucket is read whole, shuffled and freed of doubles. As keys are random, the buckets one
//! after another are in random order as a whole.

use std::fs::{self, File};
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use crate::error::FileError;
use crate::format::{Reader, Record};
use crate::packed::{PACKED_SIZE, Packed, write_header};
use crate::random::Random;
use crate::replay::{Step, replay};

/// What to take.
#[derive(Clone, Debug)]
pub struct Filter {
    /// Take scores nearer to 0 than this, in centipawns.
    pub max_score: i32,
    /// Take positions from this ply on; random plies are never taken.
    pub min_ply: usize,
    /// Take this share of the positions that pass, 0 to 1.
    pub share: f64,
}

/// How to sample.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Game files.
    pub inputs: Vec<PathBuf>,
    /// The position file for training.
    pub output: PathBuf,
    /// The position file for validation, from games of its own.
    pub validation: Option<PathBuf>,
    /// The share of games for validation, 0 to 1.
    pub validation_share: f64,
    /// What to take.
    pub filter: Filter,
    /// Seed of the order.
    pub seed: u64,
    /// Memory for a bucket, in MiB.
    pub memory: usize,
}

/// What a run did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Games read.
    pub games: u64,
    /// Positions in them.
    pub positions: u64,
    /// Positions that passed the filter.
    pub passed: u64,
    /// Positions written for training.
    pub training: u64,
    /// Positions written for validation.
    pub validation: u64,
}

const ENTRY_SIZE: usize = 8 + PACKED_SIZE;
/// The lowest bit of an entry's key says that it is for validation.
const VALIDATION_BIT: u64 = 1;
/// A quarter of a ply of a game file, at least, makes a usable position; this is on the safe side.
const PLY_SIZE: u64 = 3;

impl Filter {
    /// The score, if the position may be taken.
    fn score(&self, step: &Step<'_>) -> Option<i32> {
        let score = step.score?;
        let position = step.game.position();
        let quiet =
            !position.in_check() && !step.mv.is_promotion() && position.piece_at(step.mv.to()).is_none();
        (quiet && step.ply >= self.min_ply && score.abs() < self.max_score).then_some(score)
    }
}

/// The files in which positions wait.
struct Buckets {
    folder: PathBuf,
    files: Vec<BufWriter<File>>,
}

impl Buckets {
    fn new(output: &Path, count: usize) -> Result<Buckets, FileError> {
        let mut name = output.as_os_str().to_owned();
        name.push(".buckets");
        let folder = PathBuf::from(name);
        fs::create_dir_all(&folder).map_err(FileError::io(&folder))?;
        let mut buckets = Buckets { folder, files: Vec::new() };
        for number in 0..count {
            let path = buckets.path(number);
            let file = File::create(&path).map_err(FileError::io(&path))?;
            buckets.files.push(BufWriter::with_capacity(1 << 17, file));
        }
        Ok(buckets)
    }

    fn path(&self, number: usize) -> PathBuf {
        self.folder.join(number.to_string())
    }

    fn add(&mut self, key: u64, packed: &Packed) -> Result<(), FileError> {
        let number = ((u128::from(key) * self.files.len() as u128) >> 64) as usize;
        let path = self.path(number);
        let mut entry = [0; ENTRY_SIZE];
        entry[..8].copy_from_slice(&key.to_le_bytes());
        entry[8..].copy_from_slice(&packed.0);
        self.files[number].write_all(&entry).map_err(FileError::io(&path))
    }

    /// A bucket's entries in random order, each key once.
    fn take(&mut self, number: usize, random: &mut Random) -> Result<Vec<(u64, Packed)>, FileError> {
        let path = self.path(number);
        self.files[number].flush().map_err(FileError::io(&path))?;
        let mut bytes = Vec::new();
        let mut file = File::open(&path).map_err(FileError::io(&path))?;
        file.read_to_end(&mut bytes).map_err(FileError::io(&path))?;
        fs::remove_file(&path).map_err(FileError::io(&path))?;
        let (entries, _) = bytes.as_chunks::<ENTRY_SIZE>();
        let mut order: Vec<(u64, u32)> = entries
            .iter()
            .zip(0..)
            .map(|(&[a, b, c, d, e, f, g, h, ..], place)| {
                (u64::from_le_bytes([a, b, c, d, e, f, g, h]), place)
            })
            .collect();
        // Shuffled first, so that chance chooses among doubles.
        random.shuffle(&mut order);
        order.sort_by_key(|&(key, _)| key | VALIDATION_BIT);
        order.dedup_by_key(|&mut (key, _)| key | VALIDATION_BIT);
        random.shuffle(&mut order);
        let packed = |place: u32| {
            let mut packed = [0; PACKED_SIZE];
            packed.copy_from_slice(&entries[place as usize][8..]);
            Packed(packed)
        };
        Ok(order.into_iter().map(|(key, place)| (key, packed(place))).collect())
    }
}

impl Drop for Buckets {
    fn drop(&mut self) {
        // A left-over folder does no harm.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Samples positions. `warn` hears of torn and damaged files, which are used as far as they go.
///
/// # Errors
/// When a file cannot be read or written, or a record is no game.
pub fn run(settings: &Settings, mut warn: impl FnMut(String)) -> Result<Summary, FileError> {
    let bytes: u64 =
        settings.inputs.iter().filter_map(|path| fs::metadata(path).ok()).map(|data| data.len()).sum();
    // Entries, their order and the output of a bucket are in memory together.
    let most = bytes / PLY_SIZE * (2 * ENTRY_SIZE as u64 + 56);
    let count = (most / ((settings.memory.max(1) as u64) << 20)).clamp(8, 512) as usize;
    let mut buckets = Buckets::new(&settings.output, count)?;
    let mut summary = Summary::default();
    for path in &settings.inputs {
        let mut reader = Reader::open(path)?;
        let rule = reader.header().promotion_rule;
        let mut offset = reader.offset();
        while let Some(record) = reader.next() {
            let record = match record {
                Ok(record) => record,
                Err(error) => {
                    warn(format!("{error}; the rest of the file is not used"));
                    break;
                }
            };
            summary.games += 1;
            let entries = entries_of(&record, rule, settings, &mut summary)
                .map_err(|error| FileError::damaged(path, offset, error.to_string()))?;
            for (key, packed) in entries {
                buckets.add(key, &packed)?;
            }
            offset = reader.offset();
        }
        if reader.torn() > 0 {
            warn(format!("{}: {} bytes of a torn record at the end", path.display(), reader.torn()));
        }
    }
    write_positions(settings, &mut buckets, &mut summary)?;
    Ok(summary)
}

/// The keys and positions of a game that pass the filter.
fn entries_of(
    record: &Record,
    rule: makara_engine::PromotionRule,
    settings: &Settings,
    summary: &mut Summary,
) -> Result<Vec<(u64, Packed)>, crate::replay::ReplayError> {
    let mut random = Random::for_part(record.seed, settings.seed);
    let mut chance = |share: f64| ((random.next_u64() >> 11) as f64) < share * (1_u64 << 53) as f64;
    let validation = settings.validation.is_some() && chance(settings.validation_share);
    let mut entries = Vec::new();
    replay(record, rule, |step| {
        summary.positions += u64::from(step.score.is_some());
        if let Some(score) = settings.filter.score(&step)
            && chance(settings.filter.share)
        {
            summary.passed += 1;
            let position = step.game.position();
            let packed = Packed::new(position, score, record.result, step.ply);
            entries.push((position.key() & !VALIDATION_BIT | u64::from(validation), packed));
        }
    })?;
    Ok(entries)
}

fn write_positions(
    settings: &Settings,
    buckets: &mut Buckets,
    summary: &mut Summary,
) -> Result<(), FileError> {
    let open = |path: &Path| {
        let file = File::create(path).map_err(FileError::io(path))?;
        let mut output = BufWriter::with_capacity(1 << 20, file);
        write_header(&mut output).map_err(FileError::io(path))?;
        Ok(output)
    };
    let mut training = open(&settings.output)?;
    let mut validation = settings.validation.as_deref().map(open).transpose()?;
    let mut random = Random::new(settings.seed);
    for number in 0..buckets.files.len() {
        for (key, packed) in buckets.take(number, &mut random)? {
            let output = if key & VALIDATION_BIT == 0 { None } else { validation.as_mut() };
            match output {
                Some(output) => {
                    summary.validation += 1;
                    let path = settings.validation.as_deref().unwrap_or(&settings.output);
                    output.write_all(&packed.0).map_err(FileError::io(path))?;
                }
                None => {
                    summary.training += 1;
                    training.write_all(&packed.0).map_err(FileError::io(&settings.output))?;
                }
            }
        }
    }
    training.flush().map_err(FileError::io(&settings.output))?;
    if let (Some(output), Some(path)) = (&mut validation, &settings.validation) {
        output.flush().map_err(FileError::io(path))?;
    }
    Ok(())
}
