//! What a score means: the chances to win, draw and lose, as Makara's own games went.
//!
//! The chance to win is a logistic curve of the score, `1 / (1 + exp((a - score) / b))`, and the chance to
//! lose the same of its negative. `a` and `b` depend on how many men are left (as in Stockfish's model).
//! `makara-train fit-wdl` finds their numbers.

/// `a` is a sum of these times powers of [`fullness`], in the centipawns of the evaluation, lowest power first.
const MIDDLES: [f64; 4] = [220.0, 0.0, 0.0, 0.0];
/// As [`MIDDLES`] for `b`.
const WIDTHS: [f64; 4] = [100.0, 0.0, 0.0, 0.0];
/// The least that the two may be, whatever the fit gives where it had no games.
const LEAST: f64 = 20.0;

/// Chances of the side to move in thousandths; they add up to 1000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chances {
    /// To win.
    pub win: u16,
    /// To draw.
    pub draw: u16,
    /// To lose.
    pub loss: u16,
}

impl Chances {
    /// The game is certain to end in a draw.
    pub const DRAWN: Chances = Chances { win: 0, draw: 1000, loss: 0 };
    /// The side to move is certain to win.
    pub const WON: Chances = Chances { win: 1000, draw: 0, loss: 0 };
    /// The side to move is certain to lose.
    pub const LOST: Chances = Chances { win: 0, draw: 0, loss: 1000 };

    /// The expected result of the side to move, 0 to 1.
    pub fn expectation(self) -> f64 {
        f64::from(self.win) / 1000.0 + f64::from(self.draw) / 2000.0
    }

    /// What an estimate in the centipawns of the evaluation promises with so many men on the board.
    pub(crate) fn of(raw: i32, men: usize) -> Chances {
        let (middle, width) = curve(men);
        let chance = |raw: f64| (1000.0 / (1.0 + ((middle - raw) / width).exp())).round() as u16;
        let (win, loss) = (chance(f64::from(raw)), chance(f64::from(-raw)));
        // The two are at most a half each, and rounded.
        Chances { win, draw: 1000_u16.saturating_sub(win + loss), loss: loss.min(1000 - win) }
    }
}

/// An estimate in the centipawns of people: +100 is a chance of a half to win.
pub(crate) fn centipawns(raw: i32, men: usize) -> i32 {
    (100.0 * f64::from(raw) / curve(men).0).round() as i32
}

/// How full the board is: 1 at the start of the game.
fn fullness(men: usize) -> f64 {
    men as f64 / 32.0
}

/// `a` and `b`.
fn curve(men: usize) -> (f64, f64) {
    let at = fullness(men);
    let sum = |terms: &[f64; 4]| terms.iter().rev().fold(0.0, |sum, term| sum * at + term).max(LEAST);
    (sum(&MIDDLES), sum(&WIDTHS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_rise() {
        for men in 2..=32 {
            let mut last = 0.0;
            for raw in (-4000..=4000).step_by(50) {
                let chances = Chances::of(raw, men);
                assert_eq!(chances.win + chances.draw + chances.loss, 1000, "{raw} {men}");
                assert!(chances.expectation() >= last, "{raw} {men}");
                last = chances.expectation();
                let other = Chances::of(-raw, men);
                assert_eq!((chances.win, chances.loss), (other.loss, other.win));
            }
            assert!(last > 0.99, "{men}");
        }
    }

    #[test]
    fn a_pawn_wins_half_of_the_games() {
        for men in [4, 12, 20, 32] {
            let (middle, _) = curve(men);
            assert_eq!(centipawns(middle.round() as i32, men), 100);
            assert!((498..=502).contains(&Chances::of(middle.round() as i32, men).win));
            assert_eq!(centipawns(0, men), 0);
        }
    }
}
