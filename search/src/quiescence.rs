//! Quiescence: captures and promotions until the position is quiet, all moves in check.

use makara_engine::Position;

use crate::movepick::{MovePicker, Wanted};
use crate::parameters::quiescence_futility;
use crate::report::Bound;
use crate::score::Score;
use crate::search::{NodeType, is_noisy};
use crate::transposition::Hit;
use crate::worker::Worker;

impl Worker<'_> {
    /// The score of a position once the captures are played out.
    pub(crate) fn quiescence<N: NodeType>(
        &mut self,
        position: &Position,
        mut alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Score {
        self.check_limits();
        if self.is_stopped() {
            return Score::DRAW;
        }
        if N::PV {
            self.pv.clear(ply);
            self.seldepth = self.seldepth.max(ply);
        }
        if let Some(score) = self.terminal_score(position, ply) {
            return score;
        }
        let in_check = position.in_check();
        let key = position.search_key();
        let hit = self.common.table.probe(position, ply);
        if !N::PV
            && let Some(hit) = hit
            && hit.proves(beta)
        {
            return hit.score;
        }
        let was_pv = N::PV || hit.is_some_and(|hit| hit.was_pv);

        // Standing pat: the side to move need not capture.
        let mut raw = None;
        let mut best_score = -Score::INFINITE;
        let mut hope = -Score::INFINITE;
        if !in_check {
            let estimate = hit.and_then(|hit| hit.evaluation).unwrap_or_else(|| self.evaluate(position, ply));
            raw = Some(estimate);
            best_score = self.corrected(position, estimate, ply);
            // On the principal variation a mate must be shown, not remembered.
            if let Some(hit) = hit
                && !(N::PV && hit.score.is_mate())
                && hit.improves(best_score)
            {
                best_score = hit.score;
            }
            if best_score >= beta {
                if hit.is_none() {
                    let known = Hit {
                        mv: None,
                        score: best_score,
                        bound: Some(Bound::Lower),
                        depth: 0,
                        evaluation: raw,
                        was_pv,
                    };
                    self.common.table.store(key, ply, known);
                }
                if !best_score.is_mate() && !beta.is_mate() {
                    return Score::estimate((best_score.raw() + beta.raw()) / 2);
                }
                return best_score;
            }
            alpha = alpha.max(best_score);
            hope = best_score + quiescence_futility();
        }

        let earlier = self.earlier(ply);
        let mut table_move = hit.and_then(|hit| hit.mv).filter(|&mv| position.is_legal(mv));
        if !in_check {
            table_move = table_move.filter(|&mv| is_noisy(position, mv));
        }
        let wanted = if in_check { Wanted::All } else { Wanted::Noisy { threshold: 0 } };
        let mut picker = MovePicker::new(table_move, wanted);
        let mut best_move = None;
        let mut tried = 0;
        while let Some(mv) = picker.next(position, self.histories, &earlier, &self.values) {
            self.fetch_ahead(position, mv);
            tried += 1;
            if !best_score.is_loss() {
                if in_check {
                    // One way out has been found: quiet ones after it are rarely better.
                    if position.piece_at(mv.to()).is_none() {
                        picker.skip_quiets();
                        if tried > 2 {
                            continue;
                        }
                    }
                } else if !mv.is_promotion() && tried > 2 && !position.gives_check(mv) {
                    break;
                } else if hope <= alpha && !position.see_at_least(mv, 1, &self.values) {
                    best_score = best_score.max(hope);
                    continue;
                }
            }
            self.stack[ply].quiet_key = None;
            let next = self.enter(position, mv, ply);
            let score = -self.quiescence::<N>(&next, -beta, -alpha, ply + 1);
            self.leave();
            if self.is_stopped() {
                return Score::DRAW;
            }
            if score > best_score {
                best_score = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.pv.extend(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }
        if in_check && tried == 0 {
            return Score::mated_in(ply);
        }
        let bound = if best_score >= beta { Bound::Lower } else { Bound::Upper };
        let found =
            Hit { mv: best_move, score: best_score, bound: Some(bound), depth: 0, evaluation: raw, was_pv };
        self.common.table.store(key, ply, found);
        best_score
    }
}
