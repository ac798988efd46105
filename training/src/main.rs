//! The command line of the training tools.

use std::error::Error;
use std::fmt::Display;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::SystemTime;

use clap::{Args, Parser, Subcommand};
use makara_engine::{Position, PromotionRule};
use makara_search::Evaluation;
use makara_training::error::FileError;
use makara_training::features::Features;
use makara_training::format::GameResult;
use makara_training::packed::Packed;
use makara_training::quantised::Quantised;
use makara_training::random::Random;
use makara_training::selfplay::{self, Settings};
use makara_training::train::{self, Quantisation, config::Config};
use makara_training::{sample, tools, wdl};

/// Makes game data for Makara's evaluation network, and trains it
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play games and append them to files; Ctrl-C ends after the present game
    Selfplay(SelfPlay),
    /// Count games, results and positions
    Count(Files),
    /// Count, and replay every game by the rules
    Check(Files),
    /// Show games as text
    Dump(Dump),
    /// Draw positions from games into a position file for the trainer: filtered, shuffled, no doubles
    Sample(Sample),
    /// Train a network as a config file says
    Train(Train),
    /// Show a network's score of a position in centipawns from the mover, by the plain inference
    Evaluate(Evaluate),
    /// Fit the chances that a score promises to games, and show the numbers for search/src/chances.rs
    FitWdl(Files),
}

#[derive(Args)]
struct Train {
    /// The config, JSON
    #[arg(long)]
    config: PathBuf,
    /// Go on after the last checkpoint
    #[arg(long)]
    resume: bool,
}

#[derive(Args)]
struct Evaluate {
    /// The network file
    #[arg(long)]
    network: PathBuf,
    /// Positions; without any, one a line from the standard input
    fens: Vec<String>,
}

#[derive(Args)]
struct Files {
    /// Game files, or folders of them
    #[arg(required = true)]
    paths: Vec<PathBuf>,
}

#[derive(Args)]
struct Dump {
    /// The game file
    path: PathBuf,
    /// Games to show
    #[arg(long, default_value_t = usize::MAX)]
    games: usize,
    /// One line a position: FEN;move;score from the mover;result
    #[arg(long)]
    positions: bool,
}

#[derive(Args)]
struct Sample {
    /// Game files, or folders of them
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// The position file to write
    #[arg(long)]
    out: PathBuf,
    /// A position file for validation, from games of its own
    #[arg(long)]
    validation: Option<PathBuf>,
    /// Share of the games for validation
    #[arg(long, default_value_t = 0.02)]
    validation_share: f64,
    /// Take scores nearer to 0 than this, in centipawns
    #[arg(long, default_value_t = 3000)]
    max_score: i32,
    /// Take positions from this ply on (random plies are never taken)
    #[arg(long, default_value_t = 0)]
    min_ply: usize,
    /// Take this share of the positions that pass
    #[arg(long, default_value_t = 1.0)]
    share: f64,
    /// Seed of the order
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Memory to use, in MiB
    #[arg(long, default_value_t = 512)]
    memory: usize,
}

const EVAL_FILE: &str = "Evaluation to play by: a network file, <built-in> or <hand-written>";

#[derive(Args)]
struct SelfPlay {
    /// Folder for the game files
    #[arg(long)]
    out: PathBuf,
    /// Games at a time
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Games in all, those already in the files of this seed included; without it, until Ctrl-C
    #[arg(long)]
    games: Option<usize>,
    /// Soft node limit of each move
    #[arg(long, default_value_t = 5000)]
    nodes: u32,
    /// Seed of the run; random if not given
    #[arg(long)]
    seed: Option<u64>,
    /// Random plies at the start of each game; every other game gets one more
    #[arg(long, default_value_t = 8)]
    random_plies: u8,
    /// Pawns become mets only
    #[arg(long)]
    met_promotion: bool,
    /// Transposition table of each thread, in MiB
    #[arg(long, default_value_t = 8)]
    hash: usize,
    #[arg(long, value_name = "FILE", default_value_t, help = EVAL_FILE)]
    eval_file: Evaluation,
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Selfplay(arguments) => run_selfplay(arguments),
        Command::Count(files) => run_tally(&files, false),
        Command::Check(files) => run_tally(&files, true),
        Command::Dump(arguments) => run_dump(&arguments),
        Command::Sample(arguments) => run_sample(arguments),
        Command::Train(arguments) => run_train(&arguments),
        Command::Evaluate(arguments) => run_evaluate(&arguments),
        Command::FitWdl(files) => wdl::fit(&files.paths).map_err(Into::into).and_then(|fit| Ok(print(&fit)?)),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// A seed that differs from run to run.
fn fresh_seed() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    Random::for_part(now.as_nanos() as u64, std::process::id().into()).next_u64()
}

fn run_selfplay(arguments: SelfPlay) -> Result<(), Box<dyn Error>> {
    let seed = arguments.seed.unwrap_or_else(fresh_seed);
    eprintln!("seed {seed}");
    let stop = Arc::new(AtomicBool::new(false));
    let handler_stop = Arc::clone(&stop);
    ctrlc::set_handler(move || handler_stop.store(true, Relaxed))?;
    let settings = Settings {
        out: arguments.out,
        threads: arguments.threads.max(1),
        games: arguments.games,
        nodes: arguments.nodes,
        seed,
        random_plies: arguments.random_plies,
        promotion_rule: if arguments.met_promotion { PromotionRule::Met } else { PromotionRule::Any },
        hash: arguments.hash,
        evaluation: arguments.eval_file,
    };
    selfplay::run(&settings, &stop)?;
    Ok(())
}

/// Writes a line to the standard output. Whoever reads may have had enough.
fn print(text: &dyn Display) -> io::Result<()> {
    match writeln!(io::stdout(), "{text}") {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

fn warn(text: String) {
    eprintln!("warning: {text}");
}

fn run_tally(files: &Files, check: bool) -> Result<(), Box<dyn Error>> {
    let tally = tools::tally(&tools::game_files(&files.paths)?, check, warn)?;
    print(&tally)?;
    if check && tally.faults > 0 { Err("faults were found".into()) } else { Ok(()) }
}

fn run_dump(arguments: &Dump) -> Result<(), Box<dyn Error>> {
    let mut output = BufWriter::new(io::stdout().lock());
    let result = tools::dump(&arguments.path, arguments.games, arguments.positions, &mut output);
    match result.and(output.flush().map_err(FileError::io("output".as_ref()))) {
        // Whoever reads may have had enough.
        Err(FileError::Io { source, .. }) if source.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => Ok(result?),
    }
}

fn run_sample(arguments: Sample) -> Result<(), Box<dyn Error>> {
    let settings = sample::Settings {
        inputs: tools::game_files(&arguments.paths)?,
        output: arguments.out,
        validation: arguments.validation,
        validation_share: arguments.validation_share,
        filter: sample::Filter {
            max_score: arguments.max_score,
            min_ply: arguments.min_ply,
            share: arguments.share,
        },
        seed: arguments.seed,
        memory: arguments.memory,
    };
    let summary = sample::run(&settings, warn)?;
    print(&format_args!(
        "{} games, {} scored positions, {} passed, {} written for training and {} for validation",
        summary.games, summary.positions, summary.passed, summary.training, summary.validation
    ))?;
    Ok(())
}

fn run_train(arguments: &Train) -> Result<(), Box<dyn Error>> {
    let config = Config::load(&arguments.config)?;
    let report = train::train(&config, arguments.resume, |text| eprintln!("{text}"))?;
    if let Some(quantisation) = report.quantisation {
        let Quantisation { positions, largest, mean, sums_fit_i32 } = quantisation;
        print(&format_args!(
            "rounding moves scores by {mean:.1} cp on average and {largest:.1} at most, on {positions} positions"
        ))?;
        if !sums_fit_i32 {
            warn("sums of the output may leave 32 bits".into());
        }
    }
    Ok(())
}

fn run_evaluate(arguments: &Evaluate) -> Result<(), Box<dyn Error>> {
    let network = Quantised::load(&arguments.network)?;
    let evaluate = |fen: &str| -> Result<(), Box<dyn Error>> {
        let position = Position::from_fen(fen, PromotionRule::Any)?;
        let packed = Packed::new(&position, 0, GameResult::Draw, 0);
        Ok(print(&format_args!("{fen};{}", network.evaluate(&Features::new(&packed))))?)
    };
    if arguments.fens.is_empty() {
        return io::stdin().lines().try_for_each(|line| evaluate(&line?));
    }
    arguments.fens.iter().try_for_each(|fen| evaluate(fen))
}
