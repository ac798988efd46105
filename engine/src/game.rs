//! A game: a position with the moves that led to it.

use std::fmt;

use crate::moves::Move;
use crate::outcome::{Claim, Outcome};
use crate::position::Position;

/// A position with its history, which repetition needs.
///
/// The rules let a game go on after a claimable draw, and [`play`](Game::play) lets it go on after a
/// count that has run out too, since an engine may be told to.
#[derive(Clone)]
pub struct Game {
    start: Position,
    /// Each move with the position that it led to.
    plies: Vec<(Move, Position)>,
}

/// The move is not legal in the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalMove(pub Move);

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "illegal move: {}", self.0)
    }
}

impl std::error::Error for IllegalMove {}

impl Game {
    /// A game that starts from a position.
    pub const fn new(start: Position) -> Game {
        Game { start, plies: Vec::new() }
    }

    /// The position now.
    pub fn position(&self) -> &Position {
        self.plies.last().map_or(&self.start, |(_, position)| position)
    }

    /// The position the game started from.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// The moves played.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = Move> + ExactSizeIterator + '_ {
        self.plies.iter().map(|&(mv, _)| mv)
    }

    /// Plays a move.
    ///
    /// # Errors
    /// For an illegal move, and the game stays as it was.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if !self.position().is_legal(mv) {
            return Err(IllegalMove(mv));
        }
        let next = self.position().after(mv);
        self.plies.push((mv, next));
        Ok(())
    }

    /// Takes the last move back and returns it.
    pub fn undo(&mut self) -> Option<Move> {
        self.plies.pop().map(|(mv, _)| mv)
    }

    /// How the game has ended by itself, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        self.position().outcome()
    }

    /// The draw that may be claimed now, if any. Nothing can be claimed once the game has ended.
    pub fn claim(&self) -> Option<Claim> {
        if self.outcome().is_some() {
            None
        } else if self.repetitions() >= 3 {
            Some(Claim::Threefold)
        } else if self.position().is_fifty_moves() {
            Some(Claim::FiftyMoves)
        } else {
            None
        }
    }

    /// How many times the position has stood on the board, the present time included.
    pub fn repetitions(&self) -> usize {
        let key = self.position().key();
        1 + self.reversible_keys().skip(1).step_by(2).filter(|&earlier| earlier == key).count()
    }

    /// Keys of the earlier positions that can still repeat, the latest first: those since the last capture
    /// or pawn move.
    pub fn reversible_keys(&self) -> impl Iterator<Item = u64> + '_ {
        let earlier = self.plies.iter().rev().skip(1).map(|(_, position)| position.key());
        let reversible = usize::from(self.position().clock());
        let start = (!self.plies.is_empty()).then(|| self.start.key());
        earlier.chain(start).take(reversible)
    }
}

impl Default for Game {
    /// A game from the usual start, with every promotion allowed.
    fn default() -> Game {
        Game::new(Position::default())
    }
}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Game")
            .field("start", &self.start)
            .field("moves", &self.moves().collect::<Vec<_>>())
            .finish()
    }
}
