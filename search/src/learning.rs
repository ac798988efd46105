//! What the search teaches the histories.

use makara_engine::{Move, Position};

use crate::history::{EarlierMoves, Histories};
use crate::margins;
use crate::score::Score;
use crate::search::is_noisy;
use crate::worker::Worker;

/// Moves tried at a node, as many as are worth punishing.
pub(crate) struct Tried {
    len: usize,
    moves: [Option<Move>; 32],
}

impl Tried {
    pub(crate) fn new() -> Tried {
        Tried { len: 0, moves: [None; 32] }
    }

    pub(crate) fn push(&mut self, mv: Move) {
        if let Some(slot) = self.moves.get_mut(self.len) {
            *slot = Some(mv);
            self.len += 1;
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Move> + '_ {
        self.moves[..self.len].iter().flatten().copied()
    }
}

impl Worker<'_> {
    /// Teaches the butterfly table by how the last quiet move changed the evaluation; `change` is what the
    /// side to move gained by it.
    pub(crate) fn judge_quiet_before(&mut self, ply: usize, change: Score) {
        if let Some(key) = self.stack[ply - 1].quiet_key {
            let bonus = (-change.raw() * 4).clamp(-700, 900);
            self.histories.update_butterfly(key, bonus);
        }
    }

    /// A move failed high: it gains, the moves tried before it lose.
    pub(crate) fn reward(
        &mut self,
        position: &Position,
        best: Move,
        quiets: &Tried,
        captures: &Tried,
        earlier: &EarlierMoves,
        depth: i32,
    ) {
        let bonus = margins::history_bonus(depth);
        let malus = margins::history_malus(depth);
        if is_noisy(position, best) {
            self.histories.update_capture(position, best, bonus);
        } else {
            if let Some(key) = Histories::quiet_key(position, best) {
                self.histories.update_quiet(key, earlier, bonus);
            }
            for mv in quiets.iter() {
                if let Some(key) = Histories::quiet_key(position, mv) {
                    self.histories.update_quiet(key, earlier, -malus);
                }
            }
        }
        for mv in captures.iter() {
            self.histories.update_capture(position, mv, -malus);
        }
    }

    /// Every move failed low: the quiet move that led here was good.
    pub(crate) fn reward_move_before(&mut self, ply: usize, depth: i32) {
        if let Some(key) = self.stack[ply - 1].quiet_key {
            let bonus = margins::history_bonus(depth) / 2;
            let before = self.earlier(ply - 1);
            self.histories.update_continuation(key, &before, bonus);
            self.histories.update_butterfly(key, bonus / 2);
        }
    }
}
