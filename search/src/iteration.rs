//! Iterative deepening, aspiration windows, several lines, and when to end.

use std::time::Duration;

use crossbeam_channel::Sender;
use makara_engine::{Game, Move};

use crate::chances::Chances;
use crate::parameters::{aspiration_growth, aspiration_window};
use crate::report::{Bound, Event, Finished, Line};
use crate::score::{MAX_PLY, Outlook, Score};
use crate::search::Root;
use crate::skill::Skill;
use crate::time::Settledness;
use crate::worker::{RootMove, Worker};

/// From this time on, bounds and single root moves are reported too.
const TALK_AFTER: Duration = Duration::from_secs(3);

impl Worker<'_> {
    /// Searches deeper and deeper until a limit ends it. The root must have a move. The main worker reports its
    /// lines.
    pub(crate) fn iterate(&mut self) {
        let root = self.root;
        self.root_evaluation = self.evaluate(&root, 0);
        let deepest =
            self.common.limits.depth.map_or(MAX_PLY - 1, |depth| (depth as usize).clamp(1, MAX_PLY - 1));
        let lines = self.common.lines.min(self.root_moves.len());
        let mut stable_iterations = 0;
        let mut best = self.root_moves[0].mv;
        let mut average = None;
        for depth in 1..=deepest {
            self.root_depth = depth;
            for root_move in &mut self.root_moves {
                root_move.previous = root_move.score;
            }
            for pv_index in 0..lines {
                self.pv_index = pv_index;
                self.seldepth = 0;
                self.aspirate(depth);
                self.root_moves[..=pv_index].sort_by_key(|root_move| std::cmp::Reverse(root_move.score));
                if self.is_stopped() {
                    break;
                }
            }
            if self.is_stopped() {
                break;
            }
            self.completed_depth = depth;
            if !self.is_main() {
                continue;
            }
            self.report(depth, self.common.multi_pv.min(lines));

            let now = &self.root_moves[0];
            stable_iterations = if now.mv == best { stable_iterations + 1 } else { 0 };
            best = now.mv;
            let score = now.score.raw();
            let settled = Settledness {
                stable_iterations,
                score_drop: average.unwrap_or(score) - score,
                best_move_share: now.nodes as f64 / self.nodes.max(1) as f64,
            };
            average = Some(average.map_or(score, |average| (3 * average + score) / 4));
            if self.is_goal_reached() {
                break;
            }
            if self.common.time.is_enough(settled) {
                if !self.common.signals.is_pondering() {
                    break;
                }
                self.has_thought_enough = true;
            }
        }
        if self.is_main() {
            self.common.signals.end();
        }
    }

    /// True when more depth cannot change what was asked for.
    fn is_goal_reached(&self) -> bool {
        let limits = &self.common.limits;
        let outlook = self.root_moves[0].score.outlook(self.root.occupied().count());
        if let Some(moves) = limits.mate
            && matches!(outlook, Outlook::MateIn(found) if found <= moves)
        {
            return true;
        }
        if limits.soft_nodes.is_some_and(|nodes| self.nodes >= nodes) {
            return true;
        }
        // With one move to choose from, a clock is better saved.
        let pondering = self.common.signals.is_pondering();
        limits.clock.is_some() && self.root_moves.len() == 1 && !pondering && !limits.infinite
    }

    /// Searches the root for one line, in a window around the score of the last iteration.
    fn aspirate(&mut self, depth: usize) {
        let previous = self.root_moves[self.pv_index].previous;
        let mut width = aspiration_window() + previous.raw().abs().min(3000) / 60;
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        if depth >= 4 && !previous.is_mate() {
            alpha = previous - width;
            beta = previous + width;
        }
        let mut reduced = 0;
        loop {
            let root = self.root;
            let score = self.node::<Root>(&root, alpha, beta, (depth as i32 - reduced).max(1), 0, false);
            // Stable, so that equal moves keep the order of the last iteration.
            self.root_moves[self.pv_index..].sort_by_key(|root_move| std::cmp::Reverse(root_move.score));
            if self.is_stopped() {
                return;
            }
            if score <= alpha {
                beta = Score::estimate((alpha.raw() + beta.raw()) / 2).max(alpha + 1);
                alpha = (score - width).max(-Score::INFINITE);
                reduced = 0;
            } else if score >= beta {
                beta = (score + width).min(Score::INFINITE);
                reduced = (reduced + 1).min(3);
            } else {
                return;
            }
            if score.is_mate() || width > 1200 {
                (alpha, beta) = (-Score::INFINITE, Score::INFINITE);
            }
            width += width * aspiration_growth() / 100 + 2;
            if self.is_main() && self.common.lines == 1 && self.common.time.elapsed() >= TALK_AFTER {
                self.report(depth, 1);
            }
        }
    }

    /// Sends the lines found so far.
    fn report(&mut self, depth: usize, lines: usize) {
        for index in 0..lines {
            let root_move = &self.root_moves[index];
            // A receiver that is gone wants nothing.
            let line = self.line(root_move, index + 1, depth);
            if index == 0 {
                self.reported = Some(line.clone());
            }
            let _ = self.common.events.send(Event::Line(line));
        }
    }

    /// Says which root move is searched now, once the search has run for long.
    pub(crate) fn report_root_move(&self, mv: Move, tried: i32) {
        if self.is_main() && self.common.time.elapsed() >= TALK_AFTER {
            let number = self.pv_index + tried.max(1) as usize;
            let _ = self.common.events.send(Event::CurrentMove { depth: self.root_depth, mv, number });
        }
    }

    fn line(&self, root_move: &RootMove, multipv: usize, depth: usize) -> Line {
        let searched = root_move.score > -Score::INFINITE;
        let previous_known = root_move.previous > -Score::INFINITE;
        let score = if searched {
            root_move.score
        } else if previous_known {
            root_move.previous
        } else {
            self.root_evaluation
        };
        let men = self.root.occupied().count();
        Line {
            multipv,
            depth,
            seldepth: root_move.seldepth.max(1),
            outlook: score.outlook(men),
            raw: score.raw(),
            chances: score.chances(men),
            bound: if searched { root_move.bound } else { Bound::Exact },
            nodes: self.common.nodes(),
            time: self.common.time.elapsed(),
            hashfull: self.common.table.hashfull(),
            tbhits: 0,
            pv: self.playable(&root_move.pv),
        }
    }

    /// A variation up to where the game ends or a draw can be claimed.
    fn playable(&self, pv: &[Move]) -> Vec<Move> {
        let mut game = self.game.clone();
        let mut line = Vec::with_capacity(pv.len());
        for &mv in pv {
            let over = !line.is_empty() && (game.outcome().is_some() || game.claim().is_some());
            if over || game.play(mv).is_err() {
                break;
            }
            line.push(mv);
        }
        line
    }

    /// Draws the answer of a search below full strength from the lines that it knows.
    pub(crate) fn draw(&mut self, skill: Skill, seed: u64) {
        let known = |root_move: &RootMove| {
            let searched = root_move.score > -Score::INFINITE;
            let score = if searched { root_move.score } else { root_move.previous };
            (score > -Score::INFINITE).then_some((root_move.mv, score))
        };
        let lines = self.common.lines.min(self.root_moves.len());
        let scored: Vec<_> = self.root_moves[..lines].iter().map_while(known).collect();
        let chosen = skill.choose(&scored, seed);
        self.root_moves[..=chosen].rotate_right(1);
    }

    /// Gives the answer, after its line unless just that was the last one sent.
    pub(crate) fn conclude(&self) -> Finished {
        let best = &self.root_moves[0];
        let line = self.line(best, 1, self.completed_depth.max(1));
        let finished = Finished { best: Some(best.mv), ponder: self.ponder_move(&line.pv) };
        let is_news =
            self.reported.as_ref().is_none_or(|last| (last.nodes, &last.pv) != (line.nodes, &line.pv));
        if is_news {
            let _ = self.common.events.send(Event::Line(line));
        }
        finished
    }

    /// The expected reply: from the variation, else from the table.
    fn ponder_move(&self, pv: &[Move]) -> Option<Move> {
        if let Some(&reply) = pv.get(1) {
            return Some(reply);
        }
        let next = self.root.after(*pv.first()?);
        let known = self.common.table.probe(&next, 1)?.mv?;
        (next.outcome().is_none() && next.is_legal(known)).then_some(known)
    }

    /// How much this worker's answer counts among several: deep and good is best (as in Stockfish's vote).
    pub(crate) fn vote(&self, worst: Score) -> i64 {
        i64::from(self.root_moves[0].score - worst + 14) * self.completed_depth as i64
    }
}

/// Answers for a root without any legal move.
pub(crate) fn conclude_without_moves(game: &Game, events: &Sender<Event>) -> Finished {
    let mated = game.position().in_check();
    let _ = events.send(Event::Line(Line {
        multipv: 1,
        depth: 0,
        seldepth: 0,
        outlook: if mated { Outlook::MatedIn(0) } else { Outlook::Centipawns(0) },
        raw: 0,
        chances: if mated { Chances::LOST } else { Chances::DRAWN },
        bound: Bound::Exact,
        nodes: 0,
        time: Duration::ZERO,
        hashfull: 0,
        tbhits: 0,
        pv: Vec::new(),
    }));
    Finished { best: None, ponder: None }
}
