//! What the search learns about moves while it runs.
//!
//! All values move towards their bound by "gravity": a bonus counts the less the nearer the value is to it
//! (Pedder 2016, as most engines do).

use makara_engine::{Color, Move, Piece, Position, Role, Square};

use crate::parameters::{correction_continuation, correction_pawn, correction_pieces};
use crate::score::Score;
use crate::stack::Frame;

/// The bound of every move history, in history units.
const MOVE_BOUND: i32 = 8192;
/// The bound of every correction, in sixteenths of a centipawn or so: see [`Histories::correction`].
const CORRECTION_BOUND: i32 = 1024;

const PIECE_SQUARES: usize = 12 * 64;
const PAWN_SLOTS: usize = 512;
const CORRECTION_SLOTS: usize = 16384;

/// A man and the square it goes to: what continuation histories are indexed by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PieceTo(u16);

impl PieceTo {
    #[inline]
    pub(crate) fn new(piece: Piece, to: Square) -> PieceTo {
        PieceTo((piece.index() * 64 + to.index()) as u16)
    }

    #[inline]
    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A value for each man and target.
type Row = [i16; PIECE_SQUARES];

fn filled<T: Copy, const N: usize>(value: T) -> Box<[T; N]> {
    // By way of a vector, which never stands on the stack.
    match vec![value; N].into_boxed_slice().try_into() {
        Ok(array) => array,
        Err(_) => unreachable!("the length is N"),
    }
}

const EMPTY_ROW: Row = [0; PIECE_SQUARES];

#[inline]
fn apply_gravity(value: &mut i16, bonus: i32, bound: i32) {
    let bonus = bonus.clamp(-bound, bound);
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / bound) as i16;
}

/// A quiet move as the histories see it.
#[derive(Clone, Copy)]
pub(crate) struct QuietKey {
    butterfly: usize,
    piece_to: PieceTo,
    pawn: usize,
}

/// All histories of one thread, about 3.5 MiB.
pub(crate) struct Histories {
    /// By side, whether the two squares are attacked, and the two squares.
    butterfly: Box<[i16; 2 * 4 * 4096]>,
    /// By man, target and what it takes.
    capture: Box<[i16; PIECE_SQUARES * 8]>,
    /// By an earlier man and target, then this man and target. The last row stands for no earlier move and
    /// stays empty.
    continuation: Box<[Row; PIECE_SQUARES + 1]>,
    /// By pawn structure, man and target.
    pawn: Box<[Row; PAWN_SLOTS]>,
    /// Errors of the static evaluation, by side and structure of pawns,
    correction_pawn: Box<[i16; 2 * CORRECTION_SLOTS]>,
    /// of White's and of Black's men,
    correction_pieces: [Box<[i16; 2 * CORRECTION_SLOTS]>; 2],
    /// and by the last two moves.
    correction_continuation: Box<[Row; PIECE_SQUARES]>,
}

impl Histories {
    pub(crate) fn new() -> Histories {
        Histories {
            butterfly: filled(0),
            capture: filled(0),
            continuation: filled(EMPTY_ROW),
            pawn: filled(EMPTY_ROW),
            correction_pawn: filled(0),
            correction_pieces: [filled(0), filled(0)],
            correction_continuation: filled(EMPTY_ROW),
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        *self = Histories::new();
    }

    #[inline]
    pub(crate) fn quiet_key(position: &Position, mv: Move) -> Option<QuietKey> {
        position.piece_at(mv.from()).map(|piece| Histories::quiet_key_of(position, mv, piece))
    }

    /// As [`quiet_key`](Histories::quiet_key), for a move of this man.
    #[inline]
    pub(crate) fn quiet_key_of(position: &Position, mv: Move, piece: Piece) -> QuietKey {
        let threats = position.threats();
        let attacked = usize::from(threats.contains(mv.from())) * 2 + usize::from(threats.contains(mv.to()));
        let side = position.turn().index();
        QuietKey {
            butterfly: (side * 4 + attacked) * 4096 + mv.squares_index(),
            piece_to: PieceTo::new(piece, mv.to()),
            pawn: position.pawn_key() as usize % PAWN_SLOTS,
        }
    }

    /// The tables that score the quiet moves of one node.
    #[inline]
    pub(crate) fn quiet_scorer(&self, position: &Position, earlier: &EarlierMoves) -> QuietScorer<'_> {
        QuietScorer {
            butterfly: &self.butterfly,
            pawn: &self.pawn[position.pawn_key() as usize % PAWN_SLOTS],
            continuation: earlier.0.map(|row| &self.continuation[usize::from(row)]),
        }
    }

    pub(crate) fn update_quiet(&mut self, key: QuietKey, earlier: &EarlierMoves, bonus: i32) {
        apply_gravity(&mut self.butterfly[key.butterfly], bonus, MOVE_BOUND);
        apply_gravity(&mut self.pawn[key.pawn][key.piece_to.index()], bonus, MOVE_BOUND);
        self.update_continuation(key, earlier, bonus);
    }

    /// Teaches the butterfly table alone.
    pub(crate) fn update_butterfly(&mut self, key: QuietKey, bonus: i32) {
        apply_gravity(&mut self.butterfly[key.butterfly], bonus, MOVE_BOUND);
    }

    /// Teaches the continuation tables alone.
    pub(crate) fn update_continuation(&mut self, key: QuietKey, earlier: &EarlierMoves, bonus: i32) {
        for row in earlier.0 {
            if row != EarlierMoves::NONE {
                let value = &mut self.continuation[usize::from(row)][key.piece_to.index()];
                apply_gravity(value, bonus, MOVE_BOUND);
            }
        }
    }

    #[inline]
    fn capture_index(position: &Position, mv: Move) -> usize {
        let piece = position.piece_at(mv.from()).map_or(0, Piece::index);
        // A promotion that takes nothing has a column of its own.
        let captured = position.role_at(mv.to()).map_or(6, Role::index);
        (piece * 64 + mv.to().index()) * 8 + captured
    }

    #[inline]
    pub(crate) fn capture(&self, position: &Position, mv: Move) -> i32 {
        i32::from(self.capture[Histories::capture_index(position, mv)])
    }

    pub(crate) fn update_capture(&mut self, position: &Position, mv: Move, bonus: i32) {
        apply_gravity(&mut self.capture[Histories::capture_index(position, mv)], bonus, MOVE_BOUND);
    }

    /// How far the static evaluation of such positions was off, in centipawns.
    pub(crate) fn correction(&self, position: &Position, earlier: &EarlierMoves) -> i32 {
        let side = position.turn().index() * CORRECTION_SLOTS;
        let slot = |key: u64| side + key as usize % CORRECTION_SLOTS;
        let mut sum = correction_pawn() * i32::from(self.correction_pawn[slot(position.pawn_key())]);
        for color in Color::ALL {
            let table = &self.correction_pieces[color.index()];
            sum += correction_pieces() * i32::from(table[slot(position.pieces_key(color))]);
        }
        if let Some((before, last)) = earlier.last_two() {
            sum += correction_continuation() * i32::from(self.correction_continuation[before][last]);
        }
        sum / 1024
    }

    /// Teaches the corrections that a search to `depth` found `score` where they said `evaluation`.
    pub(crate) fn update_correction(
        &mut self,
        position: &Position,
        earlier: &EarlierMoves,
        depth: i32,
        score: Score,
        evaluation: Score,
    ) {
        let error = (score - evaluation).clamp(-400, 400);
        let bonus = (error * depth / 4).clamp(-CORRECTION_BOUND / 4, CORRECTION_BOUND / 4);
        let side = position.turn().index() * CORRECTION_SLOTS;
        let slot = |key: u64| side + key as usize % CORRECTION_SLOTS;
        apply_gravity(&mut self.correction_pawn[slot(position.pawn_key())], bonus, CORRECTION_BOUND);
        for color in Color::ALL {
            let table = &mut self.correction_pieces[color.index()];
            apply_gravity(&mut table[slot(position.pieces_key(color))], bonus, CORRECTION_BOUND);
        }
        if let Some((before, last)) = earlier.last_two() {
            apply_gravity(&mut self.correction_continuation[before][last], bonus, CORRECTION_BOUND);
        }
    }
}

/// The tables that score the quiet moves of one node, looked up once.
pub(crate) struct QuietScorer<'a> {
    butterfly: &'a [i16; 2 * 4 * 4096],
    pawn: &'a Row,
    continuation: [&'a Row; 3],
}

impl QuietScorer<'_> {
    /// How well a quiet move did at other nodes, in history units.
    #[inline]
    pub(crate) fn score(&self, key: QuietKey) -> i32 {
        let at = key.piece_to.index();
        let of = |row: &Row| i32::from(row[at]);
        let [one, two, four] = self.continuation;
        2 * i32::from(self.butterfly[key.butterfly]) + of(self.pawn) + of(one) + of(two) + (of(four) >> 1)
    }

    /// The part of [`score`](QuietScorer::score) that the last two moves decide.
    #[inline]
    pub(crate) fn recent(&self, key: QuietKey) -> i32 {
        let [one, two, _] = self.continuation;
        i32::from(one[key.piece_to.index()]) + i32::from(two[key.piece_to.index()])
    }
}

/// How many plies back the continuation histories look.
const CONTINUATION_PLIES: [usize; 3] = [1, 2, 4];

/// The moves 1, 2 and 4 plies before a node as rows of the continuation table.
#[derive(Clone, Copy)]
pub(crate) struct EarlierMoves([u16; 3]);

impl EarlierMoves {
    /// A null move, or a ply before the root.
    const NONE: u16 = PIECE_SQUARES as u16;

    /// `frames` end with the one of the last move made.
    #[inline]
    pub(crate) fn of(frames: &[Frame]) -> EarlierMoves {
        EarlierMoves(CONTINUATION_PLIES.map(|back| {
            let frame = frames.len().checked_sub(back).map(|at| &frames[at]);
            frame.and_then(|frame| frame.piece_to).map_or(EarlierMoves::NONE, |piece_to| piece_to.0)
        }))
    }

    /// The last two moves, the earlier first.
    fn last_two(&self) -> Option<(usize, usize)> {
        let [last, before, _] = self.0;
        let known = last != EarlierMoves::NONE && before != EarlierMoves::NONE;
        known.then_some((usize::from(before), usize::from(last)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gravity_keeps_the_bound() {
        let mut value = 0;
        for bonus in [5000, 5000, 9000, 1, 8192, 8192] {
            apply_gravity(&mut value, bonus, MOVE_BOUND);
            assert!(i32::from(value) <= MOVE_BOUND);
        }
        assert!(i32::from(value) > MOVE_BOUND * 9 / 10);
        for _ in 0..10 {
            apply_gravity(&mut value, -20000, MOVE_BOUND);
        }
        assert_eq!(i32::from(value), -MOVE_BOUND);
    }
}
