//! The owner of the game, the options and the search. It knows no protocol.

use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};
use makara_engine::{Game, Move, Position, PromotionRule};
use makara_search::{Evaluation, Event, Limits, NetworkError, SearchError, Searcher};

use crate::explain;
use crate::session::Adapter;
use crate::strength::Strength;

/// Serves one client.
pub(crate) struct Controller {
    game: Game,
    promotion_rule: PromotionRule,
    searcher: Searcher,
    sender: Sender<Event>,
    receiver: Receiver<Event>,
    /// The running search, until its answer has been passed on.
    running: Option<Running>,
    shows_wdl: bool,
    strength: Strength,
    /// Each search is told as it was understood.
    is_debugging: bool,
}

#[derive(Clone, Copy)]
struct Running {
    /// It has a limit other than a command.
    limited: bool,
    /// It looks for a mate, and ends only when it finds one.
    seeks_mate: bool,
    infinite: bool,
    pondering: bool,
}

impl Running {
    fn new(limits: &Limits) -> Running {
        let limited = limits.depth.is_some()
            || limits.nodes.is_some()
            || limits.move_time.is_some()
            || limits.clock.is_some();
        let seeks_mate = limits.mate.is_some();
        Running { limited, seeks_mate, infinite: limits.infinite, pondering: limits.ponder }
    }

    /// False when only a command can end it.
    const fn ends_by_itself(self) -> bool {
        self.limited && !self.infinite && !self.pondering
    }
}

impl Controller {
    pub(crate) fn new() -> Result<Controller, SearchError> {
        let (sender, receiver) = unbounded();
        Ok(Controller {
            game: Game::default(),
            promotion_rule: PromotionRule::Any,
            searcher: Searcher::new()?,
            sender,
            receiver,
            running: None,
            shows_wdl: false,
            strength: Strength::default(),
            is_debugging: false,
        })
    }

    /// The game as the client last set it.
    pub(crate) const fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) fn position(&self) -> &Position {
        self.game.position()
    }

    /// What pawns may become in games set from now on.
    pub(crate) const fn promotion_rule(&self) -> PromotionRule {
        self.promotion_rule
    }

    /// Sets the game for the next search. A running one is not disturbed.
    pub(crate) fn set_game(&mut self, game: Game) {
        self.game = game;
    }

    /// Changes the promotion rule for games set from now on and for the present one, so that the order of
    /// the commands does not matter. False if a move of the present game is against the new rule: that game
    /// stays under the old one.
    pub(crate) fn set_promotion_rule(&mut self, rule: PromotionRule) -> bool {
        self.promotion_rule = rule;
        match under_rule(&self.game, rule) {
            Some(game) => {
                self.game = game;
                true
            }
            None => false,
        }
    }

    /// Sets the game after these moves, read by a notation, if all are legal.
    ///
    /// # Errors
    /// Says which move is bad, and the game before stays.
    pub(crate) fn set_moves<E: std::fmt::Display>(
        &mut self,
        start: Position,
        moves: &[String],
        read: impl Fn(&Position, &str) -> Result<Move, E>,
    ) -> Result<(), String> {
        let mut game = Game::new(start);
        for (number, text) in moves.iter().enumerate() {
            let problem = |error: &dyn std::fmt::Display| {
                format!("move {} of the list, the position before stays: {error}", number + 1)
            };
            let mv = read(game.position(), text).map_err(|error| problem(&error))?;
            game.play(mv).map_err(|error| problem(&error))?;
        }
        self.set_game(game);
        Ok(())
    }

    /// Plays a move of the present game; false if it is not legal.
    pub(crate) fn play(&mut self, mv: Move) -> bool {
        self.game.play(mv).is_ok()
    }

    /// Takes moves back, all of these plies or, where there are not so many, none and says false.
    pub(crate) fn take_back(&mut self, plies: usize) -> bool {
        let possible = self.game.moves().len() >= plies;
        for _ in 0..if possible { plies } else { 0 } {
            self.game.undo();
        }
        possible
    }

    /// What the search sends.
    pub(crate) const fn events(&self) -> &Receiver<Event> {
        &self.receiver
    }

    /// Passes an event of the search on, and notes the end of the search.
    pub(crate) fn pass_on(&mut self, event: &Event, adapter: &mut dyn Adapter) {
        if matches!(event, Event::Finished(_)) {
            self.running = None;
        }
        adapter.event(self, event);
    }

    /// True unless a search runs that only a command can end.
    pub(crate) fn ends_by_itself(&self) -> bool {
        self.running.is_none_or(Running::ends_by_itself)
    }

    /// Starts a search. One that still runs is stopped and answers first.
    pub(crate) fn go(&mut self, limits: Limits, adapter: &mut dyn Adapter) {
        self.end_search(adapter);
        if self.is_debugging {
            adapter.tell(&format!("search: {limits:?}"));
        }
        self.running = Some(Running::new(&limits));
        self.searcher.start(&self.game, limits, self.sender.clone());
    }

    /// Starts a search of the position after a move that is expected but not yet played.
    pub(crate) fn go_after(&mut self, mv: Move, limits: Limits, adapter: &mut dyn Adapter) {
        self.end_search(adapter);
        let mut game = self.game.clone();
        if game.play(mv).is_ok() {
            self.running = Some(Running::new(&limits));
            self.searcher.start(&game, limits, self.sender.clone());
        }
    }

    /// Ends the running search, if any; its answer comes as an event.
    pub(crate) fn stop(&mut self) {
        self.searcher.stop();
        if let Some(running) = &mut self.running {
            *running = Running { limited: true, infinite: false, pondering: false, ..*running };
        }
    }

    /// The opponent played the expected move: a pondering search goes on within its limits. One without
    /// any answers at once, since nothing else would end it.
    pub(crate) fn ponder_hit(&mut self) {
        let Some(running) = self.running.as_mut().filter(|running| running.pondering) else { return };
        running.pondering = false;
        if running.limited {
            self.searcher.ponder_hit();
        } else {
            self.searcher.stop();
        }
    }

    /// Passes on everything until the running search, if any, has answered.
    pub(crate) fn finish(&mut self, adapter: &mut dyn Adapter) {
        while self.running.is_some() && !adapter.is_closed() {
            let Ok(event) = self.receiver.recv() else { return };
            self.pass_on(&event, adapter);
        }
    }

    /// As [`finish`](Controller::finish) where nothing more will come from the client: a search that ends by
    /// itself is given its time, one for a mate a little, and any other is stopped at once.
    pub(crate) fn finish_alone(&mut self, adapter: &mut dyn Adapter) {
        const MATE_SEARCH: Duration = Duration::from_secs(5);
        let deadline = Instant::now() + MATE_SEARCH;
        let waits = |running: Running| running.seeks_mate && !running.infinite && !running.pondering;
        while !self.ends_by_itself() && self.running.is_some_and(waits) && !adapter.is_closed() {
            let Ok(event) = self.receiver.recv_deadline(deadline) else { break };
            self.pass_on(&event, adapter);
        }
        if !self.ends_by_itself() {
            self.stop();
        }
        self.finish(adapter);
    }

    /// Stops the running search, if any, and passes its answer on.
    pub(crate) fn end_search(&mut self, adapter: &mut dyn Adapter) {
        self.stop();
        self.finish(adapter);
    }

    /// Forgets what was learned so far, as for a new game. The position stays until the client sets another,
    /// since some set it before they say that a new game begins.
    pub(crate) fn forget(&mut self, adapter: &mut dyn Adapter) {
        self.end_search(adapter);
        self.searcher.clear();
    }

    pub(crate) fn set_hash(&mut self, mib: usize, adapter: &mut dyn Adapter) -> Result<(), SearchError> {
        self.end_search(adapter);
        self.searcher.set_hash(mib)
    }

    pub(crate) fn set_threads(&mut self, count: usize, adapter: &mut dyn Adapter) -> Result<(), SearchError> {
        self.end_search(adapter);
        self.searcher.set_threads(count)
    }

    pub(crate) fn set_evaluation(
        &mut self,
        evaluation: Evaluation,
        adapter: &mut dyn Adapter,
    ) -> Result<(), NetworkError> {
        self.end_search(adapter);
        self.searcher.set_evaluation(evaluation)
    }

    /// What searches evaluate by.
    pub(crate) const fn evaluation(&self) -> &Evaluation {
        self.searcher.evaluation()
    }

    /// What the evaluation says of the position, for people.
    pub(crate) fn explain(&self) -> String {
        let explanation = self.searcher.explain(self.position());
        explain::describe(self.position(), &explanation, &self.evaluation().to_string())
    }

    /// Sets whether scores are told with the chances to win, draw and lose.
    pub(crate) const fn show_wdl(&mut self, on: bool) {
        self.shows_wdl = on;
    }

    /// True when scores are told with the chances to win, draw and lose.
    pub(crate) const fn shows_wdl(&self) -> bool {
        self.shows_wdl
    }

    /// Sets whether each search is told as it was understood.
    pub(crate) const fn debug(&mut self, on: bool) {
        self.is_debugging = on;
    }

    /// Changes how strong the next searches play.
    pub(crate) fn set_strength(&mut self, change: impl FnOnce(&mut Strength)) {
        change(&mut self.strength);
        self.strength.apply(&mut self.searcher);
    }

    pub(crate) fn set_multi_pv(&mut self, lines: usize) {
        self.searcher.set_multi_pv(lines);
    }

    pub(crate) fn set_move_overhead(&mut self, overhead: Duration) {
        self.searcher.set_move_overhead(overhead);
    }

    /// Reads the moves that a search may be limited to: the legal ones, and what is wrong with the others.
    pub(crate) fn chosen_moves<E: std::fmt::Display>(
        &self,
        texts: &[String],
        read: impl Fn(&Position, &str) -> Result<Move, E>,
    ) -> (Vec<Move>, Vec<String>) {
        let mut chosen = Vec::new();
        let mut problems = Vec::new();
        for text in texts {
            match read(self.position(), text) {
                Ok(mv) if chosen.contains(&mv) => {}
                Ok(mv) => chosen.push(mv),
                Err(error) => problems.push(error.to_string()),
            }
        }
        (chosen, problems)
    }
}

/// The same game played by a promotion rule; `None` if that rule forbids it.
fn under_rule(game: &Game, rule: PromotionRule) -> Option<Game> {
    let mut replayed = Game::new(Position::from_setup(&game.start().to_setup(), rule).ok()?);
    for mv in game.moves() {
        replayed.play(mv).ok()?;
    }
    Some(replayed)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
mod tests {
    use super::*;

    #[test]
    fn a_promotion_rule_holds_for_the_present_game_if_it_can() {
        let mut controller = Controller::new().expect("memory");
        let fen = "8/P3k3/8/8/8/8/4K3/8 w - - 0 1";
        let mut game = Game::new(Position::from_fen(fen, PromotionRule::Any).expect("good"));
        controller.set_game(game.clone());
        assert!(controller.set_promotion_rule(PromotionRule::Met));
        assert!(controller.position().parse_uci("a7a8r").is_err());
        assert!(controller.set_promotion_rule(PromotionRule::Any));
        assert!(controller.position().parse_uci("a7a8r").is_ok());

        game.play(game.position().parse_uci("a7a8r").expect("legal")).expect("legal");
        controller.set_game(game);
        assert!(!controller.set_promotion_rule(PromotionRule::Met));
        assert_eq!(controller.game().moves().len(), 1);
        assert_eq!(controller.promotion_rule(), PromotionRule::Met);
    }

    #[test]
    fn what_ends_by_itself() {
        let limited = Limits { depth: Some(3), ..Limits::default() };
        let ends = |limits: &Limits| Running::new(limits).ends_by_itself();
        assert!(ends(&limited));
        assert!(!ends(&Limits::default()));
        assert!(!ends(&Limits { infinite: true, ..limited.clone() }));
        assert!(!ends(&Limits { ponder: true, ..limited }));
    }
}
