//! Makara plays against itself and keeps the games.

mod adjudicate;
mod game;
mod progress;

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::{fmt, fs, io};

use makara_engine::PromotionRule;
use makara_search::{BUILT_IN_NETWORK, Evaluation, NetworkError, SearchError, Searcher};

use crate::error::FileError;
use crate::format::{Header, Writer};
use crate::random::Random;
use game::Player;
use progress::Progress;

/// Enough for the deepest recursion of the search, which runs on the player's thread.
const STACK_SIZE: usize = 16 << 20;

/// How to play.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Folder for the files.
    pub out: PathBuf,
    /// Games at a time, each on a thread of its own.
    pub threads: usize,
    /// Games in all, those that the files hold already included; `None` to play until stopped.
    pub games: Option<usize>,
    /// Soft node limit of each move; the hard one is [`HARD_FACTOR`] times as high.
    pub nodes: u32,
    /// Seed of the run.
    pub seed: u64,
    /// Random plies at the start of each game; every other game has one more.
    pub random_plies: u8,
    /// What pawns may become.
    pub promotion_rule: PromotionRule,
    /// Transposition table of each thread, in MiB.
    pub hash: usize,
    /// What to evaluate by.
    pub evaluation: Evaluation,
}

/// The hard node limit of a move, as a multiple of the soft one.
pub const HARD_FACTOR: u32 = 8;

/// Why self-play ended early.
#[derive(Debug)]
pub enum SelfPlayError {
    /// A file could not be written.
    File(FileError),
    /// A search could not be set up.
    Search(SearchError),
    /// The network cannot be used.
    Network(NetworkError),
    /// A thread or the handler of Ctrl-C could not be started.
    System(io::Error),
}

impl fmt::Display for SelfPlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SelfPlayError::File(error) => error.fmt(f),
            SelfPlayError::Search(error) => error.fmt(f),
            SelfPlayError::Network(error) => error.fmt(f),
            SelfPlayError::System(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SelfPlayError {}

impl From<FileError> for SelfPlayError {
    fn from(error: FileError) -> SelfPlayError {
        SelfPlayError::File(error)
    }
}

impl From<SearchError> for SelfPlayError {
    fn from(error: SearchError) -> SelfPlayError {
        SelfPlayError::Search(error)
    }
}

impl From<NetworkError> for SelfPlayError {
    fn from(error: NetworkError) -> SelfPlayError {
        SelfPlayError::Network(error)
    }
}

impl From<io::Error> for SelfPlayError {
    fn from(error: io::Error) -> SelfPlayError {
        SelfPlayError::System(error)
    }
}

/// Plays until all games are played or `stop` is set; then each thread ends after its present game.
///
/// # Errors
/// When a file cannot be written or a thread cannot be started. Games written so far stay.
pub fn run(settings: &Settings, stop: &Arc<AtomicBool>) -> Result<(), SelfPlayError> {
    fs::create_dir_all(&settings.out).map_err(FileError::io(&settings.out))?;
    let progress = Progress::new(settings.games);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let mut threads = Vec::new();
        for thread in 0..settings.threads {
            let (progress, body_stop) = (&progress, &**stop);
            let body = move || {
                let result = play_games(settings, thread, progress, body_stop);
                if result.is_err() {
                    body_stop.store(true, Relaxed);
                }
                result
            };
            let builder = std::thread::Builder::new().stack_size(STACK_SIZE);
            threads.push(builder.spawn_scoped(scope, body).inspect_err(|_| stop.store(true, Relaxed))?);
        }
        let reporter = scope.spawn(|| progress.report_until(&done));
        let mut result = Ok(());
        for thread in threads {
            let ended = thread.join().unwrap_or_else(|_| Err(io::Error::other("a thread panicked").into()));
            result = result.and(ended);
        }
        done.store(true, Relaxed);
        reporter.thread().unpark();
        result
    })
}

/// What plays: the program's version, and the checksum of its network.
fn generator(settings: &Settings) -> Result<String, FileError> {
    let program = concat!("makara-train ", env!("CARGO_PKG_VERSION"));
    let network = match &settings.evaluation {
        Evaluation::HandWritten => return Ok(format!("{program} hand-written")),
        Evaluation::BuiltIn => Cow::Borrowed(BUILT_IN_NETWORK),
        Evaluation::File(path) => Cow::Owned(fs::read(path).map_err(FileError::io(path))?),
    };
    Ok(format!("{program} nn {:08x}", crc32fast::hash(&network)))
}

/// The share of one thread.
fn play_games(
    settings: &Settings,
    thread: usize,
    progress: &Progress,
    stop: &AtomicBool,
) -> Result<(), SelfPlayError> {
    let seed = Random::for_part(settings.seed, thread as u64).next_u64();
    let header = Header {
        promotion_rule: settings.promotion_rule,
        random_plies: settings.random_plies,
        soft_nodes: settings.nodes,
        hard_nodes: settings.nodes.saturating_mul(HARD_FACTOR),
        seed,
        generator: generator(settings)?,
    };
    let path = settings.out.join(format!("{:016x}-{thread}.mkrg", settings.seed));
    let (mut writer, played) = Writer::open(&path, &header)?;
    progress.add_old(played);
    let share = settings.games.map_or(usize::MAX, |games| {
        games / settings.threads + usize::from(thread < games % settings.threads)
    });
    let mut searcher = Searcher::new()?;
    searcher.set_hash(settings.hash)?;
    searcher.set_evaluation(settings.evaluation.clone())?;
    let mut player = Player::new(searcher, &header);
    for number in played..share {
        if stop.load(Relaxed) {
            break;
        }
        let record = player.play(Random::for_part(seed, number as u64).next_u64());
        writer.append(&record)?;
        progress.add(&record);
    }
    Ok(())
}
