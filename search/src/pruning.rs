//! What makes the search give up a node or a move early, and what makes it look deeper.

use makara_engine::{Move, Position, Role};

use crate::history::{EarlierMoves, QuietKey};
use crate::margins;
use crate::movepick::{MovePicker, Wanted};
use crate::parameters::*;
use crate::report::Bound;
use crate::score::Score;
use crate::search::{Context, NodeType, NonPv};
use crate::transposition::Hit;
use crate::worker::Worker;

/// Beyond this score, in centipawns, one side has won in all but name.
const DECIDED: i32 = 1500;

pub(crate) fn is_decided(score: Score) -> bool {
    score.raw().abs() > DECIDED
}

/// What a singular search found.
pub(crate) enum Singular {
    /// Extend the move by so many plies; below zero reduce it.
    Extend(i32),
    /// Several moves fail high: the node can be given up with this score.
    MultiCut(Score),
}

impl Worker<'_> {
    /// Steps that give up a node without trying its moves one by one.
    #[expect(clippy::too_many_arguments, reason = "all of them describe the node")]
    pub(crate) fn prune_node(
        &mut self,
        position: &Position,
        alpha: Score,
        beta: Score,
        ply: usize,
        evaluation: Score,
        context: &Context,
        table_move: Option<Move>,
        hit: Option<Hit>,
    ) -> Option<Score> {
        let depth = context.depth;
        // In a game that is decided, estimates far from each other are all the same: only mates are news.
        let decided = is_decided(beta);
        // Razoring: so far below alpha that only captures can help.
        if evaluation < alpha - margins::razoring(depth) && !decided {
            let score = self.quiescence::<NonPv>(position, alpha, alpha + 1, ply);
            if score <= alpha {
                return Some(score);
            }
        }

        // Reverse futility: so far above beta that the other side will not catch up.
        if !context.was_pv
            && depth <= reverse_futility_depth()
            && !decided
            && evaluation - margins::reverse_futility(depth, context.improving) >= beta
            && (table_move.is_none() || context.table_move_is_noisy)
            && !evaluation.is_win()
        {
            return Some(Score::estimate((evaluation.raw() + 2 * beta.raw()) / 3));
        }

        if decided {
            return None;
        }
        if let Some(score) = self.null_move(position, beta, ply, evaluation, context) {
            return Some(score);
        }
        self.probcut(position, beta, ply, evaluation, context, hit)
    }

    /// Null move: if even passing keeps the score above beta, a move will. Where passing would often be
    /// best (zugzwang), at high depth, the result is verified by a search that may not pass.
    pub(crate) fn null_move(
        &mut self,
        position: &Position,
        beta: Score,
        ply: usize,
        evaluation: Score,
        context: &Context,
    ) -> Option<Score> {
        let depth = context.depth;
        let us = position.turn();
        let men = position.by_color(us).minus(position.by_role(Role::Pawn)).without(position.king(us));
        if !context.cut_node
            || ply < self.null_move_from
            || depth < 3
            || evaluation < beta + null_margin()
            || men.is_empty()
            || self.stack[ply - 1].mv.is_none()
        {
            return None;
        }
        let reduced = depth - margins::null_move_reduction(depth, evaluation - beta);
        self.stack[ply].quiet_key = None;
        let score = self.with_null_move(position, ply, |worker, next| {
            -worker.node::<NonPv>(next, -beta, -beta + 1, reduced, ply + 1, false)
        });
        if self.is_stopped() {
            return Some(Score::DRAW);
        }
        if score < beta {
            return None;
        }
        let score = if score.is_mate() { beta } else { score };
        if self.null_move_from > 0 || (depth < null_verification_depth() && men.more_than_one()) {
            return Some(score);
        }
        self.null_move_from = ply + (3 * reduced.max(1) / 4) as usize + 1;
        let verified = self.node::<NonPv>(position, beta - 1, beta, reduced.max(1), ply, false);
        self.null_move_from = 0;
        (verified >= beta).then_some(score)
    }

    /// ProbCut (Buro 1995): if a capture holds beta with a margin at less depth, it will hold at full depth.
    pub(crate) fn probcut(
        &mut self,
        position: &Position,
        beta: Score,
        ply: usize,
        evaluation: Score,
        context: &Context,
        hit: Option<Hit>,
    ) -> Option<Score> {
        let raised = beta + margins::probcut(context.improving);
        let depth = context.depth;
        let refuted =
            hit.is_some_and(|hit| hit.depth >= depth - 3 && hit.score < raised && hit.bound.is_some());
        if depth < 4 || refuted || !context.cut_node {
            return None;
        }
        let earlier = self.earlier(ply);
        let threshold = (raised - evaluation).max(0);
        let mut picker = MovePicker::new(None, Wanted::Noisy { threshold });
        while let Some(mv) = picker.next(position, self.histories, &earlier, &self.values) {
            self.fetch_ahead(position, mv);
            self.stack[ply].quiet_key = None;
            let next = self.enter(position, mv, ply);
            let mut score = -self.quiescence::<NonPv>(&next, -raised, -raised + 1, ply + 1);
            if score >= raised && depth > 4 {
                score = -self.node::<NonPv>(&next, -raised, -raised + 1, depth - 4, ply + 1, false);
            }
            self.leave();
            if self.is_stopped() {
                return Some(Score::DRAW);
            }
            if score >= raised {
                let found = Hit {
                    mv: Some(mv),
                    score,
                    bound: Some(Bound::Lower),
                    depth: depth - 3,
                    evaluation: context.raw,
                    was_pv: context.was_pv,
                };
                self.common.table.store(position.search_key(), ply, found);
                return Some(if score.is_mate() { score } else { score - (raised - beta) });
            }
        }
        None
    }

    /// True for a move that is not worth making.
    #[expect(clippy::too_many_arguments, reason = "all of them describe the move")]
    pub(crate) fn prune_move(
        &self,
        position: &Position,
        mv: Move,
        context: &Context,
        quiet_key: Option<QuietKey>,
        earlier: &EarlierMoves,
        alpha: Score,
        reduction: i32,
        history: i32,
    ) -> bool {
        let reduced = (context.depth - reduction / 1024).max(0);
        let Some(quiet_key) = quiet_key else {
            if let Some(evaluation) = context.evaluation
                && reduced <= 6
            {
                let victim = position.role_at(mv.to()).map_or(0, |role| self.values[role.index()]);
                let hope = victim + margins::capture_futility(reduced) + history / 64;
                if evaluation + hope <= alpha && !mv.is_promotion() && !position.gives_check(mv) {
                    return true;
                }
            }
            return !position.see_at_least(
                mv,
                margins::capture_exchange(context.depth) - history / 64,
                &self.values,
            );
        };
        let scorer = self.histories.quiet_scorer(position, earlier);
        if scorer.recent(quiet_key) < history_pruning() * context.depth {
            return true;
        }
        if let Some(evaluation) = context.evaluation
            && reduced <= futility_depth()
            && evaluation + margins::futility(reduced) + history / 96 <= alpha
            && !position.gives_check(mv)
        {
            return true;
        }
        !position.see_at_least(mv, margins::quiet_exchange(reduced), &self.values)
    }

    /// Looks whether all moves but one are clearly worse.
    pub(crate) fn singular<N: NodeType>(
        &mut self,
        position: &Position,
        mv: Move,
        table_score: Score,
        beta: Score,
        context: &Context,
        ply: usize,
    ) -> Singular {
        let depth = context.depth;
        let bar = table_score - singular_margin() * depth / 16 - 6 * i32::from(context.was_pv && !N::PV);
        let kept = self.stack[ply];
        self.stack[ply].excluded = Some(mv);
        let score = self.node::<NonPv>(position, bar - 1, bar, (depth - 1) / 2, ply, context.cut_node);
        self.stack[ply] = kept;
        if self.is_stopped() {
            return Singular::Extend(0);
        }
        if score < bar {
            let double = !N::PV && score < bar - double_extension() && kept.doubles < 8;
            let triple = double && score < bar - triple_extension() && !context.table_move_is_noisy;
            return Singular::Extend(1 + i32::from(double) + i32::from(triple));
        }
        if score >= beta && !score.is_mate() {
            return Singular::MultiCut(score);
        }
        if table_score >= beta {
            return Singular::Extend(if N::PV { -1 } else { -2 });
        }
        Singular::Extend(if context.cut_node { -1 } else { 0 })
    }
}
