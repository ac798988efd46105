//! Fits the chances that a score promises (`search/src/chances.rs`) to games, by maximum likelihood.

use std::fmt;
use std::path::PathBuf;

use crate::error::FileError;
use crate::format::{GameResult, Reader};
use crate::replay::replay;
use crate::tools::game_files;

/// Powers of the fullness of the board in each sum.
const TERMS: usize = 4;
/// The most men on a board.
const MEN: usize = 32;
/// Centipawns of a bin of scores.
const BIN: i32 = 10;
/// Scores beyond are left out, in centipawns: they decide nothing.
const MOST: i32 = 2000;
const BINS: usize = (2 * MOST / BIN) as usize + 1;
/// Steps of the fit, and their size at the start, in hundreds of centipawns.
const STEPS: usize = 6000;
const STEP: f64 = 0.02;
/// The least middle and width, in hundreds of centipawns.
const LEAST: f64 = 0.2;

/// How games went from positions of a score and a number of men: won, drawn, lost by the mover.
struct Table(Vec<[[u32; 3]; BINS]>);

impl Table {
    fn new() -> Table {
        Table(vec![[[0; 3]; BINS]; MEN + 1])
    }

    fn add(&mut self, men: usize, score: i32, outcome: usize) {
        if score.abs() <= MOST
            && let Some(bins) = self.0.get_mut(men)
        {
            bins[((score + MOST + BIN / 2) / BIN) as usize][outcome] += 1;
        }
    }

    /// Men, score in hundreds of centipawns, and counts of all that happened.
    fn cells(&self) -> Vec<(usize, f64, [f64; 3])> {
        let mut cells = Vec::new();
        for (men, bins) in self.0.iter().enumerate() {
            for (bin, counts) in bins.iter().enumerate().filter(|(_, counts)| counts.iter().any(|&n| n > 0)) {
                let score = f64::from(bin as i32 * BIN - MOST) / 100.0;
                cells.push((men, score, counts.map(f64::from)));
            }
        }
        cells
    }
}

/// The two sums of `search/src/chances.rs`, in centipawns, lowest power first, and how well they fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// Scores that win half of the games.
    pub middles: [f64; TERMS],
    /// How flat the curve is.
    pub widths: [f64; TERMS],
    /// Mean negative log likelihood of a result.
    pub loss: f64,
    /// Positions fitted to.
    pub positions: u64,
}

impl fmt::Display for Fit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "const MIDDLES: [f64; 4] = {:.1?};", self.middles)?;
        writeln!(f, "const WIDTHS: [f64; 4] = {:.1?};", self.widths)?;
        write!(f, "// {} positions, loss {:.4}", self.positions, self.loss)
    }
}

/// Fits to all scored positions of the games; files of several promotion rules may be mixed.
///
/// # Errors
/// When a file cannot be read. Games that are none are left out.
pub fn fit(paths: &[PathBuf]) -> Result<Fit, FileError> {
    let mut table = Table::new();
    for path in game_files(paths)? {
        let reader = Reader::open(&path)?;
        let rule = reader.header().promotion_rule;
        for record in reader {
            let record = record?;
            // A game that cannot be replayed ends where it goes wrong; what came before it is sound.
            let _ = replay(&record, rule, |step| {
                if let Some(score) = step.score {
                    let position = step.game.position();
                    let outcome = match record.result {
                        GameResult::Draw => 1,
                        result if (result == GameResult::WhiteWon) == position.turn().is_white() => 0,
                        _ => 2,
                    };
                    table.add(position.occupied().count(), score, outcome);
                }
            });
        }
    }
    Ok(fit_cells(&table.cells()))
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn fit_cells(cells: &[(usize, f64, [f64; 3])]) -> Fit {
    // Middles, then widths, in hundreds of centipawns.
    let mut parameters = [0.0; 2 * TERMS];
    (parameters[0], parameters[TERMS]) = (2.0, 1.0);
    let mut moments = [[0.0; 2]; 2 * TERMS];
    let mut loss = 0.0;
    for step in 1..=STEPS {
        let (now, gradient) = loss_and_gradient(cells, &parameters);
        loss = now;
        let size = STEP * (1.0 - step as f64 / STEPS as f64);
        for ((parameter, slope), [mean, square]) in parameters.iter_mut().zip(gradient).zip(&mut moments) {
            // Adam.
            *mean = 0.9 * *mean + 0.1 * slope;
            *square = 0.999 * *square + 0.001 * slope * slope;
            let (mean, square) =
                (*mean / (1.0 - 0.9_f64.powi(step as i32)), *square / (1.0 - 0.999_f64.powi(step as i32)));
            *parameter -= size * mean / (square.sqrt() + 1e-9);
        }
    }
    let sums = |from: usize| std::array::from_fn(|term| 100.0 * parameters[from + term]);
    let positions = cells.iter().flat_map(|(_, _, counts)| counts).sum::<f64>() as u64;
    Fit { middles: sums(0), widths: sums(TERMS), loss, positions }
}

/// The mean negative log likelihood, and its gradient.
fn loss_and_gradient(
    cells: &[(usize, f64, [f64; 3])],
    parameters: &[f64; 2 * TERMS],
) -> (f64, [f64; 2 * TERMS]) {
    let (mut loss, mut gradient, mut total) = (0.0, [0.0; 2 * TERMS], 0.0);
    for &(men, score, counts) in cells {
        let at = men as f64 / MEN as f64;
        let powers: [f64; TERMS] = std::array::from_fn(|term| at.powi(term as i32));
        let sum = |from: usize| -> f64 {
            powers.iter().zip(&parameters[from..]).map(|(power, term)| power * term).sum::<f64>()
        };
        let (middle, width) = (sum(0).max(LEAST), sum(TERMS).max(LEAST));
        let exponents = [(score - middle) / width, (-score - middle) / width];
        let [win, lose] = exponents.map(logistic);
        let draw = (1.0 - win - lose).max(1e-9);
        let [won, drawn, lost] = counts;
        loss -= won * win.max(1e-9).ln() + drawn * draw.ln() + lost * lose.max(1e-9).ln();
        // By the exponents: a chance p has the slope p (1 - p).
        let slopes = [
            win * (1.0 - win) * (drawn / draw) - won * (1.0 - win),
            lose * (1.0 - lose) * (drawn / draw) - lost * (1.0 - lose),
        ];
        let by_middle = -(slopes[0] + slopes[1]) / width;
        let by_width = -(slopes[0] * exponents[0] + slopes[1] * exponents[1]) / width;
        for (term, power) in powers.iter().enumerate() {
            gradient[term] += by_middle * power;
            gradient[TERMS + term] += by_width * power;
        }
        total += won + drawn + lost;
    }
    let total = f64::max(total, 1.0);
    (loss / total, gradient.map(|slope| slope / total))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games that go exactly as a curve says give that curve.
    #[test]
    fn a_known_curve_is_found() {
        let mut cells = Vec::new();
        for men in 2..=MEN {
            let middle = 1.5 + men as f64 / MEN as f64;
            for bin in -80..=80 {
                let score = f64::from(bin) / 10.0;
                let (win, lose) = (logistic((score - middle) / 0.8), logistic((-score - middle) / 0.8));
                cells.push((men, score, [win * 1e3, (1.0 - win - lose) * 1e3, lose * 1e3]));
            }
        }
        let fit = fit_cells(&cells);
        for men in [4, 16, 32] {
            let at = men as f64 / MEN as f64;
            let sum = |terms: [f64; TERMS]| terms.iter().rev().fold(0.0, |sum, term| sum * at + term);
            assert!((sum(fit.middles) - (150.0 + 100.0 * at)).abs() < 3.0, "{fit}");
            assert!((sum(fit.widths) - 80.0).abs() < 3.0, "{fit}");
        }
    }
}
