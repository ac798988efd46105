//! The numbers of the hand-written evaluation, in centipawns.

use std::ops::{Add, Mul, Sub};

/// A value for the middlegame and one for the endgame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Tapered {
    middle: i32,
    end: i32,
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

pub(super) const TEMPO: i32 = 14;

/// A factor of one in [`super::scale`].
pub(super) const SCALE_ONE: i32 = 64;
/// The score would be nothing after so many plies without progress, were it not a draw before.
pub(super) const CLOCK_FADE: i32 = 140;

const MATERIAL: [Tapered; 6] = [t(88, 118), t(165, 170), t(270, 265), t(330, 320), t(590, 650), t(0, 0)];

/// By rank from the own side: a pawn's advance.
const PAWN_RANK: [Tapered; 8] =
    [t(0, 0), t(-6, -8), t(0, 0), t(8, 8), t(20, 24), t(38, 60), t(70, 120), t(0, 0)];
const PAWN_FILE: [Tapered; 4] = [t(-4, 0), t(-2, 2), t(2, 2), t(6, 2)];
const MET_RANK: [Tapered; 8] =
    [t(-8, -10), t(-2, -4), t(2, 0), t(8, 6), t(12, 10), t(12, 10), t(6, 4), t(-4, -6)];
const KHON_RANK: [Tapered; 8] =
    [t(-12, -10), t(-2, -4), t(4, 0), t(10, 8), t(16, 12), t(16, 12), t(10, 6), t(-6, -6)];
const KNIGHT_RANK: [Tapered; 8] =
    [t(-20, -16), t(-6, -8), t(6, 2), t(12, 8), t(18, 12), t(18, 10), t(8, 2), t(-12, -12)];
const ROOK_RANK: [Tapered; 8] = [t(0, 0), t(0, 0), t(0, 0), t(0, 2), t(4, 4), t(8, 6), t(16, 10), t(10, 8)];
const KING_RANK: [Tapered; 8] =
    [t(4, -20), t(8, -8), t(-6, 4), t(-24, 12), t(-36, 16), t(-40, 14), t(-40, 6), t(-40, -8)];
const CENTRE_FILE: [Tapered; 4] = [t(-10, -8), t(-2, -2), t(4, 4), t(8, 6)];
const ROOK_FILE: [Tapered; 4] = [t(-2, 0), t(0, 0), t(2, 0), t(4, 0)];
const KING_FILE: [Tapered; 4] = [t(6, -12), t(10, -2), t(2, 4), t(-4, 8)];

/// Material and place by role and square seen from the own side.
pub(super) static PLACE: [[Tapered; 64]; 6] = {
    let ranks = [&PAWN_RANK, &MET_RANK, &KHON_RANK, &KNIGHT_RANK, &ROOK_RANK, &KING_RANK];
    let files = [&PAWN_FILE, &CENTRE_FILE, &CENTRE_FILE, &CENTRE_FILE, &ROOK_FILE, &KING_FILE];
    let mut table = [[Tapered::ZERO; 64]; 6];
    let mut role = 0;
    while role < 6 {
        let mut square = 0;
        while square < 64 {
            let file = if square % 8 < 4 { square % 8 } else { 7 - square % 8 };
            let (rank, file) = (ranks[role][square / 8], files[role][file]);
            table[role][square] = t(
                MATERIAL[role].middle + rank.middle + file.middle,
                MATERIAL[role].end + rank.end + file.end,
            );
            square += 1;
        }
        role += 1;
    }
    table
};

pub(super) const KNIGHT_MOBILITY: Tapered = t(4, 4);
pub(super) const ROOK_MOBILITY: Tapered = t(3, 5);
pub(super) const ROOK_OPEN_FILE: Tapered = t(24, 10);
pub(super) const ROOK_HALF_OPEN_FILE: Tapered = t(12, 6);
pub(super) const DEFENDED_PAWN: Tapered = t(8, 6);
pub(super) const DEFENDED_MINOR: Tapered = t(8, 4);

/// By rank from the own side.
pub(super) const PASSED: [Tapered; 8] =
    [t(0, 0), t(0, 8), t(4, 16), t(10, 30), t(24, 60), t(50, 120), t(90, 200), t(0, 0)];
/// For each step that the enemy's king is farther from the square ahead than the own, and rank.
pub(super) const PASSED_KINGS: Tapered = t(0, 3);
/// For each rank of a pawn with a man before it.
pub(super) const PASSED_BLOCKED: Tapered = t(-3, -8);
/// A bare king cannot catch the pawn.
pub(super) const PASSED_RUNS: Tapered = t(0, 350);

pub(super) const THREAT_BY_PAWN: Tapered = t(40, 34);
pub(super) const THREAT_ON_ROOK: Tapered = t(36, 24);
pub(super) const THREAT_ON_LOOSE: Tapered = t(16, 20);

/// For each eighth of the attack units' square.
pub(super) const KING_ATTACK: Tapered = t(5, 1);
pub(super) const KING_ATTACK_MOST: i32 = 80;

/// For each half step from the centre.
pub(super) const MOP_UP_EDGE: Tapered = t(0, 8);
/// For each step nearer than the board is wide.
pub(super) const MOP_UP_KING: Tapered = t(0, 20);
pub(super) const MOP_UP_MAN: Tapered = t(0, 6);
