//! Rook attacks as a rank look-up and a file look-up.
//!
//! The inner six squares of a line decide how far a rook sees along it, so 64 entries for each place on
//! the line do: 4.5 KiB for both tables, which stay in the first-level cache (a table for whole crosses
//! takes 800 KiB). The rank's bits lie side by side. The file's bits are gathered by PEXT where the CPU
//! has it, else by one multiplication ("kindergarten bitboards", Gerd Isenberg). Both are branch-free.
#![allow(unsafe_code, reason = "one call of PEXT")]

use crate::bitboard::Bitboard;
use crate::square::Square;

/// What a rook on place `at` of a line of eight sees, given the line's inner six bits.
const fn line_attacks(at: usize, inner: usize) -> u8 {
    let occupied = (inner << 1) as u8;
    let mut seen = 0u8;
    let mut i = at;
    while i < 7 {
        i += 1;
        seen |= 1 << i;
        if occupied >> i & 1 != 0 {
            break;
        }
    }
    i = at;
    while i > 0 {
        i -= 1;
        seen |= 1 << i;
        if occupied >> i & 1 != 0 {
            break;
        }
    }
    seen
}

static RANK_ATTACKS: [[u8; 64]; 8] = {
    let mut table = [[0; 64]; 8];
    let mut at = 0;
    while at < 8 {
        let mut inner = 0;
        while inner < 64 {
            table[at][inner] = line_attacks(at, inner);
            inner += 1;
        }
        at += 1;
    }
    table
};

/// As [`RANK_ATTACKS`], stood upright on file a.
static FILE_ATTACKS: [[u64; 64]; 8] = {
    let mut table = [[0; 64]; 8];
    let mut at = 0;
    while at < 8 {
        let mut inner = 0;
        while inner < 64 {
            let line = line_attacks(at, inner) as u64;
            let mut i = 0;
            while i < 8 {
                table[at][inner] |= (line >> i & 1) << (8 * i);
                i += 1;
            }
            inner += 1;
        }
        at += 1;
    }
    table
};

/// Ranks 2 to 7 of file a.
const INNER_FILE_A: u64 = 0x0001_0101_0101_0100;

/// The six bits of ranks 2 to 7 of a file, side by side, by one multiplication.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "bmi2"))))]
#[inline]
fn gather_by_multiply(occupied: u64, file: usize) -> usize {
    // Shifts by 50, 43, …, 15: bit 8r of the masked file goes to bit 57 + r, for r from 1 to 6.
    const SPREAD: u64 = 0x0004_0810_2040_8000;
    let column = occupied >> file & INNER_FILE_A;
    (column.wrapping_mul(SPREAD) >> 58) as usize
}

/// The same by PEXT.
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
#[inline]
fn gather(occupied: u64, file: usize) -> usize {
    // SAFETY: this code is compiled only where every CPU it may run on has BMI2.
    unsafe { std::arch::x86_64::_pext_u64(occupied, INNER_FILE_A << file) as usize }
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
#[inline]
fn gather(occupied: u64, file: usize) -> usize {
    gather_by_multiply(occupied, file)
}

#[inline]
fn attacks_with(square: Square, occupied: u64, gathered: usize) -> Bitboard {
    let (file, rank) = (square.index() & 7, square.index() >> 3);
    let rank_bits = occupied >> (8 * rank + 1) & 63;
    let along_rank = u64::from(RANK_ATTACKS[file][rank_bits as usize]) << (8 * rank);
    let along_file = FILE_ATTACKS[rank][gathered & 63] << file;
    Bitboard(along_rank | along_file)
}

/// The squares that a rook attacks, up to and including the first man each way.
#[inline]
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    attacks_with(square, occupied.0, gather(occupied.0, square.index() & 7))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The slow twin: walks square by square.
    fn walk(square: Square, occupied: Bitboard) -> Bitboard {
        let mut seen = Bitboard::EMPTY;
        for (files, ranks) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
            let mut at = square;
            while let Some(next) = at.offset(files, ranks) {
                seen = seen.with(next);
                if occupied.contains(next) {
                    break;
                }
                at = next;
            }
        }
        seen
    }

    #[test]
    fn both_gathers_equal_the_slow_walk() {
        let mut random = 0x2545_f491_4f6c_dd1d_u64;
        for round in 0..20_000 {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            // Full, half-full and sparse boards.
            let occupied = match round % 3 {
                0 => random,
                1 => random & random.rotate_left(23),
                _ => random & random.rotate_left(23) & random.rotate_left(41),
            };
            for square in Square::ALL {
                let expected = walk(square, Bitboard(occupied));
                let multiplied = gather_by_multiply(occupied, square.index() & 7);
                assert_eq!(attacks_with(square, occupied, multiplied), expected);
                assert_eq!(rook_attacks(square, Bitboard(occupied)), expected);
            }
        }
    }
}
