//! The main search: principal variation search with everything that strong engines prune by.
//!
//! [`Worker::node`] reads from top to bottom in numbered steps. The ideas are common property of the
//! field; where one has a known source, the step names it.

use makara_engine::{Move, Position};

use crate::history::Histories;
use crate::learning::Tried;
use crate::margins;
use crate::movepick::{MovePicker, Wanted};
use crate::parameters::{
    lmr_check, lmr_cut_node, lmr_cutoffs, lmr_history, lmr_not_improving, lmr_pv, lmr_table_move,
    lmr_tt_capture, lmr_tt_pv,
};
use crate::pruning::{Singular, is_decided};
use crate::report::Bound;
use crate::score::{MAX_PLY, Score};
use crate::transposition::Hit;
use crate::worker::Worker;

/// What kind of node is searched, known when the code is compiled.
pub(crate) trait NodeType {
    /// The window is open: the exact score is wanted, and a variation.
    const PV: bool;
    /// The root, which must give a move.
    const ROOT: bool;
}

pub(crate) struct Root;
pub(crate) struct Pv;
pub(crate) struct NonPv;

impl NodeType for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl NodeType for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl NodeType for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// What a node knows before its moves are tried.
pub(crate) struct Context {
    pub(crate) depth: i32,
    pub(crate) improving: bool,
    pub(crate) cut_node: bool,
    pub(crate) was_pv: bool,
    pub(crate) table_move_is_noisy: bool,
    /// The static evaluation without corrections.
    pub(crate) raw: Option<Score>,
    /// The best guess at the score.
    pub(crate) evaluation: Option<Score>,
}

pub(crate) fn is_noisy(position: &Position, mv: Move) -> bool {
    mv.is_promotion() || position.piece_at(mv.to()).is_some()
}

impl Worker<'_> {
    /// The score of a position, from the side to move, for the window from `alpha` to `beta`.
    ///
    /// `depth` plies are still to be looked at, `ply` is the distance from the root. `cut_node` says that
    /// a move that fails high is expected.
    pub(crate) fn node<N: NodeType>(
        &mut self,
        position: &Position,
        mut alpha: Score,
        mut beta: Score,
        mut depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        // 1. Out of depth: captures only.
        if depth <= 0 {
            return self.quiescence::<N>(position, alpha, beta, ply);
        }

        // 2. Stop, draws, the deepest ply, and mates nearer than this node.
        self.check_limits();
        if self.is_stopped() {
            return Score::DRAW;
        }
        if N::PV {
            self.pv.clear(ply);
            self.seldepth = self.seldepth.max(ply);
        }
        if !N::ROOT {
            if let Some(score) = self.terminal_score(position, ply) {
                return score;
            }
            if alpha < Score::DRAW && self.can_repeat(position) {
                alpha = Score::DRAW;
                if alpha >= beta {
                    return alpha;
                }
            }
            alpha = alpha.max(Score::mated_in(ply));
            beta = beta.min(Score::mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }
        let in_check = position.in_check();
        let excluded = self.stack[ply].excluded;
        let earlier = self.earlier(ply);
        self.stack[ply].cutoffs = 0;
        self.stack[ply + 1].excluded = None;
        self.stack[ply + 1].doubles = self.stack[ply].doubles;

        // 3. The transposition table.
        let key = position.search_key();
        let hit = if excluded.is_none() { self.common.table.probe(position, ply) } else { None };
        let mut table_move = hit.and_then(|hit| hit.mv).filter(|&mv| position.is_legal(mv));
        if N::ROOT {
            table_move = self.root_moves.get(self.pv_index).map(|root_move| root_move.mv);
        }
        let was_pv =
            N::PV || hit.is_some_and(|hit| hit.was_pv) || (excluded.is_some() && self.stack[ply].was_pv);
        self.stack[ply].was_pv = was_pv;
        if !N::PV
            && let Some(hit) = hit
            && hit.depth > depth - i32::from(hit.score < beta)
            && hit.proves(beta)
            && (cut_node == (hit.score >= beta) || depth > 6)
        {
            if let Some(mv) = table_move
                && hit.score >= beta
                && !is_noisy(position, mv)
                && let Some(key) = Histories::quiet_key(position, mv)
            {
                self.histories.update_quiet(key, &earlier, margins::history_bonus(depth));
            }
            return hit.score;
        }

        // 4. The static evaluation.
        let (raw, mut evaluation) = self.static_evaluation(position, hit, excluded.is_some(), ply);
        if excluded.is_none() {
            self.stack[ply].evaluation = evaluation;
            if let Some(raw) = raw
                && hit.is_none()
            {
                let known =
                    Hit { mv: None, score: raw, bound: None, depth: 0, evaluation: Some(raw), was_pv };
                self.common.table.store(key, ply, known);
            }
        }
        let improving = self.is_improving(evaluation, ply);
        // The table's score is a better guess where its bound allows.
        if let (Some(score), Some(hit)) = (&mut evaluation, hit)
            && hit.improves(*score)
        {
            *score = hit.score;
        }

        // 5. Hindsight: a move that was reduced much but leaves the other side no better deserves more.
        if !N::ROOT
            && let (Some(now), Some(before)) = (self.stack[ply].evaluation, self.stack[ply - 1].evaluation)
        {
            let reduction = self.stack[ply - 1].reduction;
            if reduction >= 3072 && now + before.raw() < Score::DRAW {
                depth += 1;
            } else if reduction >= 1024 && depth >= 2 && now + before.raw() > Score::estimate(160) {
                depth -= 1;
            }
            // The quiet move before is judged by what it did to the evaluation.
            if excluded.is_none() {
                self.judge_quiet_before(ply, now + before.raw());
            }
        }

        // 6. Pruning of the whole node.
        let context = Context {
            depth,
            improving,
            cut_node,
            was_pv,
            table_move_is_noisy: table_move.is_some_and(|mv| is_noisy(position, mv)),
            raw,
            evaluation,
        };
        if !N::PV
            && !in_check
            && excluded.is_none()
            && let Some(evaluation) = evaluation
            && let Some(score) =
                self.prune_node(position, alpha, beta, ply, evaluation, &context, table_move, hit)
        {
            return score;
        }

        // 7. Internal iterative reduction (Schröder 2020): without a move from the table the node can wait.
        if depth >= 4 && table_move.is_none() && (N::PV || cut_node) {
            depth -= 1;
        }

        // 8. The moves.
        let mut picker = MovePicker::new(table_move, Wanted::All);
        let mut best_score = -Score::INFINITE;
        let mut best_move = None;
        let mut tried = 0;
        let mut quiets = Tried::new();
        let mut captures = Tried::new();
        let old_alpha = alpha;
        let context = Context { depth, ..context };

        while let Some(mv) = picker.next(position, self.histories, &earlier, &self.values) {
            if Some(mv) == excluded {
                continue;
            }
            if N::ROOT && !self.root_moves[self.pv_index..].iter().any(|root_move| root_move.mv == mv) {
                continue;
            }
            self.fetch_ahead(position, mv);
            tried += 1;
            if N::ROOT {
                self.report_root_move(mv, tried);
            }
            let noisy = is_noisy(position, mv);
            let quiet_key = if noisy { None } else { Histories::quiet_key(position, mv) };
            let history = match quiet_key {
                Some(key) => self.histories.quiet_scorer(position, &earlier).score(key) / 2,
                None => self.histories.capture(position, mv),
            };
            let reduction = self.reduction::<N>(&context, ply, tried, history, noisy, table_move == Some(mv));

            // 9. Pruning of single moves.
            if !N::ROOT && !best_score.is_loss() {
                if !noisy && !is_decided(alpha) && tried >= margins::late_moves(depth, improving) {
                    picker.skip_quiets();
                }
                let may_mate = is_decided(alpha) && position.gives_check(mv);
                if !may_mate
                    && self.prune_move(position, mv, &context, quiet_key, &earlier, alpha, reduction, history)
                {
                    continue;
                }
            }

            // 10. Singular extension: is the table's move alone good?
            let mut extension = 0;
            if !N::ROOT
                && Some(mv) == table_move
                && depth >= 6
                && excluded.is_none()
                && ply < 2 * self.root_depth
                && let Some(hit) = hit
                && hit.depth >= depth - 3
                && matches!(hit.bound, Some(Bound::Lower | Bound::Exact))
                && !hit.score.is_mate()
            {
                match self.singular::<N>(position, mv, hit.score, beta, &context, ply) {
                    Singular::Extend(plies) => extension = plies,
                    Singular::MultiCut(score) => return score,
                }
                if self.is_stopped() {
                    return Score::DRAW;
                }
            }

            // 11. Make the move and search below it.
            let before = self.nodes;
            if extension > 1 {
                self.stack[ply + 1].doubles = self.stack[ply].doubles + 1;
            }
            self.stack[ply].quiet_key = quiet_key;
            let next = self.enter(position, mv, ply);
            let new_depth = depth - 1 + extension;
            let mut score = -Score::INFINITE;
            let mut full_window = N::PV && tried == 1;

            if depth >= 2 && tried > 1 + i32::from(N::ROOT) {
                // Late-move reduction: a zero-window search at less depth, repeated if it does well.
                let reduction = if next.in_check() { reduction - lmr_check() } else { reduction };
                let reduced =
                    (new_depth - reduction.max(-1024 * i32::from(N::PV)) / 1024).clamp(1, new_depth + 1);
                self.stack[ply].reduction = (new_depth - reduced) * 1024;
                score = -self.node::<NonPv>(&next, -alpha - 1, -alpha, reduced, ply + 1, true);
                self.stack[ply].reduction = 0;
                if score > alpha && reduced < new_depth {
                    let deeper = i32::from(score > best_score + 40 + 2 * depth);
                    let shallower = i32::from(score < best_score + 8);
                    let new_depth = new_depth + deeper - shallower;
                    if reduced < new_depth {
                        score = -self.node::<NonPv>(&next, -alpha - 1, -alpha, new_depth, ply + 1, !cut_node);
                    }
                    if let Some(key) = quiet_key {
                        let bonus = margins::history_bonus(depth);
                        let bonus = if score > alpha { bonus } else { -bonus };
                        self.histories.update_continuation(key, &earlier, bonus);
                    }
                }
                full_window = N::PV && score > alpha;
            } else if !N::PV || tried > 1 {
                score = -self.node::<NonPv>(&next, -alpha - 1, -alpha, new_depth, ply + 1, !cut_node);
                full_window = N::PV && score > alpha;
            }
            if full_window {
                score = -self.node::<Pv>(&next, -beta, -alpha, new_depth, ply + 1, false);
            }
            self.leave();
            self.stack[ply + 1].doubles = self.stack[ply].doubles;
            if self.is_stopped() {
                return Score::DRAW;
            }
            if N::ROOT {
                self.note_root_move(mv, score, alpha, beta, tried == 1, before);
            }

            // 12. A better move?
            if score > best_score {
                best_score = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV && !N::ROOT {
                        self.pv.extend(ply, mv);
                    }
                    if score >= beta {
                        if ply > 0 {
                            self.stack[ply - 1].cutoffs += 1;
                        }
                        break;
                    }
                    alpha = score;
                }
            }
            if Some(mv) != best_move {
                if noisy { captures.push(mv) } else { quiets.push(mv) }
            }
        }

        // 13. No move: mate, stalemate, or only the excluded move.
        if tried == 0 {
            return match (excluded, in_check) {
                (Some(_), _) => alpha,
                (None, true) => Score::mated_in(ply),
                (None, false) => Score::DRAW,
            };
        }

        // 14. Learn from the outcome.
        if let Some(best) = best_move
            && best_score >= beta
        {
            self.reward(position, best, &quiets, &captures, &earlier, depth);
        } else if best_score <= old_alpha && ply > 0 {
            self.reward_move_before(ply, depth);
        }
        if !best_score.is_mate() && !beta.is_mate() && best_score >= beta && !N::PV {
            // A fail high far above beta is believed only in part.
            best_score = Score::estimate((best_score.raw() * depth + beta.raw()) / (depth + 1));
        }

        // 15. Remember.
        if excluded.is_none() {
            let bound = if best_score >= beta {
                Bound::Lower
            } else if N::PV && best_move.is_some() {
                Bound::Exact
            } else {
                Bound::Upper
            };
            // Of a root where some moves were left out nothing is known.
            let whole = !N::ROOT || (self.pv_index == 0 && self.common.limits.search_moves.is_empty());
            if whole {
                let found = Hit {
                    mv: best_move,
                    score: best_score,
                    bound: Some(bound),
                    depth,
                    evaluation: raw,
                    was_pv,
                };
                self.common.table.store(key, ply, found);
            }
            if let Some(evaluation) = self.stack[ply].evaluation
                && !in_check
                && best_move.is_none_or(|mv| !is_noisy(position, mv))
                && !best_score.is_mate()
                && match bound {
                    Bound::Lower => best_score > evaluation,
                    Bound::Upper => best_score < evaluation,
                    Bound::Exact => true,
                }
            {
                self.histories.update_correction(position, &earlier, depth, best_score, evaluation);
            }
        }
        best_score
    }

    /// The static evaluation without and with corrections; none in check.
    fn static_evaluation(
        &mut self,
        position: &Position,
        hit: Option<Hit>,
        excluded: bool,
        ply: usize,
    ) -> (Option<Score>, Option<Score>) {
        if position.in_check() {
            return (None, None);
        }
        if excluded {
            return (None, self.stack[ply].evaluation);
        }
        let raw = hit.and_then(|hit| hit.evaluation).unwrap_or_else(|| self.evaluate(position, ply));
        (Some(raw), Some(self.corrected(position, raw, ply)))
    }

    /// True when the static evaluation is better than at the mover's last turn.
    fn is_improving(&self, evaluation: Option<Score>, ply: usize) -> bool {
        let Some(now) = evaluation else { return false };
        let earlier = |back: usize| ply.checked_sub(back).and_then(|at| self.stack[at].evaluation);
        earlier(2).or_else(|| earlier(4)).is_none_or(|before| now > before)
    }

    /// How much later to look at a move than at the first one, in 1024ths of a ply.
    fn reduction<N: NodeType>(
        &self,
        context: &Context,
        ply: usize,
        tried: i32,
        history: i32,
        noisy: bool,
        is_table_move: bool,
    ) -> i32 {
        let mut reduction = margins::late_move_reduction(context.depth, tried);
        if N::PV {
            reduction -= lmr_pv();
        }
        if context.was_pv {
            reduction -= lmr_tt_pv();
        }
        if context.cut_node {
            reduction += lmr_cut_node();
        }
        if !context.improving {
            reduction += lmr_not_improving();
        }
        if context.table_move_is_noisy && !noisy {
            reduction += lmr_tt_capture();
        }
        if self.stack[ply].cutoffs > 3 {
            reduction += lmr_cutoffs();
        }
        if is_table_move {
            reduction -= lmr_table_move();
        }
        reduction - history * 1024 / lmr_history()
    }

    /// Keeps the result of a root move.
    fn note_root_move(
        &mut self,
        mv: Move,
        score: Score,
        alpha: Score,
        beta: Score,
        first: bool,
        nodes_before: u64,
    ) {
        let spent = self.nodes - nodes_before;
        let seldepth = self.seldepth;
        let Some(root_move) = self.root_moves.iter_mut().find(|root_move| root_move.mv == mv) else { return };
        root_move.nodes += spent;
        if first || score > alpha {
            root_move.score = score;
            root_move.seldepth = seldepth;
            root_move.bound = if score >= beta {
                Bound::Lower
            } else if score <= alpha {
                Bound::Upper
            } else {
                Bound::Exact
            };
            root_move.pv.truncate(1);
            root_move.pv.extend_from_slice(self.pv.line(1));
        } else {
            root_move.score = -Score::INFINITE;
        }
    }
}

const _: () = assert!(MAX_PLY < 256, "depths are stored in a byte");
