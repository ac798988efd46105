//! The command line of the training tools.

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::SystemTime;

use clap::{Args, Parser, Subcommand};
use makara_engine::PromotionRule;
use makara_training::random::Random;
use makara_training::selfplay::{self, Settings};

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
}

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
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Selfplay(arguments) => run_selfplay(arguments),
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
    };
    selfplay::run(&settings, &stop)?;
    Ok(())
}
