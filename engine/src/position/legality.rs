//! Questions about one move: is it possible, is it legal, does it give check?

use crate::attacks::{attacks, between, king_attacks, pawn_attacks, rook_attacks};
use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::moves::Move;
use crate::position::Position;
use crate::role::Role;
use crate::setup::PromotionRule;
use crate::square::{Rank, Square};

impl Position {
    /// True when the man on the move's first square may go to its second, own king's safety left aside.
    pub fn is_pseudo_legal(&self, mv: Move) -> bool {
        let (us, from, to) = (self.turn, mv.from(), mv.to());
        let Some(piece) = self.piece_at(from) else { return false };
        if piece.color() != us || self.by_color(us).contains(to) {
            return false;
        }
        if piece.role() != Role::Pawn {
            return !mv.is_promotion() && attacks(us, piece.role(), from, self.occupied()).contains(to);
        }
        let last_rank = to.rank().relative_to(us) == Rank::Eighth;
        let promotion_fits = match mv.promoted() {
            None => !last_rank,
            Some(role) => last_rank && (self.promotion_rule == PromotionRule::Any || role == Role::Met),
        };
        let reached = if self.by_color(!us).contains(to) {
            pawn_attacks(us, from)
        } else {
            Bitboard::of(from).forward(us)
        };
        promotion_fits && reached.contains(to)
    }

    /// True for a legal move; for any other move of any kind, false.
    pub fn is_legal(&self, mv: Move) -> bool {
        if !self.is_pseudo_legal(mv) {
            return false;
        }
        let (from, to) = (mv.from(), mv.to());
        let king = self.king(self.turn);
        if from == king {
            return !self.threats.contains(to);
        }
        self.evasion_targets().contains(to)
            && (!self.pinned.contains(from) || pin_line(king, from).contains(to))
    }

    /// Where a man other than the king must go: anywhere without check, onto the checker or between it
    /// and the king in check, nowhere in double check.
    #[inline]
    pub(crate) fn evasion_targets(&self) -> Bitboard {
        let Some(checker) = self.checkers.first() else { return Bitboard::ALL };
        if self.checkers.more_than_one() {
            return Bitboard::EMPTY;
        }
        let shielding = match self.role_at(checker) {
            Some(Role::Rook) => between(self.king(self.turn), checker),
            _ => Bitboard::EMPTY,
        };
        shielding.with(checker)
    }

    /// True when a legal move gives check.
    pub fn gives_check(&self, mv: Move) -> bool {
        let (us, from, to) = (self.turn, mv.from(), mv.to());
        let Some(piece) = self.piece_at(from) else { return false };
        let role = mv.promoted().unwrap_or(piece.role());
        let king = self.king(!us);
        let occupied = self.occupied().without(from).with(to);
        if role != Role::King && attacks(us, role, to, occupied).contains(king) {
            return true;
        }
        // Discovered check: only a rook looks through the square that was left.
        let aligned = from.file() == king.file() || from.rank() == king.rank();
        aligned && (rook_attacks(king, occupied) & self.pieces(us, Role::Rook).without(from)).any()
    }

    /// The squares of a player's king where an attacker of each role would give check, by
    /// [`Role::index`], with the men as they stand.
    pub fn check_squares(&self, king_of: Color) -> [Bitboard; 6] {
        let king = self.king(king_of);
        // Seen from the king with its own colour, as in `attackers_pattern`.
        Role::ALL.map(|role| match role {
            Role::King => Bitboard::EMPTY,
            _ => attacks(king_of, role, king, self.occupied()),
        })
    }

    /// King steps of the side to move to squares that are free of own men and of attack.
    #[inline]
    pub(crate) fn king_targets(&self) -> Bitboard {
        king_attacks(self.king(self.turn)).minus(self.by_color(self.turn)).minus(self.threats)
    }
}

/// The file or rank on which a man is pinned to its king.
#[inline]
pub(crate) fn pin_line(king: Square, pinned: Square) -> Bitboard {
    if king.file() == pinned.file() { Bitboard::file(king.file()) } else { Bitboard::rank(king.rank()) }
}
