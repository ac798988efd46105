//! The transposition table, shared by all threads without locks.
//!
//! A bucket is one cache line of eight words. Six hold an entry each, two hold three check words of 21
//! bits each:
//!
//! ```text
//! word 0..6: move 16 | score 16 | static evaluation 16 | depth 8 | generation 5, pv 1, bound 2
//! word 6, 7: check of entries 0, 1, 2 | of 3, 4, 5
//! ```
//!
//! The check is the key's low bits mixed with the entry's, so that an entry torn by two writers is mostly
//! taken for a stranger's. What comes out may still belong to another position once in some 300 000
//! probes: the search checks a move before it plays it.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use makara_engine::{FIFTY_MOVES_PLIES, Move, Position};

use crate::memory::{CacheLine, allocate_lines, clear_lines, prefetch};
use crate::report::Bound;
use crate::score::Score;

const ENTRIES: usize = 6;
const CHECK_BITS: u32 = 21;
const CHECK_MASK: u64 = (1 << CHECK_BITS) - 1;
/// Searches before a generation's number comes again.
const GENERATIONS: u8 = 32;
/// One search of age weighs as much as so many plies of depth.
const AGE_WEIGHT: i32 = 4;

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Hit {
    pub(crate) mv: Option<Move>,
    pub(crate) score: Score,
    pub(crate) bound: Option<Bound>,
    /// Plies; 0 for quiescence.
    pub(crate) depth: i32,
    /// `None` for a position in check.
    pub(crate) evaluation: Option<Score>,
    /// The position was once on or near a principal variation.
    pub(crate) was_pv: bool,
}

impl Hit {
    /// True when the score decides the zero window below `beta`.
    #[inline]
    pub(crate) fn proves(&self, beta: Score) -> bool {
        match self.bound {
            Some(Bound::Exact) => true,
            Some(Bound::Lower) => self.score >= beta,
            Some(Bound::Upper) => self.score < beta,
            None => false,
        }
    }

    /// True when the score is a better guess than this estimate.
    #[inline]
    pub(crate) fn improves(&self, estimate: Score) -> bool {
        match self.bound {
            Some(Bound::Exact) => true,
            Some(Bound::Lower) => self.score > estimate,
            Some(Bound::Upper) => self.score < estimate,
            None => false,
        }
    }
}

/// In place of the evaluation of a position in check.
const NO_EVALUATION: i16 = i16::MIN;

fn pack(hit: &Hit, ply: usize, generation: u8) -> u64 {
    let bound = match hit.bound {
        None => 0,
        Some(Bound::Upper) => 1,
        Some(Bound::Lower) => 2,
        Some(Bound::Exact) => 3,
    };
    let evaluation = hit.evaluation.map_or(NO_EVALUATION, |score| score.to_stored(0));
    u64::from(hit.mv.map_or(0, Move::raw))
        | u64::from(hit.score.to_stored(ply) as u16) << 16
        | u64::from(evaluation as u16) << 32
        | (hit.depth.clamp(0, 255) as u64) << 48
        | u64::from(generation << 3 | u8::from(hit.was_pv) << 2 | bound) << 56
}

fn unpack(word: u64, ply: usize, plies_left: u16) -> Hit {
    let evaluation = (word >> 32) as i16;
    Hit {
        mv: Move::from_raw(word as u16),
        score: Score::from_stored((word >> 16) as i16, ply, plies_left),
        bound: match word >> 56 & 3 {
            0 => None,
            1 => Some(Bound::Upper),
            2 => Some(Bound::Lower),
            _ => Some(Bound::Exact),
        },
        depth: depth_of(word),
        evaluation: (evaluation != NO_EVALUATION).then(|| Score::from_stored(evaluation, 0, 0)),
        was_pv: word >> 58 & 1 != 0,
    }
}

fn depth_of(word: u64) -> i32 {
    (word >> 48 & 255) as i32
}

fn generation_of(word: u64) -> u8 {
    (word >> 59) as u8
}

/// The bits of a key that are compared, mixed with the move and part of the score that they vouch for.
#[inline]
fn check_of(key: u64, word: u64) -> u64 {
    (key ^ word) & CHECK_MASK
}

/// The table.
#[derive(Debug)]
pub(crate) struct Table {
    buckets: Vec<CacheLine>,
    generation: AtomicU8,
}

impl Table {
    /// An empty table of so many MiB, or `None` when there is not so much memory.
    pub(crate) fn new(mib: usize, threads: usize) -> Option<Table> {
        let count = mib.checked_mul((1 << 20) / size_of::<CacheLine>())?;
        Some(Table { buckets: allocate_lines(count, threads)?, generation: AtomicU8::new(0) })
    }

    /// Forgets all entries.
    pub(crate) fn clear(&mut self, threads: usize) {
        clear_lines(&mut self.buckets, threads);
        *self.generation.get_mut() = 0;
    }

    /// A new search begins: older entries give way first from now on.
    pub(crate) fn age(&self) {
        self.generation.store((self.generation.load(Relaxed) + 1) % GENERATIONS, Relaxed);
    }

    #[inline]
    fn bucket(&self, key: u64) -> &CacheLine {
        // The high bits choose the bucket (Lemire 2016), the low ones are compared.
        &self.buckets[((u128::from(key) * self.buckets.len() as u128) >> 64) as usize]
    }

    /// Asks for a key's bucket ahead of its use.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    /// What is known of a position, at a node `ply` plies below the root.
    #[inline]
    pub(crate) fn probe(&self, position: &Position, ply: usize) -> Option<Hit> {
        self.probe_key(position.search_key(), ply, FIFTY_MOVES_PLIES.saturating_sub(position.clock()))
    }

    fn probe_key(&self, key: u64, ply: usize, plies_left: u16) -> Option<Hit> {
        let words = &self.bucket(key).0;
        for entry in 0..ENTRIES {
            let word = words[entry].load(Relaxed);
            let check = words[6 + entry / 3].load(Relaxed) >> (CHECK_BITS * (entry as u32 % 3)) & CHECK_MASK;
            if check == check_of(key, word) && word != 0 {
                return Some(unpack(word, ply, plies_left));
            }
        }
        None
    }

    /// Stores what was found at a node `ply` plies below the root.
    pub(crate) fn store(&self, key: u64, ply: usize, hit: Hit) {
        let words = &self.bucket(key).0;
        let generation = self.generation.load(Relaxed);
        let mut hit = hit;
        let mut chosen = 0;
        let mut least = i32::MAX;
        for entry in 0..ENTRIES {
            let word = words[entry].load(Relaxed);
            let check = words[6 + entry / 3].load(Relaxed) >> (CHECK_BITS * (entry as u32 % 3)) & CHECK_MASK;
            if word == 0 {
                chosen = entry;
                break;
            }
            let age = i32::from((GENERATIONS + generation - generation_of(word)) % GENERATIONS);
            if check == check_of(key, word) {
                hit.mv = hit.mv.or(Move::from_raw(word as u16));
                // A much deeper result of this search is worth more than a shallow bound.
                let shallower = hit.depth + 4 + 2 * i32::from(hit.was_pv) <= depth_of(word);
                if hit.bound != Some(Bound::Exact) && age == 0 && shallower {
                    return;
                }
                chosen = entry;
                break;
            }
            let worth = depth_of(word) - AGE_WEIGHT * age;
            if worth < least {
                least = worth;
                chosen = entry;
            }
        }
        let word = pack(&hit, ply, generation);
        let shift = CHECK_BITS * (chosen as u32 % 3);
        let checks = words[6 + chosen / 3].load(Relaxed) & !(CHECK_MASK << shift);
        words[chosen].store(word, Relaxed);
        words[6 + chosen / 3].store(checks | check_of(key, word) << shift, Relaxed);
    }

    /// How full the table is of this search's entries, in thousandths, by a sample.
    pub(crate) fn hashfull(&self) -> usize {
        let sample = &self.buckets[..self.buckets.len().min(1000)];
        let generation = self.generation.load(Relaxed);
        let of_now = |word: u64| word != 0 && generation_of(word) == generation;
        let words = sample.iter().flat_map(|bucket| &bucket.0[..ENTRIES]);
        let used = words.filter(|word| of_now(word.load(Relaxed))).count();
        used * 1000 / (sample.len() * ENTRIES)
    }
}

#[cfg(test)]
mod tests {
    use makara_engine::Square;

    use super::*;

    fn hit(depth: i32) -> Hit {
        Hit {
            mv: Move::new(Square::E3, Square::E4),
            score: Score::mate_in(9),
            bound: Some(Bound::Lower),
            depth,
            evaluation: Some(Score::estimate(-57)),
            was_pv: true,
        }
    }

    #[test]
    fn gives_back_what_was_stored() {
        let table = Table::new(1, 1).expect("one MiB");
        table.store(12345, 4, hit(7));
        assert_eq!(table.probe_key(12345, 4, 100), Some(hit(7)));
        assert_eq!(table.probe_key(12346, 4, 100), None);
        // The mate is five plies from the node, wherever the node is reached.
        assert_eq!(table.probe_key(12345, 6, 100).map(|hit| hit.score), Some(Score::mate_in(11)));
        let in_check = Hit { evaluation: None, mv: None, bound: Some(Bound::Exact), ..hit(9) };
        table.store(12345, 0, in_check);
        let kept_move = Hit { mv: hit(0).mv, ..in_check };
        assert_eq!(table.probe_key(12345, 0, 100), Some(kept_move));
    }

    #[test]
    fn old_and_shallow_entries_give_way() {
        let table = Table::new(1, 1).expect("one MiB");
        for depth in 1..=6 {
            table.store(depth as u64, 0, hit(depth));
        }
        table.store(7, 0, hit(5));
        assert_eq!(table.probe_key(1, 0, 100), None);
        assert!((2..=7).all(|key| table.probe_key(key, 0, 100).is_some()));
        table.age();
        table.age();
        table.store(8, 0, hit(1));
        table.store(9, 0, hit(1));
        assert!(table.probe_key(8, 0, 100).is_some() && table.probe_key(9, 0, 100).is_some());
        assert!(table.probe_key(6, 0, 100).is_some());
    }

    #[test]
    fn torn_entries_are_strangers() {
        let table = Table::new(1, 1).expect("one MiB");
        table.store(99, 0, hit(3));
        let word = &table.bucket(99).0[0];
        word.store(word.load(Relaxed) ^ 1 << 5, Relaxed);
        assert_eq!(table.probe_key(99, 0, 100), None);
    }

    #[test]
    fn impossible_sizes_are_refused() {
        assert!(Table::new(usize::MAX >> 21, 1).is_none());
    }
}
