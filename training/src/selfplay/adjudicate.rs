//! When a game is cut short.

use makara_engine::Position;

use crate::format::{GameResult, Reason};

/// A score in centipawns, held for [`WIN_PLIES`], that wins.
const WIN_SCORE: i32 = 2500;
const WIN_PLIES: usize = 6;
/// No win is given while a side has fewer men: the count may still save it.
const WIN_MEN: usize = 4;
/// A score in centipawns, held for [`DRAW_PLIES`] after ply [`DRAW_FROM`], that draws.
const DRAW_SCORE: i32 = 10;
const DRAW_PLIES: usize = 12;
const DRAW_FROM: usize = 120;
/// A longer game is a draw.
const LONGEST: usize = 500;

/// Watches the scores of a game.
#[derive(Debug, Default)]
pub(super) struct Adjudicator {
    plies: usize,
    white_winning: usize,
    black_winning: usize,
    level: usize,
}

impl Adjudicator {
    /// After so many random plies.
    pub(super) fn new(plies: usize) -> Adjudicator {
        Adjudicator { plies, ..Adjudicator::default() }
    }

    /// Takes note of the score that the mover gave its position, and says whether the game ends here.
    pub(super) fn judge(&mut self, position: &Position, score: i32) -> Option<(GameResult, Reason)> {
        let white_score = if position.turn().is_white() { score } else { -score };
        let update = |run: &mut usize, goes_on: bool| *run = if goes_on { *run + 1 } else { 0 };
        update(&mut self.white_winning, white_score >= WIN_SCORE);
        update(&mut self.black_winning, white_score <= -WIN_SCORE);
        update(&mut self.level, white_score.abs() <= DRAW_SCORE);
        self.plies += 1;
        let enough_men = [makara_engine::Color::White, makara_engine::Color::Black]
            .into_iter()
            .all(|color| position.by_color(color).count() >= WIN_MEN);
        if enough_men && self.white_winning >= WIN_PLIES {
            Some((GameResult::WhiteWon, Reason::AdjudicatedWin))
        } else if enough_men && self.black_winning >= WIN_PLIES {
            Some((GameResult::BlackWon, Reason::AdjudicatedWin))
        } else if self.plies > DRAW_FROM && self.level >= DRAW_PLIES {
            Some((GameResult::Draw, Reason::AdjudicatedDraw))
        } else if self.plies >= LONGEST {
            Some((GameResult::Draw, Reason::TooLong))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use makara_engine::PromotionRule;

    use super::*;

    fn verdict(fen: &str, score: i32, plies: usize) -> Option<(GameResult, Reason)> {
        let position = Position::from_fen(fen, PromotionRule::Any).expect(fen);
        let mut adjudicator = Adjudicator::new(DRAW_FROM);
        (0..plies).find_map(|_| adjudicator.judge(&position, score))
    }

    #[test]
    fn wins_need_men_and_draws_need_time() {
        const FULL: &str = "4k3/pppp4/8/8/8/8/PPPP4/R3K3 b - - 0 1";
        const BARE: &str = "4k3/8/8/8/8/8/PPPP4/R3K3 b - - 0 1";
        assert_eq!(verdict(FULL, -2600, 5), None);
        assert_eq!(verdict(FULL, -2600, 6), Some((GameResult::WhiteWon, Reason::AdjudicatedWin)));
        assert_eq!(verdict(FULL, 31_990, 6), Some((GameResult::BlackWon, Reason::AdjudicatedWin)));
        assert_eq!(verdict(BARE, -2600, 50), None);
        assert_eq!(verdict(FULL, 5, 11), None);
        assert_eq!(verdict(FULL, 5, 12), Some((GameResult::Draw, Reason::AdjudicatedDraw)));
        assert_eq!(verdict(FULL, 50, 380), Some((GameResult::Draw, Reason::TooLong)));
    }
}
