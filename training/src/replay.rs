//! Games from records.

use std::fmt;

use makara_engine::{Game, Move, MoveList, Position, PromotionRule};

use crate::format::{GameResult, Record};

/// Why a record is no game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReplayError {
    /// The start cannot be read, and why.
    Start(String),
    /// At this ply there is no move of this index.
    Move {
        /// The ply, from 0.
        ply: usize,
        /// The index that the record gives.
        index: u8,
    },
    /// The rules ended the game at this ply, and it goes on.
    GoesOn(usize),
    /// The record says that the game ended otherwise than it did.
    End {
        /// What the record says.
        recorded: String,
        /// What the rules say.
        found: String,
    },
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::Start(why) => write!(f, "the start: {why}"),
            ReplayError::Move { ply, index } => write!(f, "ply {ply}: there is no legal move {index}"),
            ReplayError::GoesOn(ply) => write!(f, "ply {ply}: the game has ended but goes on"),
            ReplayError::End { recorded, found } => {
                write!(f, "the record ends with {recorded}, the game with {found}")
            }
        }
    }
}

impl std::error::Error for ReplayError {}

/// The legal moves in the order in which game files count them.
pub fn ordered_moves(position: &Position) -> MoveList {
    let mut moves = position.legal_moves();
    moves.sort_unstable_by_key(|mv| mv.raw());
    moves
}

/// One ply of a game that is replayed.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// The game before the move.
    pub game: &'a Game,
    /// The ply, from 0.
    pub ply: usize,
    /// The move.
    pub mv: Move,
    /// Its score from the mover, unless the move is random.
    pub score: Option<i32>,
}

/// Plays a record's moves, shows each ply to `visit`, and returns the game at its end.
///
/// # Errors
/// When the start or a move is impossible. Whether the result is right, [`verify`] says.
pub fn replay(
    record: &Record,
    rule: PromotionRule,
    mut visit: impl FnMut(Step<'_>),
) -> Result<Game, ReplayError> {
    let start = if record.start.is_empty() {
        Position::start(rule)
    } else {
        Position::from_fen(&record.start, rule).map_err(|error| ReplayError::Start(error.to_string()))?
    };
    let mut game = Game::new(start);
    for (ply, stored) in record.plies.iter().enumerate() {
        let fault = ReplayError::Move { ply, index: stored.index };
        let moves = ordered_moves(game.position());
        let mv = *moves.get(usize::from(stored.index)).ok_or_else(|| fault.clone())?;
        visit(Step { game: &game, ply, mv, score: stored.score.value() });
        game.play(mv).map_err(|_| fault)?;
    }
    Ok(game)
}

/// Replays a record and compares its end with what the rules say.
///
/// # Errors
/// When the record is no game, or ends otherwise than it says.
pub fn verify(record: &Record, rule: PromotionRule) -> Result<(), ReplayError> {
    let mut goes_on = None;
    let random_plies = usize::from(record.random_plies);
    let game = replay(record, rule, |step| {
        if goes_on.is_none()
            && step.ply >= random_plies
            && (step.game.outcome().is_some() || step.game.claim().is_some())
        {
            goes_on = Some(step.ply);
        }
    })?;
    if let Some(ply) = goes_on {
        return Err(ReplayError::GoesOn(ply));
    }
    let recorded = format!("{} ({})", record.result.text(), record.reason);
    let found = match (game.outcome(), game.claim()) {
        (Some(outcome), _) => format!("{} ({outcome})", outcome.result()),
        (None, Some(claim)) => format!("{} ({claim})", GameResult::Draw.text()),
        (None, None) if record.reason.is_by_rule() => "nothing yet".into(),
        // The rules cannot judge a game that was cut short.
        (None, None) => return Ok(()),
    };
    if record.reason.is_by_rule() && recorded == found
        || !record.reason.is_by_rule() && game.outcome().is_none()
    {
        Ok(())
    } else {
        Err(ReplayError::End { recorded, found })
    }
}
