//! Counting, checking and showing game files.

use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::error::FileError;
use crate::format::{GameResult, Reader, Reason, Record};
use crate::replay::{replay, verify};

/// The ending of game files' names.
pub const EXTENSION: &str = "mkrg";

/// The game files that the paths name: files as they are, of folders the game files in them, sorted.
///
/// # Errors
/// When a path cannot be read.
pub fn game_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, FileError> {
    let mut files = Vec::new();
    for path in paths {
        if fs::metadata(path).map_err(FileError::io(path))?.is_dir() {
            let mut inside = Vec::new();
            for entry in fs::read_dir(path).map_err(FileError::io(path))? {
                let entry = entry.map_err(FileError::io(path))?.path();
                if entry.extension().is_some_and(|extension| extension == EXTENSION) {
                    inside.push(entry);
                }
            }
            inside.sort();
            files.extend(inside);
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

/// What game files hold.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Games.
    pub games: u64,
    /// Plies, random ones included.
    pub plies: u64,
    /// Plies with a score.
    pub positions: u64,
    /// Games by result, in the order of [`GameResult::ALL`].
    pub results: [u64; 3],
    /// Games by reason, in the order of [`Reason::ALL`].
    pub reasons: [u64; Reason::ALL.len()],
    /// Torn and damaged files and games that are none.
    pub faults: u64,
}

impl Tally {
    fn add(&mut self, record: &Record) {
        self.games += 1;
        self.plies += record.plies.len() as u64;
        self.positions += record.plies.iter().filter(|ply| ply.score.value().is_some()).count() as u64;
        self.results[record.result as usize] += 1;
        self.reasons[record.reason as usize] += 1;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} games, {} plies, {} scored positions", self.games, self.plies, self.positions)?;
        let mut line = |name: &str, games: u64| {
            let share = 100.0 * games as f64 / self.games.max(1) as f64;
            if games > 0 { writeln!(f, "  {name:<22} {games:>9} {share:5.1} %") } else { Ok(()) }
        };
        for result in GameResult::ALL {
            line(result.text(), self.results[result as usize])?;
        }
        for reason in Reason::ALL {
            line(&reason.to_string(), self.reasons[reason as usize])?;
        }
        write!(f, "{} faults", self.faults)
    }
}

/// Counts games; with `check` replays each by the rules too. `warn` hears of each fault.
///
/// # Errors
/// When a file cannot be read at all.
pub fn tally(files: &[PathBuf], check: bool, mut warn: impl FnMut(String)) -> Result<Tally, FileError> {
    let mut tally = Tally::default();
    for path in files {
        let mut reader = Reader::open(path)?;
        let rule = reader.header().promotion_rule;
        let mut faults = Vec::new();
        for (number, record) in (&mut reader).enumerate() {
            match record {
                Err(error) => faults.push(error.to_string()),
                Ok(record) => {
                    if check && let Err(error) = verify(&record, rule) {
                        faults.push(format!("{}: game {number}: {error}", path.display()));
                    }
                    tally.add(&record);
                }
            }
        }
        if reader.torn() > 0 {
            faults.push(format!("{}: {} bytes of a torn record at the end", path.display(), reader.torn()));
        }
        tally.faults += faults.len() as u64;
        faults.into_iter().for_each(&mut warn);
    }
    Ok(tally)
}

/// Writes a file's games as text, at most so many.
///
/// # Errors
/// When the file cannot be read, a record is no game, or `output` refuses.
pub fn dump(path: &Path, most: usize, positions: bool, output: &mut impl Write) -> Result<(), FileError> {
    let reader = Reader::open(path)?;
    let rule = reader.header().promotion_rule;
    let refused = |source: io::Error| FileError::Io { path: "output".into(), source };
    if !positions {
        writeln!(output, "{:?}", reader.header()).map_err(refused)?;
    }
    for (number, record) in reader.take(most).enumerate() {
        let record = record?;
        let mut text = String::new();
        let replayed = replay(&record, rule, |step| {
            let score = step.score.map_or("random".into(), |score| format!("{score:+}"));
            if positions {
                let fen = step.game.position().to_fen();
                text += &format!("{fen};{};{score};{}\n", step.mv, record.result.text());
            } else {
                text += &format!(" {} {score}", step.mv);
            }
        });
        replayed.map_err(|error| FileError::damaged(path, 0, format!("game {number}: {error}")))?;
        if positions {
            write!(output, "{text}").map_err(refused)?;
        } else {
            let Record { seed, result, reason, .. } = &record;
            let start = if record.start.is_empty() { "usual start" } else { &record.start };
            let result = result.text();
            writeln!(output, "game {number}: seed {seed}, {start}, {result}, {reason}\n {text}")
                .map_err(refused)?;
        }
    }
    Ok(())
}
