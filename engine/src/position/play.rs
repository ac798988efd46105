//! Making moves.

use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::count::Count;
use crate::moves::Move;
use crate::position::Position;
use crate::role::{Piece, Role};
use crate::square::Square;
use crate::zobrist;

impl Position {
    /// The position after a legal move.
    ///
    /// For a move that is not [legal](Position::is_legal) the result is some position, of no meaning.
    #[inline]
    #[must_use]
    pub fn after(&self, mv: Move) -> Position {
        let mut next = *self;
        next.play(mv);
        next
    }

    /// The [`search_key`](Position::search_key) after a legal move, before it is made, so that its entry can
    /// be fetched meanwhile. Wrong, and harmlessly so, only where the move starts a count.
    #[inline]
    pub fn search_key_after(&self, mv: Move) -> u64 {
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.board[from.index()] else { return self.keys.main };
        let placed = mv.promoted().map_or(piece, |role| role.of(piece.color()));
        let mut key =
            self.keys.main ^ zobrist::SIDE ^ zobrist::piece(piece, from) ^ zobrist::piece(placed, to);
        let mut clock = self.clock.saturating_add(1);
        if let Some(captured) = self.board[to.index()] {
            key ^= zobrist::piece(captured, to);
            clock = 0;
        } else if piece.role() == Role::Pawn {
            clock = 0;
        }
        if let Some(count) = self.count {
            let next = Count { plies: count.plies.saturating_add(1), ..count };
            key ^= zobrist::limit(next.limit) ^ zobrist::count_left(next);
        }
        key ^ zobrist::clock(clock) ^ zobrist::promotion_rule(self.promotion_rule)
    }

    /// The position with the turn passed to the other side, as null-move pruning asks. The clock and a
    /// running count go on; a count does not start. Not for a side in check.
    #[must_use]
    pub fn after_null(&self) -> Position {
        debug_assert!(!self.in_check());
        let mut next = *self;
        next.tick();
        next.refresh();
        next
    }

    fn play(&mut self, mv: Move) {
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.board[from.index()] else {
            debug_assert!(false, "no man on {from}");
            return;
        };
        let captured = self.board[to.index()];
        if let Some(captured) = captured {
            self.remove(to, captured);
        }
        self.remove(from, piece);
        self.put(to, mv.promoted().map_or(piece, |role| role.of(piece.color())));
        self.tick();
        if captured.is_some() || piece.role() == Role::Pawn {
            self.clock = 0;
        }
        if self.count.is_none()
            && let Some(limit) = self.starting_limit()
        {
            self.count = Some(Count { limit, plies: 0 });
        }
        self.refresh();
    }

    /// Passes the turn and lets the counters run.
    #[inline]
    fn tick(&mut self) {
        self.clock = self.clock.saturating_add(1);
        if let Some(count) = &mut self.count {
            count.plies = count.plies.saturating_add(1);
        }
        if self.turn == Color::Black {
            self.fullmove = self.fullmove.saturating_add(1);
        }
        self.turn = !self.turn;
        self.keys.main ^= zobrist::SIDE;
    }

    #[inline]
    pub(super) fn put(&mut self, square: Square, piece: Piece) {
        self.board[square.index()] = Some(piece);
        self.toggle(square, piece);
    }

    #[inline]
    fn remove(&mut self, square: Square, piece: Piece) {
        self.board[square.index()] = None;
        self.toggle(square, piece);
    }

    #[inline]
    fn toggle(&mut self, square: Square, piece: Piece) {
        let bit = Bitboard::of(square);
        let (color, role) = (piece.color(), piece.role());
        self.roles[role.index()] ^= bit;
        self.colors[color.index()] ^= bit;
        let key = zobrist::piece(piece, square);
        self.keys.main ^= key;
        if role == Role::Pawn {
            self.keys.pawns ^= key;
        } else {
            self.keys.pieces[color.index()] ^= key;
        }
    }
}
