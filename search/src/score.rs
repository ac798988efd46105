//! Scores inside the search and as told to people.

use std::ops::{Add, Neg, Sub};

use crate::chances::{Chances, centipawns};

/// The longest line that the search looks at, in plies.
pub const MAX_PLY: usize = 246;

/// A score as told to people, from the side of the mover.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outlook {
    /// An estimate; +100 is a chance of a half to win.
    Centipawns(i32),
    /// A forced mate in so many own moves.
    MateIn(u32),
    /// The mover is mated in so many of the opponent's moves; 0 means that it is mated already.
    MatedIn(u32),
}

/// A score from the side to move, in centipawns as the evaluation gives them; people are told others, see
/// [`centipawns`].
///
/// Estimates lie within ±[`Score::LONGEST_MATE`] exclusive; beyond are mates, counted in plies from the
/// root: `MATE - n` mates in n plies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Score(i32);

impl Score {
    pub(crate) const DRAW: Score = Score(0);
    /// Above every score.
    pub(crate) const INFINITE: Score = Score(32_001);
    /// Mate on the board.
    const MATE: i32 = 32_000;
    /// The nearest score that is still a mate.
    pub(crate) const LONGEST_MATE: Score = Score(Score::MATE - MAX_PLY as i32);

    /// An estimate, kept out of the range of mates.
    #[inline]
    pub(crate) fn estimate(centipawns: i32) -> Score {
        let limit = Score::LONGEST_MATE.0 - 1;
        Score(centipawns.clamp(-limit, limit))
    }

    /// The side to move mates in so many plies from the root.
    #[inline]
    pub(crate) const fn mate_in(plies: usize) -> Score {
        Score(Score::MATE - plies as i32)
    }

    /// The side to move is mated in so many plies from the root.
    #[inline]
    pub(crate) const fn mated_in(plies: usize) -> Score {
        Score(plies as i32 - Score::MATE)
    }

    /// Centipawns, or the code of a mate.
    #[inline]
    pub(crate) const fn raw(self) -> i32 {
        self.0
    }

    /// True for a forced mate, for or against the side to move.
    #[inline]
    pub(crate) const fn is_mate(self) -> bool {
        self.0.abs() >= Score::LONGEST_MATE.0
    }

    /// True when the side to move mates.
    #[inline]
    pub(crate) const fn is_win(self) -> bool {
        self.0 >= Score::LONGEST_MATE.0
    }

    /// True when the side to move is mated.
    #[inline]
    pub(crate) const fn is_loss(self) -> bool {
        self.0 <= -Score::LONGEST_MATE.0
    }

    /// For storing: a mate counted from the node itself, `ply` plies below the root.
    #[inline]
    pub(crate) const fn to_stored(self, ply: usize) -> i16 {
        let distance = ply as i32;
        (if self.is_win() {
            self.0 + distance
        } else if self.is_loss() {
            self.0 - distance
        } else {
            self.0
        }) as i16
    }

    /// Reads what [`to_stored`](Score::to_stored) gave, at a node `ply` plies below the root that a draw can be
    /// claimed after `plies_left` more. A mate that comes later is no mate, but still far from equal.
    #[inline]
    pub(crate) const fn from_stored(stored: i16, ply: usize, plies_left: u16) -> Score {
        let score = Score(stored as i32);
        let distance = ply as i32;
        if score.is_mate() && Score::MATE - score.0.abs() > plies_left as i32 {
            Score((Score::LONGEST_MATE.0 - 1) * score.0.signum())
        } else if score.is_win() {
            Score(score.0 - distance)
        } else if score.is_loss() {
            Score(score.0 + distance)
        } else {
            score
        }
    }

    /// As told to people, with so many men on the board.
    pub(crate) fn outlook(self, men: usize) -> Outlook {
        if self.is_win() {
            Outlook::MateIn((Score::MATE - self.0 + 1) as u32 / 2)
        } else if self.is_loss() {
            Outlook::MatedIn((Score::MATE + self.0) as u32 / 2)
        } else {
            Outlook::Centipawns(centipawns(self.0, men))
        }
    }

    /// What it promises, with so many men on the board.
    pub(crate) fn chances(self, men: usize) -> Chances {
        if self.is_win() {
            Chances::WON
        } else if self.is_loss() {
            Chances::LOST
        } else {
            Chances::of(self.0, men)
        }
    }
}

impl Neg for Score {
    type Output = Score;
    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Score;
    #[inline]
    fn add(self, margin: i32) -> Score {
        Score(self.0 + margin)
    }
}

impl Sub<i32> for Score {
    type Output = Score;
    #[inline]
    fn sub(self, margin: i32) -> Score {
        Score(self.0 - margin)
    }
}

impl Sub for Score {
    type Output = i32;
    #[inline]
    fn sub(self, other: Score) -> i32 {
        self.0 - other.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_told_in_moves() {
        assert_eq!(Score::mate_in(1).outlook(32), Outlook::MateIn(1));
        assert_eq!(Score::mate_in(3).outlook(32), Outlook::MateIn(2));
        assert_eq!(Score::mated_in(0).outlook(32), Outlook::MatedIn(0));
        assert_eq!(Score::mated_in(2).outlook(32), Outlook::MatedIn(1));
        let most = Score::LONGEST_MATE.0 - 1;
        assert_eq!(Score::estimate(1_000_000).raw(), most);
        assert_eq!(Score::estimate(1_000_000).outlook(32), Outlook::Centipawns(centipawns(most, 32)));
    }

    #[test]
    fn stored_mates_count_from_their_node() {
        for score in [Score::mate_in(7), Score::mated_in(8), Score::estimate(-31), Score::DRAW] {
            assert_eq!(Score::from_stored(score.to_stored(4), 4, 100), score);
        }
        let stored = Score::mate_in(7).to_stored(4);
        assert_eq!(Score::from_stored(stored, 10, 3), Score::mate_in(13));
        assert!(
            !Score::from_stored(stored, 10, 2).is_mate() && Score::from_stored(stored, 10, 2).raw() > 30_000
        );
    }
}
