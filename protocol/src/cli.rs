//! The command line. Exit codes: 0 done, 1 failed, 2 wrong usage.

use std::process::ExitCode;

use clap::{Args, Parser, Subcommand, ValueEnum};
use makara_engine::{Position, PromotionRule, perft};
use makara_search::{Evaluation, Searcher};

use crate::output::{Output, complain};
use crate::{bench, explain, session};

/// Plays and analyses ASEAN chess.
///
/// Without a command it speaks UCI on standard input and output, as GUIs and match managers expect.
#[derive(Parser)]
#[command(name = "makara", version, after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

const EXAMPLES: &str = "Examples:
  makara                            wait for protocol commands, e.g. from a GUI
  makara bench                      search a fixed set of positions; print nodes and speed
  makara eval                       show what the evaluation says of the start
  makara perft 5 --divide           count move paths from the start, by first move
  makara perft 3 --fen '8/P3k3/8/8/8/8/4K3/8 w - - 0 1'
Set MAKARA_LOG=debug to see all lines in and out on standard error.";

const EVAL_FILE: &str = "Evaluation to use: a network file, <built-in> or <hand-written>";

#[derive(Subcommand)]
enum Command {
    /// Search a fixed set of positions on one thread and print the node count, which is always the same,
    /// and the speed.
    Bench {
        /// Depth of each search, in plies.
        #[arg(default_value_t = bench::DEPTH, value_parser = clap::value_parser!(u32).range(1..=60))]
        depth: u32,
        #[arg(long, value_name = "FILE", default_value_t, help = EVAL_FILE)]
        eval_file: Evaluation,
    },
    /// Show what the evaluation says of a position, and what each man is worth in it.
    Eval {
        #[command(flatten)]
        place: Place,
        #[arg(long, value_name = "FILE", default_value_t, help = EVAL_FILE)]
        eval_file: Evaluation,
    },
    /// Count the paths of legal moves of so many plies.
    Perft {
        /// Plies.
        #[arg(value_parser = clap::value_parser!(u32).range(0..=20))]
        depth: u32,
        #[command(flatten)]
        place: Place,
        /// Count by first move.
        #[arg(long)]
        divide: bool,
    },
}

/// A position on the command line.
#[derive(Args)]
struct Place {
    /// The position; the start of the game when left out.
    #[arg(long)]
    fen: Option<String>,
    /// What a pawn may promote to.
    #[arg(long, value_enum, default_value_t = Promotion::Any)]
    promotion: Promotion,
}

impl Place {
    /// The position, or a message.
    fn position(&self) -> Result<Position, String> {
        let rule = self.promotion.into();
        match &self.fen {
            None => Ok(Position::start(rule)),
            Some(fen) => Position::from_fen(fen, rule).map_err(|error| format!("bad FEN: {error}")),
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum Promotion {
    /// Rook, knight, khon or met.
    Any,
    /// Met only.
    Met,
}

impl From<Promotion> for PromotionRule {
    fn from(promotion: Promotion) -> PromotionRule {
        match promotion {
            Promotion::Any => PromotionRule::Any,
            Promotion::Met => PromotionRule::Met,
        }
    }
}

/// Does what the command line says.
pub(crate) fn run() -> ExitCode {
    let mut output = Output::stdout();
    let Some(command) = Arguments::parse().command else { return session::run(output) };
    let code = run_command(command, &mut output);
    if output.has_failed() {
        complain("makara: cannot write to standard output");
        return ExitCode::FAILURE;
    }
    code
}

fn run_command(command: Command, output: &mut Output) -> ExitCode {
    let result = match command {
        Command::Bench { depth, eval_file } => bench::run(output, depth, eval_file, true),
        Command::Eval { place, eval_file } => print_evaluation(output, &place, eval_file),
        Command::Perft { depth, place, divide } => place.position().map(|position| {
            if divide {
                print_divide(output, &position, depth);
            } else {
                output.line(&perft(&position, depth).to_string());
            }
        }),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            complain(&format!("makara: {problem}"));
            ExitCode::FAILURE
        }
    }
}

fn print_evaluation(output: &mut Output, place: &Place, evaluation: Evaluation) -> Result<(), String> {
    let position = place.position()?;
    let name = evaluation.to_string();
    let mut searcher = Searcher::new().map_err(|error| error.to_string())?;
    searcher.set_evaluation(evaluation).map_err(|error| error.to_string())?;
    output.line(&explain::describe(&position, &searcher.explain(&position), &name));
    Ok(())
}

/// Prints the count below each first move as soon as it is known, then the total. Ends early when nobody
/// reads any more.
pub(crate) fn print_divide(output: &mut Output, position: &Position, depth: u32) {
    let mut total = if depth == 0 { 1 } else { 0 };
    for &mv in position.legal_moves().iter().take_while(|_| depth > 0) {
        if output.is_closed() {
            return;
        }
        let nodes = perft(&position.after(mv), depth - 1);
        output.line(&format!("{mv}: {nodes}"));
        total += nodes;
    }
    output.line(&format!("\nNodes searched: {total}"));
}
