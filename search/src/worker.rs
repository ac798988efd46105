//! One thread of a search: what it shares, what it keeps from search to search, and its bookkeeping.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crossbeam_channel::Sender;
use makara_engine::{Game, Move, Position, RoleValues};

use crate::evaluation::{Accumulators, Evaluator};
use crate::history::{EarlierMoves, Histories, PieceTo};
use crate::limits::Limits;
use crate::margins::exchange_values;
use crate::report::{Bound, Event, Line};
use crate::score::{MAX_PLY, Score};
use crate::signals::Signals;
use crate::stack::{Frame, PvTable, Stack, new_stack};
use crate::time::TimeManager;
use crate::transposition::Table;

/// A counter on a cache line of its own, so that threads do not slow each other.
#[derive(Default)]
#[repr(align(128))]
pub(crate) struct NodeCounter(AtomicU64);

impl NodeCounter {
    #[inline]
    fn set(&self, nodes: u64) {
        self.0.store(nodes, Relaxed);
    }
}

/// What all threads of one search share.
pub(crate) struct Common<'a> {
    pub(crate) table: &'a Table,
    pub(crate) signals: &'a Signals,
    pub(crate) limits: &'a Limits,
    pub(crate) time: TimeManager,
    pub(crate) counters: Vec<NodeCounter>,
    /// Lines to report.
    pub(crate) multi_pv: usize,
    /// Lines to search: more than are reported where a move is drawn from them.
    pub(crate) lines: usize,
    pub(crate) evaluator: &'a Evaluator,
    pub(crate) events: &'a Sender<Event>,
}

impl Common<'_> {
    /// Nodes of all threads.
    pub(crate) fn nodes(&self) -> u64 {
        self.counters.iter().map(|counter| counter.0.load(Relaxed)).sum()
    }
}

/// What a thread keeps from search to search.
pub(crate) struct Memory {
    pub(crate) histories: Histories,
    stack: Stack,
    pv: PvTable,
    accumulators: Accumulators,
}

impl Memory {
    /// About what one takes, in bytes.
    pub(crate) const SIZE: u64 = 5 << 20;

    pub(crate) fn new() -> Memory {
        Memory {
            histories: Histories::new(),
            stack: new_stack(),
            pv: PvTable::new(),
            accumulators: Accumulators::new(),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.histories.clear();
        self.stack.fill(Frame::default());
    }
}

/// A move of the root with what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) mv: Move,
    /// Lowest for moves not yet searched with an open window in this iteration.
    pub(crate) score: Score,
    pub(crate) bound: Bound,
    /// The score of the iteration before.
    pub(crate) previous: Score,
    pub(crate) pv: Vec<Move>,
    pub(crate) seldepth: usize,
    /// Nodes spent on it in this search.
    pub(crate) nodes: u64,
}

impl RootMove {
    fn new(mv: Move) -> RootMove {
        RootMove {
            mv,
            score: -Score::INFINITE,
            bound: Bound::Exact,
            previous: -Score::INFINITE,
            pv: vec![mv],
            seldepth: 1,
            nodes: 0,
        }
    }
}

/// One thread of one search.
pub(crate) struct Worker<'a> {
    /// 0 for the thread that watches the clock and reports.
    pub(crate) id: usize,
    pub(crate) common: &'a Common<'a>,
    pub(crate) game: &'a Game,
    pub(crate) root: Position,
    pub(crate) histories: &'a mut Histories,
    pub(crate) stack: &'a mut Stack,
    pub(crate) pv: &'a mut PvTable,
    accumulators: &'a mut Accumulators,
    pub(crate) root_moves: Vec<RootMove>,
    /// The place in `root_moves` of the line that is being searched; those before it are left out.
    pub(crate) pv_index: usize,
    pub(crate) values: RoleValues,
    pub(crate) nodes: u64,
    pub(crate) seldepth: usize,
    pub(crate) completed_depth: usize,
    pub(crate) root_depth: usize,
    /// The time for this move was used up while pondering: nothing is left after the ponder hit.
    pub(crate) has_thought_enough: bool,
    /// The last first line sent.
    pub(crate) reported: Option<Line>,
    /// For a search that ends before it knows any better.
    pub(crate) root_evaluation: Score,
    /// Up to this ply no null move is tried: a verification search runs.
    pub(crate) null_move_from: usize,
    stopped: bool,
    /// Stop at so many nodes, when this is the only thread.
    node_budget: u64,
    /// Keys of the game and of the line being searched, those that can repeat.
    keys: Vec<u64>,
    /// Where in `keys` the root stands.
    root_key: usize,
    /// Where in `keys` the last null move led: nothing before it can repeat.
    null_key: usize,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(
        id: usize,
        common: &'a Common<'a>,
        memory: &'a mut Memory,
        game: &'a Game,
    ) -> Worker<'a> {
        let root = *game.position();
        let mut keys: Vec<u64> = game.reversible_keys().collect();
        keys.reverse();
        let root_key = keys.len();
        keys.push(root.key());
        let chosen = &common.limits.search_moves;
        let legal = root.legal_moves();
        let any_chosen = chosen.iter().any(|mv| legal.contains(mv));
        let wanted = |mv: &&Move| !any_chosen || chosen.contains(mv);
        common.evaluator.reset(&mut memory.accumulators);
        let single = common.counters.len() == 1;
        Worker {
            id,
            common,
            game,
            root,
            histories: &mut memory.histories,
            stack: &mut memory.stack,
            pv: &mut memory.pv,
            accumulators: &mut memory.accumulators,
            root_moves: legal.iter().filter(wanted).map(|&mv| RootMove::new(mv)).collect(),
            pv_index: 0,
            values: exchange_values(),
            nodes: 0,
            seldepth: 0,
            completed_depth: 0,
            root_depth: 0,
            has_thought_enough: false,
            reported: None,
            root_evaluation: Score::DRAW,
            null_move_from: 0,
            stopped: false,
            node_budget: if single { common.limits.nodes.unwrap_or(u64::MAX) } else { u64::MAX },
            keys,
            root_key,
            null_key: 0,
        }
    }

    pub(crate) fn is_main(&self) -> bool {
        self.id == 0
    }

    /// True once the search must unwind; what it returns from then on means nothing.
    #[inline]
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Looks whether the search must end: at each node, cheaply.
    #[inline]
    pub(crate) fn check_limits(&mut self) {
        if self.common.signals.is_stopped() || self.nodes >= self.node_budget {
            self.stopped = true;
        } else if self.nodes.is_multiple_of(256) {
            self.check_clock();
        }
    }

    #[cold]
    fn check_clock(&mut self) {
        // One iteration is always finished, however little time there is.
        if self.completed_depth == 0 || self.common.signals.is_pondering() {
            return;
        }
        // Any thread may be the one that runs when the nodes are spent; the clock is the first one's.
        let too_many = self.common.limits.nodes.is_some_and(|limit| self.common.nodes() >= limit);
        if too_many || (self.is_main() && (self.has_thought_enough || self.common.time.is_over())) {
            self.stopped = true;
            self.common.signals.end();
        }
    }

    /// Asks for what the table knows of the position after a move, well before it is needed.
    #[inline]
    pub(crate) fn fetch_ahead(&self, position: &Position, mv: Move) {
        self.common.table.prefetch(position.search_key_after(mv));
    }

    /// Makes a move in the line: the new position, with the bookkeeping that [`leave`](Worker::leave) undoes.
    #[inline]
    pub(crate) fn enter(&mut self, position: &Position, mv: Move, ply: usize) -> Position {
        let next = position.after(mv);
        if self.common.evaluator.follows_moves() {
            self.accumulators.note_move(ply, position, mv);
        }
        let frame = &mut self.stack[ply];
        frame.mv = Some(mv);
        frame.piece_to = position.piece_at(mv.from()).map(|piece| PieceTo::new(piece, mv.to()));
        self.count_node();
        self.keys.push(next.key());
        next
    }

    /// Runs a search below a null move.
    pub(crate) fn with_null_move(
        &mut self,
        position: &Position,
        ply: usize,
        search: impl FnOnce(&mut Self, &Position) -> Score,
    ) -> Score {
        let next = position.after_null();
        if self.common.evaluator.follows_moves() {
            self.accumulators.note_null(ply);
        }
        self.common.table.prefetch(next.search_key());
        self.stack[ply].mv = None;
        self.stack[ply].piece_to = None;
        self.count_node();
        let outer = std::mem::replace(&mut self.null_key, self.keys.len());
        self.keys.push(next.key());
        let score = search(self, &next);
        self.keys.pop();
        self.null_key = outer;
        score
    }

    #[inline]
    pub(crate) fn leave(&mut self) {
        self.keys.pop();
    }

    #[inline]
    fn count_node(&mut self) {
        self.nodes += 1;
        self.common.counters[self.id].set(self.nodes);
    }

    /// The moves before a node.
    #[inline]
    pub(crate) fn earlier(&self, ply: usize) -> EarlierMoves {
        EarlierMoves::of(&self.stack[..ply])
    }

    /// The score of a node where the game is over or may be claimed drawn, or where the search can go no
    /// deeper. Not for the root.
    #[inline]
    pub(crate) fn terminal_score(&mut self, position: &Position, ply: usize) -> Option<Score> {
        if position.is_dead() || self.is_repetition(position) {
            return Some(Score::DRAW);
        }
        if position.is_fifty_moves() || position.is_count_expired() {
            let mated = position.in_check() && !position.has_legal_move();
            return Some(if mated { Score::mated_in(ply) } else { Score::DRAW });
        }
        (ply >= MAX_PLY).then(|| if position.in_check() { Score::DRAW } else { self.evaluate(position, ply) })
    }

    /// True when the position stood on the board before: once since the root, or twice before.
    fn is_repetition(&self, position: &Position) -> bool {
        let now = self.keys.len() - 1;
        let oldest = now.saturating_sub(usize::from(position.clock())).max(self.null_key);
        let mut seen_before_root = false;
        let mut at = now;
        while at >= oldest + 2 {
            at -= 2;
            if self.keys[at] == position.key() {
                if at > self.root_key || seen_before_root {
                    return true;
                }
                seen_before_root = true;
            }
        }
        false
    }

    /// True when the side to move can go back to a position of this line, which would be a draw.
    pub(crate) fn can_repeat(&self, position: &Position) -> bool {
        let now = self.keys.len() - 1;
        let oldest = now.saturating_sub(usize::from(position.clock())).max(self.null_key);
        let oldest = oldest.max(self.root_key + 1);
        // Positions with the other side to move, three and more plies back.
        let earlier = (oldest..=now.saturating_sub(3)).rev().step_by(2);
        earlier.into_iter().any(|at| position.can_move_to(self.keys[at]))
    }

    /// The static evaluation of the position at `ply` of the line.
    #[inline]
    pub(crate) fn evaluate(&mut self, position: &Position, ply: usize) -> Score {
        self.common.evaluator.evaluate(self.accumulators, position, ply)
    }

    /// A static evaluation corrected by what earlier searches found.
    pub(crate) fn corrected(&self, position: &Position, raw: Score, ply: usize) -> Score {
        Score::estimate(raw.raw() + self.histories.correction(position, &self.earlier(ply)))
    }
}
