//! One game of self-play.

use makara_engine::{Game, Move, Position, PromotionRule};
use makara_search::{Limits, Searcher};

use super::adjudicate::Adjudicator;
use crate::format::{GameResult, Header, Ply, Record, StoredScore};
use crate::random::Random;
use crate::replay::ordered_moves;

/// An opening is rejected when the first search finds more for either side, in centipawns.
const SANE_SCORE: i32 = 300;

/// Plays games, one after another.
pub(super) struct Player {
    searcher: Searcher,
    limits: Limits,
    promotion_rule: PromotionRule,
    random_plies: u8,
}

impl Player {
    pub(super) fn new(searcher: Searcher, header: &Header) -> Player {
        let limits = Limits {
            soft_nodes: Some(header.soft_nodes.into()),
            nodes: Some(header.hard_nodes.into()),
            ..Limits::default()
        };
        let Header { promotion_rule, random_plies, .. } = *header;
        Player { searcher, limits, promotion_rule, random_plies }
    }

    /// Plays the game of a seed: the same seed gives the same game.
    pub(super) fn play(&mut self, seed: u64) -> Record {
        let mut random = Random::new(seed);
        // What the last game left behind would make this one depend on it.
        self.searcher.clear();
        loop {
            let count = self.random_plies.saturating_add(random.below(2) as u8);
            if let Some((game, plies)) = self.random_opening(&mut random, count)
                && let Some(record) = self.play_on(game, plies, seed)
            {
                return record;
            }
        }
    }

    /// A game of random moves; `None` when it ended by them.
    fn random_opening(&self, random: &mut Random, count: u8) -> Option<(Game, Vec<Ply>)> {
        let mut game = Game::new(Position::start(self.promotion_rule));
        let mut plies = Vec::with_capacity(160);
        for _ in 0..count {
            let moves = ordered_moves(game.position());
            let index = random.below(moves.len());
            game.play(*moves.get(index)?).ok()?;
            plies.push(Ply { index: index as u8, score: StoredScore::NONE });
        }
        (game.outcome().is_none() && game.claim().is_none()).then_some((game, plies))
    }

    /// Plays to the end; `None` when the first search rejects the opening.
    fn play_on(&mut self, mut game: Game, mut plies: Vec<Ply>, seed: u64) -> Option<Record> {
        let random_plies = plies.len() as u8;
        let mut adjudicator = Adjudicator::new(plies.len());
        let record = |result, reason, plies| {
            Some(Record { seed, start: String::new(), random_plies, result, reason, plies })
        };
        loop {
            if let Some(outcome) = game.outcome() {
                let result = match outcome.winner() {
                    Some(color) if color.is_white() => GameResult::WhiteWon,
                    Some(_) => GameResult::BlackWon,
                    None => GameResult::Draw,
                };
                return record(result, outcome.into(), plies);
            }
            if let Some(claim) = game.claim() {
                return record(GameResult::Draw, claim.into(), plies);
            }
            let (mv, score) = self.choose(&game)?;
            let value = score.value()?;
            if plies.len() == usize::from(random_plies) && value.abs() > SANE_SCORE {
                return None;
            }
            let index = ordered_moves(game.position()).iter().position(|&legal| legal == mv)?;
            plies.push(Ply { index: index as u8, score });
            let verdict = adjudicator.judge(game.position(), value);
            game.play(mv).ok()?;
            if let Some((result, reason)) = verdict
                && game.outcome().is_none()
            {
                return record(result, reason, plies);
            }
        }
    }

    /// The search's move and score.
    fn choose(&mut self, game: &Game) -> Option<(Move, StoredScore)> {
        let (line, finished) = self.searcher.search(game, self.limits.clone());
        Some((finished.best?, StoredScore::new(&line?)))
    }
}
