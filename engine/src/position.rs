//! A position of the game and its incremental state.

mod check;
pub(crate) mod legality;
mod play;

pub use check::{PositionError, PositionErrors};

use std::hash::{Hash, Hasher};

use crate::attacks::{attackers_pattern, between, king_attacks, rook_attacks, sets};
use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::count::{Count, CountLimit};
use crate::role::{Piece, Role};
use crate::setup::{PromotionRule, Setup};
use crate::square::{Rank, Square};
use crate::zobrist;

/// A legal position: men, side to move, counters, and what follows from them.
///
/// It is small and `Copy`: [`after`](Position::after) gives the next position and leaves this one as it
/// was, so there is no unmake. What a repetition needs is kept by [`Game`](crate::Game).
///
/// Invariants, each checked by a test against a computation from scratch: one king a side, at most 16
/// men and 8 pawns a side, no pawn on a first or last rank, the side not to move is not in check, and
/// keys, threats, checkers and pins fit the board.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position {
    board: [Option<Piece>; 64],
    roles: [Bitboard; 6],
    colors: [Bitboard; 2],
    threats: Bitboard,
    checkers: Bitboard,
    pinned: Bitboard,
    keys: Keys,
    fullmove: u32,
    clock: u16,
    count: Option<Count>,
    turn: Color,
    promotion_rule: PromotionRule,
}

/// Zobrist keys kept up to date by each move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Keys {
    /// All men and the side to move.
    main: u64,
    /// Pawns only.
    pawns: u64,
    /// Each side's men except pawns.
    pieces: [u64; 2],
}

impl Position {
    /// The start of the game.
    pub fn start(promotion_rule: PromotionRule) -> Position {
        const BACK: [Role; 8] = [
            Role::Rook,
            Role::Knight,
            Role::Khon,
            Role::Met,
            Role::King,
            Role::Khon,
            Role::Knight,
            Role::Rook,
        ];
        let mut setup = Setup::empty();
        for square in Square::ALL {
            let back = BACK[square.file().index()];
            let piece = match square.rank() {
                Rank::First => Some(back.of(Color::White)),
                Rank::Third => Some(Piece::WhitePawn),
                Rank::Sixth => Some(Piece::BlackPawn),
                Rank::Eighth => Some(back.of(Color::Black)),
                _ => None,
            };
            setup.set(square, piece);
        }
        Position::from_checked_setup(&setup, promotion_rule)
    }

    /// Builds a position from a setup that [`from_setup`](Position::from_setup) found possible.
    fn from_checked_setup(setup: &Setup, promotion_rule: PromotionRule) -> Position {
        let mut position = Position {
            board: [None; 64],
            roles: [Bitboard::EMPTY; 6],
            colors: [Bitboard::EMPTY; 2],
            threats: Bitboard::EMPTY,
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            keys: Keys::default(),
            fullmove: setup.fullmove.max(1),
            clock: if setup.count_limit.is_some() { 0 } else { setup.counter },
            count: setup.count_limit.map(|limit| Count { limit, plies: setup.counter }),
            turn: setup.turn,
            promotion_rule,
        };
        for square in Square::ALL {
            if let Some(piece) = setup.piece_at(square) {
                position.put(square, piece);
            }
        }
        if setup.turn == Color::Black {
            position.keys.main ^= zobrist::SIDE;
        }
        position.refresh();
        position
    }

    /// The side to move.
    #[inline]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// The man on a square.
    #[inline]
    pub const fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// The kind of man on a square.
    #[inline]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        self.board[square.index()].map(Piece::role)
    }

    /// All men.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// All men of a player.
    #[inline]
    pub fn by_color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// All men of a kind.
    #[inline]
    pub fn by_role(&self, role: Role) -> Bitboard {
        self.roles[role.index()]
    }

    /// A player's men of a kind.
    #[inline]
    pub fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.colors[color.index()] & self.roles[role.index()]
    }

    /// Where a player's king stands.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        // The invariant "one king a side" makes the fallback unreachable.
        self.pieces(color, Role::King).first().unwrap_or(Square::A1)
    }

    /// All squares that the side not to move attacks, as if the king of the side to move were not on the
    /// board: its king may go to no square of them.
    #[inline]
    pub fn threats(&self) -> Bitboard {
        self.threats
    }

    /// The men that give check to the side to move. Play gives at most two.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// True when the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// Men of the side to move that a rook pins to their king.
    #[inline]
    pub fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// Plies since the last capture or pawn move. It keeps running beside a count, though FEN then has
    /// no place for it.
    #[inline]
    pub const fn clock(&self) -> u16 {
        self.clock
    }

    /// The running count, if one runs.
    #[inline]
    pub const fn count(&self) -> Option<Count> {
        self.count
    }

    /// The number of the move, from 1.
    #[inline]
    pub const fn fullmove(&self) -> u32 {
        self.fullmove
    }

    /// What pawns may become in this game.
    #[inline]
    pub const fn promotion_rule(&self) -> PromotionRule {
        self.promotion_rule
    }

    /// The Zobrist key of what a repetition compares: the men and the side to move.
    #[inline]
    pub const fn key(&self) -> u64 {
        self.keys.main
    }

    /// The key for stored search results: [`key`](Position::key), the promotion rule, the exact count, and
    /// roughly how near the fifty-move claim is, since a score proved with more plies left is no proof with
    /// fewer. Within a step of the clock a reader must still compare a mate's distance with the plies left.
    #[inline]
    pub fn search_key(&self) -> u64 {
        let count = self.count.map_or(0, |count| zobrist::limit(count.limit) ^ zobrist::count_left(count));
        self.keys.main ^ count ^ zobrist::clock(self.clock) ^ zobrist::promotion_rule(self.promotion_rule)
    }

    /// The Zobrist key of the pawns alone.
    #[inline]
    pub const fn pawn_key(&self) -> u64 {
        self.keys.pawns
    }

    /// The Zobrist key of a player's men except pawns.
    #[inline]
    pub const fn pieces_key(&self, color: Color) -> u64 {
        self.keys.pieces[color.index()]
    }

    /// True when a player has nothing but the king.
    #[inline]
    pub fn is_bare(&self, color: Color) -> bool {
        !self.by_color(color).more_than_one()
    }

    /// The position written down.
    pub fn to_setup(&self) -> Setup {
        Setup {
            board: self.board,
            turn: self.turn,
            count_limit: self.count.map(|count| count.limit),
            counter: self.count.map_or(self.clock, |count| count.plies),
            fullmove: self.fullmove,
        }
    }

    /// The position mirrored upside down with colours swapped: the same game for the other player. The
    /// moves of the two are each other's mirror, and so is every outcome.
    #[must_use]
    pub fn flipped(&self) -> Position {
        let setup = self.to_setup().flipped();
        Position { clock: self.clock, ..Position::from_checked_setup(&setup, self.promotion_rule) }
    }

    /// All squares that a player attacks with these men on the board; squares of own men included.
    pub fn attacked_by(&self, color: Color, occupied: Bitboard) -> Bitboard {
        let mut attacked = sets::pawn_attacks(color, self.pieces(color, Role::Pawn))
            | sets::met_attacks(self.pieces(color, Role::Met))
            | sets::khon_attacks(color, self.pieces(color, Role::Khon))
            | sets::knight_attacks(self.pieces(color, Role::Knight))
            | king_attacks(self.king(color));
        for rook in self.pieces(color, Role::Rook) {
            attacked |= rook_attacks(rook, occupied);
        }
        attacked
    }

    /// All men of both players that attack a square, with these men on the board.
    #[inline]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let pattern = |color, role| attackers_pattern(color, role, square, occupied);
        let mut attackers = rook_attacks(square, occupied) & self.by_role(Role::Rook);
        attackers |= pattern(Color::White, Role::Knight) & self.by_role(Role::Knight);
        attackers |= pattern(Color::White, Role::Met) & self.by_role(Role::Met);
        attackers |= pattern(Color::White, Role::King) & self.by_role(Role::King);
        for color in Color::ALL {
            attackers |= pattern(color, Role::Pawn) & self.pieces(color, Role::Pawn);
            attackers |= pattern(color, Role::Khon) & self.pieces(color, Role::Khon);
        }
        attackers
    }

    /// Recomputes threats, checkers and pins from the board.
    fn refresh(&mut self) {
        let (us, them) = (self.turn, !self.turn);
        let king = self.king(us);
        let occupied = self.occupied();
        self.threats = self.attacked_by(them, occupied.without(king));
        self.checkers = if self.threats.contains(king) {
            self.attackers_to(king, occupied) & self.by_color(them)
        } else {
            Bitboard::EMPTY
        };
        self.pinned = Bitboard::EMPTY;
        for rook in rook_attacks(king, Bitboard::EMPTY) & self.pieces(them, Role::Rook) {
            let blockers = between(king, rook) & occupied;
            if !blockers.more_than_one() {
                self.pinned |= blockers & self.by_color(us);
            }
        }
    }

    /// The limit that a count would have if it began now, with the side to move as the bare king.
    fn starting_limit(&self) -> Option<CountLimit> {
        if self.by_role(Role::Pawn).any() || !self.is_bare(self.turn) {
            return None;
        }
        let attacker = !self.turn;
        if self.pieces(attacker, Role::Rook).any() {
            Some(CountLimit::Rook)
        } else if self.pieces(attacker, Role::Khon).any() {
            Some(CountLimit::Khon)
        } else if self.pieces(attacker, Role::Knight).any() {
            Some(CountLimit::Knight)
        } else {
            None
        }
    }
}

/// Equal positions have equal keys, so the key is all that is hashed.
impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.keys.main);
    }
}

impl Default for Position {
    /// The start of the game under [`PromotionRule::Any`].
    fn default() -> Position {
        Position::start(PromotionRule::Any)
    }
}
