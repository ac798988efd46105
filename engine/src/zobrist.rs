//! Random words whose XOR identifies a position, made at compile time from a fixed seed.

use crate::count::{Count, CountLimit};
use crate::role::Piece;
use crate::setup::PromotionRule;
use crate::square::Square;

/// SplitMix64 (Steele, Lea, Flood 2014), enough for hashing.
const fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

const fn words<const N: usize>(mut seed: u64) -> [u64; N] {
    let mut words = [0; N];
    let mut i = 0;
    while i < N {
        words[i] = split_mix(&mut seed);
        i += 1;
    }
    words
}

const PIECES_WORDS: [[u64; 64]; 12] = {
    let mut table = [[0; 64]; 12];
    let mut i = 0;
    while i < 12 {
        table[i] = words(i as u64 + 1);
        i += 1;
    }
    table
};

/// Black to move.
pub(crate) const SIDE: u64 = words::<1>(101)[0];
const MET_ONLY: u64 = words::<1>(105)[0];
const LIMITS: [u64; 3] = words(102);
static COUNT_LEFT: [u64; COUNT_STEPS] = words(103);
static CLOCK: [u64; CLOCK_STEPS] = words(104);

static PIECES: [[u64; 64]; 12] = PIECES_WORDS;

/// A man on a square.
#[inline]
pub(crate) const fn piece(piece: Piece, square: Square) -> u64 {
    PIECES[piece.index()][square.index()]
}

/// A count with this limit runs.
#[inline]
pub(crate) fn limit(limit: CountLimit) -> u64 {
    LIMITS[limit as usize]
}

/// Pawns become mets only: another game.
#[inline]
pub(crate) fn promotion_rule(rule: PromotionRule) -> u64 {
    match rule {
        PromotionRule::Any => 0,
        PromotionRule::Met => MET_ONLY,
    }
}

/// 0 to 128 plies left, then one step for a count that has run out.
const COUNT_STEPS: usize = 130;

/// How many plies a running count leaves, exactly: a mate in time by one ply is no mate a ply later.
#[inline]
pub(crate) fn count_left(count: Count) -> u64 {
    COUNT_LEFT[count.plies_left().map_or(COUNT_STEPS - 1, usize::from)]
}

/// The fifty-move clock below this does not separate keys.
const CLOCK_FREE: usize = 64;
/// From here on each ply has a key of its own; before, four plies share one.
const CLOCK_EXACT: usize = 88;
const CLOCK_COARSE_STEPS: usize = (CLOCK_EXACT - CLOCK_FREE) / 4;
const CLOCK_STEPS: usize = CLOCK_COARSE_STEPS + 100 - CLOCK_EXACT + 1;

/// How near the fifty-move claim is: coarse at first, exact at the end, 0 while it is far.
#[inline]
pub(crate) fn clock(clock: u16) -> u64 {
    let clock = usize::from(clock).min(100);
    if clock < CLOCK_FREE {
        0
    } else if clock < CLOCK_EXACT {
        CLOCK[(clock - CLOCK_FREE) / 4]
    } else {
        CLOCK[CLOCK_COARSE_STEPS + clock - CLOCK_EXACT]
    }
}
