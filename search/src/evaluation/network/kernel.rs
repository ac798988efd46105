//! The loops over hidden layers. They are written so that the compiler makes vector code of them for
//! whatever the build's CPU has; all of them are exact in integers, so every build gives the same scores.

use super::{HIDDEN, QA};

type Row = [i16; HIDDEN];

/// `target += row`.
#[inline]
pub(super) fn add(target: &mut Row, row: &Row) {
    for (sum, value) in target.iter_mut().zip(row) {
        *sum = sum.wrapping_add(*value);
    }
}

/// `target -= row`.
#[inline]
pub(super) fn subtract(target: &mut Row, row: &Row) {
    for (sum, value) in target.iter_mut().zip(row) {
        *sum = sum.wrapping_sub(*value);
    }
}

/// `target = source + added - removed`: a quiet move.
#[inline]
pub(super) fn move_one(target: &mut Row, source: &Row, added: &Row, removed: &Row) {
    for i in 0..HIDDEN {
        target[i] = source[i].wrapping_add(added[i]).wrapping_sub(removed[i]);
    }
}

/// `target = source + added - removed - captured`: a capture.
#[inline]
pub(super) fn capture_one(target: &mut Row, source: &Row, added: &Row, removed: &Row, captured: &Row) {
    for i in 0..HIDDEN {
        target[i] = source[i].wrapping_add(added[i]).wrapping_sub(removed[i]).wrapping_sub(captured[i]);
    }
}

/// The squared clipped ReLU of a layer, weighted and summed. `|weight| * QA` fits 16 bits.
#[inline]
pub(super) fn activate(layer: &Row, weights: &Row) -> i32 {
    let mut sum = 0;
    for (value, weight) in layer.iter().zip(weights) {
        let clipped = (*value).clamp(0, QA as i16);
        // Two 16-bit factors into a 32-bit sum: one instruction on most CPUs.
        sum += i32::from(clipped.wrapping_mul(*weight)) * i32::from(clipped);
    }
    sum
}
