//! Legal move generation.
//!
//! Every move made here is legal. Two facts make that cheap on this board: only rooks can pin or check
//! from afar, and [`Position::threats`] says where a king may not go. In check the targets shrink to the
//! checker and the squares before it, so evasions need no code of their own.

use crate::attacks::{attacks, khon_attacks, knight_attacks, met_attacks, rook_attacks};
use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::moves::{Move, MoveList};
use crate::position::Position;
use crate::position::legality::pin_line;
use crate::role::Role;
use crate::square::{Rank, Square};

/// Which legal moves to generate. Together the two stages give every move once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Captures and all promotions.
    Noisy,
    /// The rest.
    Quiet,
}

impl Position {
    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate(Stage::Noisy, &mut list);
        self.generate(Stage::Quiet, &mut list);
        list
    }

    /// Adds the legal moves of one stage to a list.
    pub fn generate(&self, stage: Stage, list: &mut MoveList) {
        self.for_each_move(stage, |mv| list.push(mv));
    }

    /// Gives each legal move of one stage to a function, in the order of [`generate`](Position::generate).
    #[inline]
    pub fn for_each_move(&self, stage: Stage, take: impl FnMut(Move)) {
        match stage {
            Stage::Noisy => self.generate_into(&mut Collector::<_, true> { take, position: self }),
            Stage::Quiet => self.generate_into(&mut Collector::<_, false> { take, position: self }),
        }
    }

    /// How many legal moves there are.
    pub fn legal_move_count(&self) -> usize {
        let mut counter = Counter { moves: 0, promotion_roles: self.promotion_rule().roles().len() };
        self.generate_into(&mut counter);
        counter.moves
    }

    /// True when there is a legal move.
    pub fn has_legal_move(&self) -> bool {
        // Nearly always the king has a move, so the rest is rarely looked at.
        self.king_targets().any() || self.legal_move_count() > 0
    }

    #[inline(always)]
    fn generate_into(&self, sink: &mut impl Sink) {
        let us = self.turn();
        let king = self.king(us);
        sink.man(king, self.king_targets());
        if self.checkers().more_than_one() {
            return;
        }
        let targets = self.evasion_targets().minus(self.by_color(us));
        let occupied = self.occupied();
        let free = !self.pinned();
        self.generate_pawns(sink, targets);
        for met in self.pieces(us, Role::Met) & free {
            sink.man(met, met_attacks(met) & targets);
        }
        for khon in self.pieces(us, Role::Khon) & free {
            sink.man(khon, khon_attacks(us, khon) & targets);
        }
        for knight in self.pieces(us, Role::Knight) & free {
            sink.man(knight, knight_attacks(knight) & targets);
        }
        for rook in self.pieces(us, Role::Rook) & free {
            sink.man(rook, rook_attacks(rook, occupied) & targets);
        }
        for pinned in self.pinned().minus(self.by_role(Role::Pawn)) {
            if let Some(role) = self.role_at(pinned) {
                let line = pin_line(king, pinned);
                sink.man(pinned, attacks(us, role, pinned, occupied) & line & targets);
            }
        }
    }

    #[inline(always)]
    fn generate_pawns(&self, sink: &mut impl Sink, targets: Bitboard) {
        let us = self.turn();
        let pawns = self.pieces(us, Role::Pawn);
        // A pinned pawn can only push, and only when it is pinned along its file.
        let captors = pawns.minus(self.pinned());
        let pushers = captors | (pawns & Bitboard::file(self.king(us).file()));
        let enemies = self.by_color(!us) & targets;
        let pushes = pushers.forward(us).minus(self.occupied()) & targets;
        let ahead = captors.forward(us);
        for (step, reached) in [
            (PawnStep::Push, pushes),
            (PawnStep::West, ahead.west() & enemies),
            (PawnStep::East, ahead.east() & enemies),
        ] {
            let last_rank = Bitboard::rank(Rank::Eighth.relative_to(us));
            sink.pawns(us, step, reached.minus(last_rank));
            sink.promotions(us, step, reached & last_rank);
        }
    }
}

/// How pawns came to the squares that they reach.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PawnStep {
    Push,
    West,
    East,
}

impl PawnStep {
    /// The square that a pawn left to reach `to`.
    #[inline(always)]
    fn origin(self, us: Color, to: Square) -> Square {
        let back = match us {
            Color::White => (to as u8).wrapping_sub(8),
            Color::Black => (to as u8).wrapping_add(8),
        };
        Square::from_index_wrapping(match self {
            PawnStep::Push => back,
            PawnStep::West => back.wrapping_add(1),
            PawnStep::East => back.wrapping_sub(1),
        })
    }
}

/// What takes the generated moves: a function, or a counter that needs no moves.
trait Sink {
    fn man(&mut self, from: Square, targets: Bitboard);
    fn pawns(&mut self, us: Color, step: PawnStep, targets: Bitboard);
    fn promotions(&mut self, us: Color, step: PawnStep, targets: Bitboard);
}

struct Collector<'a, F, const NOISY: bool> {
    take: F,
    position: &'a Position,
}

impl<F: FnMut(Move), const NOISY: bool> Sink for Collector<'_, F, NOISY> {
    #[inline(always)]
    fn man(&mut self, from: Square, targets: Bitboard) {
        let enemies = self.position.by_color(!self.position.turn());
        for to in if NOISY { targets & enemies } else { targets.minus(enemies) } {
            (self.take)(Move::normal(from, to));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, us: Color, step: PawnStep, targets: Bitboard) {
        if NOISY != (step == PawnStep::Push) {
            for to in targets {
                (self.take)(Move::normal(step.origin(us, to), to));
            }
        }
    }

    #[inline(always)]
    fn promotions(&mut self, us: Color, step: PawnStep, targets: Bitboard) {
        if NOISY {
            for to in targets {
                for &role in self.position.promotion_rule().roles() {
                    (self.take)(Move::promoting(step.origin(us, to), to, role));
                }
            }
        }
    }
}

struct Counter {
    moves: usize,
    promotion_roles: usize,
}

impl Sink for Counter {
    #[inline(always)]
    fn man(&mut self, _from: Square, targets: Bitboard) {
        self.moves += targets.count();
    }

    #[inline(always)]
    fn pawns(&mut self, _us: Color, _step: PawnStep, targets: Bitboard) {
        self.moves += targets.count();
    }

    #[inline(always)]
    fn promotions(&mut self, _us: Color, _step: PawnStep, targets: Bitboard) {
        self.moves += targets.count() * self.promotion_roles;
    }
}
