//! The Makara engine: `makara` alone speaks the protocol of chess programs, `makara --help` tells the rest.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod bench;
mod cli;
mod controller;
mod display;
mod input;
mod options;
mod output;
mod session;
mod uci;

use std::process::ExitCode;

fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::new().filter_or("MAKARA_LOG", "off")).init();
    cli::run()
}
