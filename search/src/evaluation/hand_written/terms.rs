//! The numbers of the hand-written evaluation, in centipawns, and their type.

use std::ops::{Add, Mul, Sub};

/// A value for the middlegame and one for the endgame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tapered {
    /// In the middlegame.
    pub middle: i32,
    /// In the endgame.
    pub end: i32,
}

const fn t(middle: i32, end: i32) -> Tapered {
    Tapered { middle, end }
}

impl Tapered {
    pub(super) const ZERO: Tapered = t(0, 0);

    /// The mean, weighted by what is left of the middlegame.
    pub(super) const fn mix(self, phase: i32) -> i32 {
        (self.middle * phase + self.end * (PHASE_ALL - phase)) / PHASE_ALL
    }
}

impl Add for Tapered {
    type Output = Tapered;
    #[inline]
    fn add(self, other: Tapered) -> Tapered {
        t(self.middle + other.middle, self.end + other.end)
    }
}

impl Sub for Tapered {
    type Output = Tapered;
    #[inline]
    fn sub(self, other: Tapered) -> Tapered {
        t(self.middle - other.middle, self.end - other.end)
    }
}

impl Mul<i32> for Tapered {
    type Output = Tapered;
    #[inline]
    fn mul(self, factor: i32) -> Tapered {
        t(self.middle * factor, self.end * factor)
    }
}

/// How much a man of each role counts towards the middlegame; [`PHASE_ALL`] at the start of the game.
pub(super) const PHASE: [i32; 6] = [0, 1, 2, 2, 4, 0];
pub(super) const PHASE_ALL: i32 = 34;

/// A factor of one in [`super::scale`].
pub(super) const SCALE_ONE: i32 = 64;

/// All numbers that tuning may change.
#[derive(Clone, Debug)]
pub struct Weights {
    /// Material and place by role, rank from the own side and file (a like h).
    pub place: [[[Tapered; 4]; 8]; 6],
    /// For each safe square more than four.
    pub knight_mobility: Tapered,
    /// For each safe square more than six.
    pub rook_mobility: Tapered,
    /// No pawn on the rook's file.
    pub rook_open_file: Tapered,
    /// No own pawn on the rook's file.
    pub rook_half_open_file: Tapered,
    /// A pawn defended by a pawn.
    pub defended_pawn: Tapered,
    /// Another man defended by a pawn.
    pub defended_man: Tapered,
    /// By rank from the own side.
    pub passed: [Tapered; 8],
    /// For each step that the enemy's king is farther from the square ahead than the own, and rank.
    pub passed_kings: Tapered,
    /// For each rank of a pawn with a man before it.
    pub passed_blocked: Tapered,
    /// A bare king cannot catch the pawn.
    pub passed_runs: Tapered,
    /// A man attacked by a pawn.
    pub threat_by_pawn: Tapered,
    /// A rook attacked by a lesser man.
    pub threat_on_rook: Tapered,
    /// An undefended man attacked.
    pub threat_on_loose: Tapered,
    /// For each eighth of the attack units' square, see [`super::king_attack_terms`].
    pub king_attack: Tapered,
    /// For each half step of a bare king from the centre.
    pub mop_up_edge: Tapered,
    /// For each step of the own king nearer to a bare king than the board is wide.
    pub mop_up_king: Tapered,
    /// The same for the own men except rooks.
    pub mop_up_man: Tapered,
    /// It is the side's move.
    pub tempo: Tapered,
}

/// Where a square of each side's man stands in the 32 values of [`Weights::place`].
pub(super) static PLACE_INDEX: [[u8; 64]; 2] = {
    let mut table = [[0; 64]; 2];
    let mut square = 0;
    while square < 64 {
        let file = if square % 8 < 4 { square % 8 } else { 7 - square % 8 };
        table[0][square] = (square / 8 * 4 + file) as u8;
        table[1][square ^ 56] = table[0][square];
        square += 1;
    }
    table
};

pub(super) const KING_ATTACK_MOST: i32 = 80;
