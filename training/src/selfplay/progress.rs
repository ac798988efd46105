//! The progress line of self-play.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::format::Record;

/// Counts what the threads have played.
#[derive(Debug)]
pub(super) struct Progress {
    start: Instant,
    goal: Option<usize>,
    /// Games that the files held at the start.
    old: AtomicUsize,
    positions: AtomicUsize,
    /// Games by result: Black won, drawn, White won.
    results: [AtomicUsize; 3],
}

impl Progress {
    pub(super) fn new(goal: Option<usize>) -> Progress {
        Progress {
            start: Instant::now(),
            goal,
            old: AtomicUsize::new(0),
            positions: AtomicUsize::new(0),
            results: Default::default(),
        }
    }

    /// Games of an earlier run, which count towards the goal.
    pub(super) fn add_old(&self, games: usize) {
        self.old.fetch_add(games, Relaxed);
    }

    /// One more game.
    pub(super) fn add(&self, record: &Record) {
        self.positions.fetch_add(record.plies.len() - usize::from(record.random_plies), Relaxed);
        self.results[record.result as usize].fetch_add(1, Relaxed);
    }

    /// Writes lines to the standard error output until `done`: one that changes on a terminal, else a new
    /// one a few times a minute.
    pub(super) fn report_until(&self, done: &AtomicBool) {
        let terminal = std::io::stderr().is_terminal();
        let pause = Duration::from_secs(if terminal { 1 } else { 15 });
        loop {
            std::thread::park_timeout(pause);
            let end = done.load(Relaxed);
            let (before, after) = if terminal { ("\r", "\x1b[K") } else { ("", "\n") };
            let mut output = std::io::stderr().lock();
            // Nobody reads the line if it cannot be written.
            let _ = write!(output, "{before}{}{after}", self.line());
            if end {
                let _ = if terminal { writeln!(output) } else { Ok(()) };
                return;
            }
        }
    }

    fn line(&self) -> String {
        let [black, draws, white] = [0, 1, 2].map(|result: usize| self.results[result].load(Relaxed));
        let games = black + draws + white;
        let positions = self.positions.load(Relaxed);
        let seconds = self.start.elapsed().as_secs_f64();
        let left = self.goal.filter(|_| games > 0).map_or(String::new(), |goal| {
            let to_play = goal.saturating_sub(games + self.old.load(Relaxed));
            let left = (seconds / games as f64 * to_play as f64) as u64;
            format!(", {}:{:02}:{:02} left", left / 3600, left / 60 % 60, left % 60)
        });
        let per_second = positions as f64 / seconds;
        format!(
            "{games} games, {positions} positions, {per_second:.0}/s, white +{white} ={draws} -{black}{left}"
        )
    }
}
