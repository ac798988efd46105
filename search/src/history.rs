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

fn zeroed<const N: usize>() -> Box<[i16; N]> {
    // By way of a vector, which never stands on the stack.
    match vec![0; N].into_boxed_slice().try_into() {
        Ok(array) => array,
        Err(_) => unreachable!("the length is N"),
    }
}

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

impl QuietKey {
    /// The man and its target.
    #[inline]
    pub(crate) fn piece_to(self) -> PieceTo {
        self.piece_to
    }
}

/// All histories of one thread, about 3.5 MiB.
pub(crate) struct Histories {
    /// By side, whether the two squares are attacked, and the two squares.
    butterfly: Box<[i16; 2 * 4 * 4096]>,
    /// By man, target and what it takes.
    capture: Box<[i16; PIECE_SQUARES * 8]>,
    /// By an earlier man and target, then this man and target.
    continuation: Box<[i16; PIECE_SQUARES * PIECE_SQUARES]>,
    /// By pawn structure, man and target.
    pawn: Box<[i16; PAWN_SLOTS * PIECE_SQUARES]>,
    /// Errors of the static evaluation, by side and structure of pawns,
    correction_pawn: Box<[i16; 2 * CORRECTION_SLOTS]>,
    /// of White's and of Black's men,
    correction_pieces: [Box<[i16; 2 * CORRECTION_SLOTS]>; 2],
    /// and by the last two moves.
    correction_continuation: Box<[i16; PIECE_SQUARES * PIECE_SQUARES]>,
}

impl Histories {
    pub(crate) fn new() -> Histories {
        Histories {
            butterfly: zeroed(),
            capture: zeroed(),
            continuation: zeroed(),
            pawn: zeroed(),
            correction_pawn: zeroed(),
            correction_pieces: [zeroed(), zeroed()],
            correction_continuation: zeroed(),
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
            pawn: position.pawn_key() as usize % PAWN_SLOTS * PIECE_SQUARES,
        }
    }

    /// How well a quiet move did at other nodes. `frames` are those before the move, the latest last.
    #[inline]
    pub(crate) fn quiet(&self, key: QuietKey, earlier: &EarlierMoves) -> i32 {
        let at = key.piece_to.index();
        let mut sum = 2 * i32::from(self.butterfly[key.butterfly & (2 * 4 * 4096 - 1)]);
        sum += i32::from(self.pawn[key.pawn + at]);
        for (before, weight) in earlier.0.iter().zip(CONTINUATION_WEIGHTS) {
            if let Some(before) = before {
                sum += weight * i32::from(self.continuation[before.index() * PIECE_SQUARES + at]) / 2;
            }
        }
        sum
    }

    /// The part of [`quiet`](Histories::quiet) that the last two moves decide.
    #[inline]
    pub(crate) fn continuation(&self, piece_to: PieceTo, earlier: &EarlierMoves) -> i32 {
        let recent = earlier.0[..2].iter().flatten();
        recent
            .map(|before| i32::from(self.continuation[before.index() * PIECE_SQUARES + piece_to.index()]))
            .sum()
    }

    pub(crate) fn update_quiet(&mut self, key: QuietKey, earlier: &EarlierMoves, bonus: i32) {
        apply_gravity(&mut self.butterfly[key.butterfly], bonus, MOVE_BOUND);
        apply_gravity(&mut self.pawn[key.pawn + key.piece_to.index()], bonus, MOVE_BOUND);
        self.update_continuation(key.piece_to, earlier, bonus);
    }

    /// Teaches the butterfly table alone.
    pub(crate) fn update_butterfly(&mut self, key: QuietKey, bonus: i32) {
        apply_gravity(&mut self.butterfly[key.butterfly], bonus, MOVE_BOUND);
    }

    /// Teaches the continuation tables alone.
    pub(crate) fn update_continuation_of(&mut self, key: QuietKey, earlier: &EarlierMoves, bonus: i32) {
        self.update_continuation(key.piece_to, earlier, bonus);
    }

    fn update_continuation(&mut self, piece_to: PieceTo, earlier: &EarlierMoves, bonus: i32) {
        for before in earlier.0.iter().flatten() {
            let at = before.index() * PIECE_SQUARES + piece_to.index();
            apply_gravity(&mut self.continuation[at], bonus, MOVE_BOUND);
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
        if let [Some(last), Some(before), ..] = earlier.0 {
            let at = before.index() * PIECE_SQUARES + last.index();
            sum += correction_continuation() * i32::from(self.correction_continuation[at]);
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
        if let [Some(last), Some(before), ..] = earlier.0 {
            let at = before.index() * PIECE_SQUARES + last.index();
            apply_gravity(&mut self.correction_continuation[at], bonus, CORRECTION_BOUND);
        }
    }
}

/// How many plies back the continuation histories look.
const CONTINUATION_PLIES: [usize; 4] = [1, 2, 4, 6];
/// In halves.
const CONTINUATION_WEIGHTS: [i32; 4] = [2, 2, 1, 1];

/// The moves 1, 2, 4 and 6 plies before a node; none for a null move or before the root.
#[derive(Clone, Copy)]
pub(crate) struct EarlierMoves([Option<PieceTo>; 4]);

impl EarlierMoves {
    /// `frames` end with the one of the last move made.
    #[inline]
    pub(crate) fn of(frames: &[Frame]) -> EarlierMoves {
        EarlierMoves(CONTINUATION_PLIES.map(|back| {
            let at = frames.len().checked_sub(back)?;
            frames[at].piece_to
        }))
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
