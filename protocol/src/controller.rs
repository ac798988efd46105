//! The owner of the game, the options and the search. It knows no protocol.

use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, unbounded};
use makara_engine::{Game, Move, Position, PromotionRule};
use makara_search::{Event, Limits, NetworkError, SearchError, Searcher};

use crate::session::Adapter;

/// Serves one client.
pub(crate) struct Controller {
    game: Game,
    promotion_rule: PromotionRule,
    searcher: Searcher,
    sender: Sender<Event>,
    receiver: Receiver<Event>,
    /// The running search, until its answer has been passed on.
    running: Option<Running>,
    loaded_network: bool,
}

#[derive(Clone, Copy)]
struct Running {
    ends_by_itself: bool,
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
            loaded_network: false,
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

    /// Changes the promotion rule for games set from now on, and for the present one if no move has been
    /// played in it.
    pub(crate) fn set_promotion_rule(&mut self, rule: PromotionRule) {
        self.promotion_rule = rule;
        if self.game.moves().len() == 0
            && let Ok(position) = Position::from_setup(&self.game.position().to_setup(), rule)
        {
            self.game = Game::new(position);
        }
    }

    /// What the search sends.
    pub(crate) const fn events(&self) -> &Receiver<Event> {
        &self.receiver
    }

    /// To be called for each event: notes the end of the search.
    pub(crate) fn note(&mut self, event: &Event) {
        if matches!(event, Event::Finished(_)) {
            self.running = None;
        }
    }

    /// True unless a search runs that only a command can end.
    pub(crate) fn ends_by_itself(&self) -> bool {
        self.running.is_none_or(|running| running.ends_by_itself)
    }

    /// Starts a search. One that still runs is stopped and answers first.
    pub(crate) fn go(&mut self, limits: Limits, adapter: &mut dyn Adapter) {
        self.end_search(adapter);
        let limited = limits.depth.is_some()
            || limits.nodes.is_some()
            || limits.move_time.is_some()
            || limits.mate.is_some()
            || limits.clock.is_some();
        self.running = Some(Running { ends_by_itself: limited && !limits.infinite && !limits.ponder });
        self.searcher.start(&self.game, limits, self.sender.clone());
    }

    /// Ends the running search, if any; its answer comes as an event.
    pub(crate) fn stop(&self) {
        self.searcher.stop();
    }

    /// The opponent played the expected move.
    pub(crate) fn ponder_hit(&mut self) {
        self.searcher.ponder_hit();
        if let Some(running) = &mut self.running {
            running.ends_by_itself = true;
        }
    }

    /// Passes on everything until the running search, if any, has answered.
    pub(crate) fn finish(&mut self, adapter: &mut dyn Adapter) {
        while self.running.is_some() && !adapter.is_closed() {
            let Ok(event) = self.receiver.recv() else { return };
            self.note(&event);
            adapter.event(self, &event);
        }
    }

    /// Stops the running search, if any, and passes its answer on.
    pub(crate) fn end_search(&mut self, adapter: &mut dyn Adapter) {
        self.stop();
        self.finish(adapter);
    }

    /// A new game begins: forgets what was learned in the last one.
    pub(crate) fn new_game(&mut self, adapter: &mut dyn Adapter) {
        self.end_search(adapter);
        self.searcher.clear();
        self.game = Game::new(Position::start(self.promotion_rule));
    }

    pub(crate) fn clear_hash(&mut self, adapter: &mut dyn Adapter) {
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

    pub(crate) fn load_network(&mut self, path: &str, adapter: &mut dyn Adapter) -> Result<(), NetworkError> {
        self.end_search(adapter);
        self.searcher.load_network(path.as_ref())?;
        self.loaded_network = true;
        Ok(())
    }

    /// True once the evaluation is no longer the built-in one.
    pub(crate) const fn has_loaded_network(&self) -> bool {
        self.loaded_network
    }

    pub(crate) fn set_multi_pv(&mut self, lines: usize) {
        self.searcher.set_multi_pv(lines);
    }

    pub(crate) fn set_move_overhead(&mut self, overhead: Duration) {
        self.searcher.set_move_overhead(overhead);
    }

    /// Reads the moves that a search may be limited to: the legal ones, and what is wrong with the others.
    pub(crate) fn chosen_moves(&self, texts: &[String]) -> (Vec<Move>, Vec<String>) {
        let mut chosen = Vec::new();
        let mut problems = Vec::new();
        for text in texts {
            match self.position().parse_uci(text) {
                Ok(mv) if chosen.contains(&mv) => {}
                Ok(mv) => chosen.push(mv),
                Err(error) => problems.push(error.to_string()),
            }
        }
        (chosen, problems)
    }
}
