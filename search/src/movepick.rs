//! Moves in the order in which the search should try them, generated and sorted only as far as needed.

use makara_engine::{MAX_LEGAL_MOVES, Move, Position, RoleValues, Stage};

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

/// A move with its score in one word, the score above: words compare as scores do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Scored(i32);

impl Scored {
    /// Scores are kept in steps of 2² history units.
    const STEP: u32 = 2;

    #[inline]
    fn new(mv: Move, score: i32) -> Scored {
        let steps = score >> Scored::STEP;
        debug_assert!(i16::try_from(steps).is_ok(), "the bounds of the histories leave room");
        Scored(steps << 16 | i32::from(mv.raw()))
    }

    #[inline]
    fn mv(self) -> Option<Move> {
        Move::from_raw(self.0 as u16)
    }

    #[inline]
    fn score(self) -> i32 {
        self.0 >> 16 << Scored::STEP
    }
}

/// Gives moves one by one: the table's move, good captures, quiet moves, bad captures.
pub(crate) struct MovePicker {
    phase: Phase,
    wanted: Wanted,
    table_move: Option<Move>,
    /// First the captures that lose material, put off to the end; then, from `next` on, what is still to be
    /// chosen from.
    moves: [Scored; MAX_LEGAL_MOVES],
    bad: usize,
    next: usize,
    len: usize,
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
            moves: [Scored(0); MAX_LEGAL_MOVES],
            bad: 0,
            next: 0,
            len: 0,
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
                        // Its place is free: a word before `next`.
                        self.moves[self.bad] = Scored::new(mv, score);
                        self.bad += 1;
                    }
                }
                Phase::GenerateQuiet => {
                    if self.wanted == Wanted::All && !self.skip_quiets {
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
                    if self.next_bad < self.bad {
                        self.next_bad += 1;
                        return self.moves[self.next_bad - 1].mv();
                    }
                    self.phase = Phase::Done;
                }
                Phase::Done => return None,
            }
        }
    }

    /// Takes the best move left, the table's move left out.
    #[inline]
    fn pop_best(&mut self) -> Option<(Move, i32)> {
        while self.next < self.len {
            let left = &mut self.moves[self.next..self.len];
            let mut best = 0;
            let mut chosen = left[0];
            for (at, &word) in left.iter().enumerate() {
                if word > chosen {
                    chosen = word;
                    best = at;
                }
            }
            left.swap(0, best);
            self.next += 1;
            if chosen.mv() != self.table_move {
                return chosen.mv().map(|mv| (mv, chosen.score()));
            }
        }
        None
    }

    /// Generates the moves of a stage behind those that are kept, each with its score.
    #[inline]
    fn fill(&mut self, position: &Position, stage: Stage, score: impl Fn(Move) -> i32) {
        self.next = self.bad;
        self.len = self.bad;
        position.for_each_move(stage, |mv| {
            self.moves[self.len] = Scored::new(mv, 0);
            self.len += 1;
        });
        for word in &mut self.moves[self.next..self.len] {
            if let Some(mv) = word.mv() {
                *word = Scored::new(mv, score(mv));
            }
        }
    }

    fn score_noisy(&mut self, position: &Position, histories: &Histories, values: &RoleValues) {
        self.fill(position, Stage::Noisy, |mv| {
            let victim = position.role_at(mv.to()).map_or(0, |role| values[role.index()]);
            let promoted = mv.promoted().map_or(0, |role| values[role.index()] - values[0]);
            VICTIM_WEIGHT * (victim + promoted) + histories.capture(position, mv)
        });
    }

    fn score_quiet(&mut self, position: &Position, histories: &Histories, earlier: &EarlierMoves) {
        let us = position.turn();
        let check_squares = position.check_squares(!us);
        let threats = position.threats();
        let scorer = histories.quiet_scorer(position, earlier);
        self.fill(position, Stage::Quiet, |mv| {
            let Some(piece) = position.piece_at(mv.from()) else { return 0 };
            let role = piece.role();
            let mut score = scorer.score(Histories::quiet_key_of(position, mv, piece));
            if check_squares[role.index()].contains(mv.to()) {
                score += CHECK_BONUS;
            }
            if threats.contains(mv.from()) {
                score += DANGER[role.index()];
            }
            if threats.contains(mv.to()) {
                score -= DANGER[role.index()];
            }
            score
        });
    }
}
