//! Pruning margins and reductions as small named functions, so that the search reads in words.
//!
//! Depths are plies, margins centipawns, reductions 1024ths of a ply, bonuses history units.

use makara_engine::RoleValues;

use crate::parameters::*;

/// Worth of men in exchanges.
pub(crate) fn exchange_values() -> RoleValues {
    [see_pawn(), see_met(), see_khon(), see_knight(), see_rook(), 0]
}

pub(crate) fn razoring(depth: i32) -> i32 {
    razor_base() + razor_depth() * depth * depth
}

pub(crate) fn reverse_futility(depth: i32, improving: bool) -> i32 {
    reverse_futility_ply() * depth - reverse_futility_improving() * i32::from(improving)
}

pub(crate) fn null_move_reduction(depth: i32, above_beta: i32) -> i32 {
    null_base() + depth / null_depth_divisor() + (above_beta / null_eval_divisor()).clamp(0, 4)
}

pub(crate) fn probcut(improving: bool) -> i32 {
    probcut_margin() - probcut_improving() * i32::from(improving)
}

pub(crate) fn futility(depth: i32) -> i32 {
    futility_base() + futility_ply() * depth
}

pub(crate) fn capture_futility(depth: i32) -> i32 {
    capture_futility_base() + capture_futility_ply() * depth
}

/// Quiet moves tried before the rest is left out.
pub(crate) fn late_moves(depth: i32, improving: bool) -> i32 {
    (3 + depth * depth) / if improving { 1 } else { 2 }
}

/// The exchange that a quiet move may lose.
pub(crate) fn quiet_exchange(depth: i32) -> i32 {
    -see_quiet() * depth * depth
}

pub(crate) fn capture_exchange(depth: i32) -> i32 {
    -see_capture() * depth
}

pub(crate) fn history_bonus(depth: i32) -> i32 {
    (history_bonus_base() + history_bonus_ply() * depth).min(history_bonus_max())
}

pub(crate) fn history_malus(depth: i32) -> i32 {
    (history_malus_ply() * depth).min(history_malus_max())
}

/// The natural logarithm by the series of artanh, since a const context has none.
const fn ln(x: f64) -> f64 {
    let z = (x - 1.0) / (x + 1.0);
    let mut power = z;
    let mut sum = 0.0;
    let mut k = 1.0;
    while k < 400.0 {
        sum += power / k;
        power *= z * z;
        k += 2.0;
    }
    2.0 * sum
}

/// Logarithms of 1 to 255 in 1024ths.
static LOGARITHMS: [i32; 256] = {
    let mut table = [0; 256];
    let mut i = 1;
    while i < 256 {
        table[i] = (ln(i as f64) * 1024.0) as i32;
        i += 1;
    }
    table
};

/// The reduction of a late move before its own properties are looked at.
pub(crate) fn late_move_reduction(depth: i32, tried: i32) -> i32 {
    let log = |x: i32| LOGARITHMS[x.clamp(0, 255) as usize];
    lmr_base() + lmr_factor() * (log(depth) * log(tried) / 1024) / 1024
}
