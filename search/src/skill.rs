//! Playing below full strength the way a person errs: shallower sight, and a choice among the good moves by
//! scores that are misjudged a little. No time is wasted.
//!
//! The idea of a noisy choice among several lines is Stockfish's; here the noise has a bound, so that a level
//! never plays a move that it sees to lose more than a certain part of a pawn.

use makara_engine::Move;

use crate::score::Score;

/// How strong to play.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Skill {
    /// 0 to [`FULL_LEVEL`](Skill::FULL_LEVEL); fractions lie between.
    level: f64,
}

/// Nodes of a move at level 0.
const FEWEST_NODES: f64 = 30.0;
/// By how much each level looks at more nodes.
const NODES_GROWTH: f64 = 1.42;
/// The standard deviation of the noise at level 0, in centipawns.
const MOST_NOISE: f64 = 300.0;
/// What is left of the noise at each next level.
const NOISE_DECAY: f64 = 0.8;
/// Scores count as no more than this, so that a mate can be overlooked no more than a queen's worth.
const CLEARLY_WON: i32 = 2000;

/// Elo of the levels from 0 on, as 100 games at 1+0.01 between each two neighbours gave it (errors of about 50
/// each); that of level 0 is a choice.
const ELO: [i32; Skill::FULL_LEVEL as usize + 1] = [
    500, 604, 664, 760, 946, 1057, 1188, 1295, 1351, 1436, 1547, 1666, 1759, 1902, 2079, 2239, 2374, 2485,
    2563, 2601, 2924,
];

impl Skill {
    /// The level of full strength.
    pub const FULL_LEVEL: u8 = 20;
    /// Full strength.
    pub const FULL: Skill = Skill { level: Skill::FULL_LEVEL as f64 };
    /// The Elo of level 0.
    pub const LOWEST_ELO: i32 = ELO[0];
    /// The Elo of full strength, at the time control of the measurement.
    pub const HIGHEST_ELO: i32 = ELO[Skill::FULL_LEVEL as usize];

    /// A level from 0 to [`FULL_LEVEL`](Skill::FULL_LEVEL); more is full strength.
    pub fn from_level(level: u8) -> Skill {
        Skill { level: f64::from(level.min(Skill::FULL_LEVEL)) }
    }

    /// The level, between two if need be, that plays by an Elo of the measured scale; beyond its ends, the end.
    pub fn from_elo(elo: i32) -> Skill {
        let above = ELO.iter().position(|&of_level| of_level >= elo).unwrap_or(ELO.len() - 1);
        let level = match above.checked_sub(1) {
            Some(below) => {
                let (low, high) = (f64::from(ELO[below]), f64::from(ELO[above]));
                below as f64 + (f64::from(elo.min(ELO[above])) - low) / (high - low)
            }
            None => 0.0,
        };
        Skill { level }
    }

    /// False at full strength.
    pub fn is_limited(self) -> bool {
        self.level < f64::from(Skill::FULL_LEVEL)
    }

    /// Nodes after which no new iteration begins.
    pub(crate) fn nodes(self) -> u64 {
        (FEWEST_NODES * NODES_GROWTH.powf(self.level)) as u64
    }

    /// How many of the best moves come into question: fewer at higher levels.
    pub(crate) fn lines(self) -> usize {
        (f64::from(Skill::FULL_LEVEL) - self.level).ceil().max(4.0) as usize
    }

    /// The standard deviation of the noise, in centipawns.
    fn noise(self) -> f64 {
        MOST_NOISE * NOISE_DECAY.powf(self.level)
    }

    /// Draws a move by its score with noise; the index in the list. The same seed draws the same.
    pub(crate) fn choose(self, scored: &[(Move, Score)], seed: u64) -> usize {
        let mut random = SplitMix(seed);
        let misjudged = |&(_, score): &(Move, Score)| {
            f64::from(score.raw().clamp(-CLEARLY_WON, CLEARLY_WON)) + self.noise() * random.bell()
        };
        let judged: Vec<f64> = scored.iter().map(misjudged).collect();
        (0..judged.len()).max_by(|&a, &b| judged[a].total_cmp(&judged[b]).then(b.cmp(&a))).unwrap_or(0)
    }
}

/// Vigna's generator; a stream for each seed.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Evenly in -0.5 to 0.5.
    fn even(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    }

    /// About normal, of deviation 1 and within twice the root of 3.
    fn bell(&mut self) -> f64 {
        // Four even draws have a variance of 4/12.
        (0..4).map(|_| self.even()).sum::<f64>() * 3f64.sqrt()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
mod tests {
    use makara_engine::Position;

    use super::*;

    #[test]
    fn elo_and_levels_agree() {
        assert!(ELO.windows(2).all(|pair| pair[0] < pair[1]));
        for level in 0..=Skill::FULL_LEVEL {
            assert_eq!(Skill::from_elo(ELO[usize::from(level)]), Skill::from_level(level));
        }
        assert_eq!(Skill::from_elo(i32::MIN), Skill::from_level(0));
        assert_eq!(Skill::from_elo(i32::MAX), Skill::FULL);
        let between = Skill::from_elo(ELO[3].midpoint(ELO[4])).level;
        assert!((3.4..3.6).contains(&between), "{between}");
        assert_eq!(Skill::from_level(200), Skill::FULL);
        assert!(!Skill::FULL.is_limited() && Skill::from_level(19).is_limited());
    }

    #[test]
    fn noise_is_bounded_and_falls_with_the_level() {
        let moves = Position::default().legal_moves();
        let bounded = |level: u8, loss: i32| {
            let scored = [(moves[0], Score::estimate(0)), (moves[1], Score::estimate(-loss))];
            (0..2000).filter(|&seed| Skill::from_level(level).choose(&scored, seed) == 1).count()
        };
        // A rook less is possible for the weakest and never drawn from level 8 on.
        assert!(bounded(0, 500) > 50);
        for level in 8..Skill::FULL_LEVEL {
            assert_eq!(bounded(level, 500), 0, "{level}");
        }
        let errors: Vec<usize> = (0..Skill::FULL_LEVEL).map(|level| bounded(level, 40)).collect();
        assert!(errors.windows(2).all(|pair| pair[0] + 40 >= pair[1]), "{errors:?}");
        assert!(errors[0] > 700 && errors[19] == 0, "{errors:?}");
    }
}
