//! The Makara engine: `makara` alone speaks the protocol of chess programs, `makara --help` tells the rest.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod bench;
mod cecp;
mod cli;
mod controller;
mod display;
mod explain;
mod go;
mod info;
mod input;
mod options;
mod output;
mod session;
mod strength;
mod uci;
mod usi;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut logger = env_logger::Builder::new();
    let variables = ["MAKARA_LOG", "RUST_LOG"];
    let filters = variables.iter().find_map(|variable| std::env::var(variable).ok());
    logger.parse_filters(filters.as_deref().unwrap_or("off")).init();
    cli::run()
}
