//! Moves in the order in which the search should try them, generated and sorted only as far as needed.

use makara_engine::{Move, MoveList, Position, Role, RoleValues, Stage};

use crate::history::{EarlierMoves, Histories};

/// What comes next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Phase {
    TableMove,
    GenerateNoisy,
    GoodNoisy,
    GenerateQuiet,
    Quiet,
    BadNoisy,
    Done,
}

/// Which moves are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wanted {
    All,
    /// Captures and promotions whose exchange wins at least so many centipawns.
    Noisy {
        threshold: i32,
    },
}

/// Gives moves one by one: the table's move, good captures, quiet moves, bad captures.
pub(crate) struct MovePicker {
    phase: Phase,
    wanted: Wanted,
    table_move: Option<Move>,
    moves: MoveList,
    scores: [i32; makara_engine::MAX_LEGAL_MOVES],
    next: usize,
    /// Noisy moves that lose material, put off to the end.
    bad: MoveList,
    next_bad: usize,
    skip_quiets: bool,
}

/// Captures are ordered by victim first; so many history units are one centipawn of the victim.
const VICTIM_WEIGHT: i32 = 16;
/// A quiet check is worth so many history units in the order.
const CHECK_BONUS: i32 = 6000;
/// Fleeing an attack, or walking into one, in history units by role.
const DANGER: [i32; 6] = [0, 3000, 5000, 6000, 12000, 0];

impl MovePicker {
    /// `table_move` must be legal.
    pub(crate) fn new(table_move: Option<Move>, wanted: Wanted) -> MovePicker {
        MovePicker {
            phase: if table_move.is_some() { Phase::TableMove } else { Phase::GenerateNoisy },
            wanted,
            table_move,
            moves: MoveList::new(),
            scores: [0; makara_engine::MAX_LEGAL_MOVES],
            next: 0,
            bad: MoveList::new(),
            next_bad: 0,
            skip_quiets: false,
        }
    }

    /// Gives no more quiet moves.
    pub(crate) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The next move.
    pub(crate) fn next(
        &mut self,
        position: &Position,
        histories: &Histories,
        earlier: &EarlierMoves,
        values: &RoleValues,
    ) -> Option<Move> {
        loop {
            match self.phase {
                Phase::TableMove => {
                    self.phase = Phase::GenerateNoisy;
                    return self.table_move;
                }
                Phase::GenerateNoisy => {
                    position.generate(Stage::Noisy, &mut self.moves);
                    self.score_noisy(position, histories, values);
                    self.phase = Phase::GoodNoisy;
                }
                Phase::GoodNoisy => {
                    let Some((mv, score)) = self.pop_best() else {
                        self.phase = Phase::GenerateQuiet;
                        continue;
                    };
                    let threshold = match self.wanted {
                        Wanted::Noisy { threshold } => threshold,
                        // A capture with a good record may lose a little.
                        Wanted::All => -score / (VICTIM_WEIGHT * 4) / 4,
                    };
                    if position.see_at_least(mv, threshold, values) {
                        return Some(mv);
                    }
                    if self.wanted == Wanted::All {
                        self.bad.push(mv);
                    }
                }
                Phase::GenerateQuiet => {
                    if self.wanted == Wanted::All && !self.skip_quiets {
                        self.moves.clear();
                        self.next = 0;
                        position.generate(Stage::Quiet, &mut self.moves);
                        self.score_quiet(position, histories, earlier);
                        self.phase = Phase::Quiet;
                    } else {
                        self.phase = Phase::BadNoisy;
                    }
                }
                Phase::Quiet => {
                    if !self.skip_quiets
                        && let Some((mv, _)) = self.pop_best()
                    {
                        return Some(mv);
                    }
                    self.phase = Phase::BadNoisy;
                }
                Phase::BadNoisy => {
                    if let Some(&mv) = self.bad.get(self.next_bad) {
                        self.next_bad += 1;
                        return Some(mv);
                    }
                    self.phase = Phase::Done;
                }
                Phase::Done => return None,
            }
        }
    }

    /// Takes the best move left, the table's move left out.
    fn pop_best(&mut self) -> Option<(Move, i32)> {
        loop {
            let len = self.moves.len();
            if self.next >= len {
                return None;
            }
            let mut best = self.next;
            for i in self.next + 1..len {
                if self.scores[i] > self.scores[best] {
                    best = i;
                }
            }
            self.moves.swap(self.next, best);
            self.scores.swap(self.next, best);
            let (mv, score) = (self.moves[self.next], self.scores[self.next]);
            self.next += 1;
            if Some(mv) != self.table_move {
                return Some((mv, score));
            }
        }
    }

    fn score_noisy(&mut self, position: &Position, histories: &Histories, values: &RoleValues) {
        for (mv, score) in self.moves.iter().zip(&mut self.scores) {
            let victim = position.role_at(mv.to()).map_or(0, |role| values[role.index()]);
            let promoted = mv.promoted().map_or(0, |role| values[role.index()] - values[0]);
            *score = VICTIM_WEIGHT * (victim + promoted) + histories.capture(position, *mv);
        }
    }

    fn score_quiet(&mut self, position: &Position, histories: &Histories, earlier: &EarlierMoves) {
        let us = position.turn();
        let check_squares = position.check_squares(!us);
        let threats = position.threats();
        for (mv, score) in self.moves.iter().zip(&mut self.scores) {
            let Some(key) = Histories::quiet_key(position, *mv) else { continue };
            let role = position.role_at(mv.from()).unwrap_or(Role::Pawn);
            *score = histories.quiet(key, earlier);
            if check_squares[role.index()].contains(mv.to()) {
                *score += CHECK_BONUS;
            }
            if threats.contains(mv.from()) {
                *score += DANGER[role.index()];
            }
            if threats.contains(mv.to()) {
                *score -= DANGER[role.index()];
            }
        }
    }
}
