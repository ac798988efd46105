//! Hidden layers kept up to date move by move.
//!
//! Each ply of a line notes what its move changed. A layer is computed only when its score is wanted: from
//! the nearest ply above that has it, change by change. Where the side's king has crossed the middle, and
//! so mirrored its view, the layer is made from a cache of one layer per view, which usually differs by few
//! men.

use makara_engine::{Bitboard, Color, Move, Piece, Position, Role, Square};

use super::{BUCKETS, HIDDEN, Hidden, Network, View, bucket, kernel};
use crate::score::MAX_PLY;

/// What a move changed on the board.
#[derive(Clone, Copy)]
struct Change {
    added: (Piece, Square),
    removed: (Piece, Square),
    captured: Option<(Piece, Square)>,
}

#[derive(Clone)]
struct Ply {
    layers: [Hidden; 2],
    /// Whether each side's layer is computed.
    known: [bool; 2],
    /// What led here from the ply before; nothing for a null move.
    change: Option<Change>,
    /// The side whose king's move mirrored its view.
    mirrored: Option<Color>,
}

/// A layer with the men that it stands for.
#[derive(Clone)]
struct Cached {
    layer: Hidden,
    men: [Bitboard; 12],
}

/// The hidden layers of a line, from the root on.
pub(crate) struct Accumulators {
    plies: Vec<Ply>,
    /// By side and whether its view is mirrored.
    cache: [[Cached; 2]; 2],
}

impl Accumulators {
    pub(crate) fn new() -> Accumulators {
        let zero = || Hidden([0; HIDDEN]);
        let ply = Ply { layers: [zero(), zero()], known: [false; 2], change: None, mirrored: None };
        let cached = || Cached { layer: zero(), men: [Bitboard::EMPTY; 12] };
        Accumulators { plies: vec![ply; MAX_PLY + 2], cache: [[cached(), cached()], [cached(), cached()]] }
    }

    /// Begins a line at its root, with a network that may differ from the last one's.
    pub(crate) fn reset(&mut self, network: &Network) {
        for cached in self.cache.iter_mut().flatten() {
            *cached = Cached { layer: network.biases.clone(), men: [Bitboard::EMPTY; 12] };
        }
        self.plies[0].known = [false; 2];
        self.plies[0].change = None;
    }

    /// Notes a move made at `ply` of the line, before it is made.
    #[inline]
    pub(crate) fn note_move(&mut self, ply: usize, position: &Position, mv: Move) {
        let next = &mut self.plies[ply + 1];
        next.known = [false; 2];
        next.mirrored = None;
        let Some(piece) = position.piece_at(mv.from()) else { return };
        let placed = mv.promoted().map_or(piece, |role| role.of(piece.color()));
        next.change = Some(Change {
            added: (placed, mv.to()),
            removed: (piece, mv.from()),
            captured: position.piece_at(mv.to()).map(|victim| (victim, mv.to())),
        });
        let crosses = (mv.from().file().index() >= 4) != (mv.to().file().index() >= 4);
        if piece.role() == Role::King && crosses {
            next.mirrored = Some(piece.color());
        }
    }

    /// Notes a null move.
    #[inline]
    pub(crate) fn note_null(&mut self, ply: usize) {
        let next = &mut self.plies[ply + 1];
        next.known = [false; 2];
        next.change = None;
        next.mirrored = None;
    }

    /// The network's score of the position at `ply` of the line, in centipawns from the mover.
    pub(crate) fn evaluate(&mut self, network: &Network, position: &Position, ply: usize) -> i32 {
        for side in Color::ALL {
            self.compute(network, position, ply, side);
        }
        let layers = &self.plies[ply].layers;
        let mover = position.turn();
        network.output(position, &layers[mover.index()], &layers[(!mover).index()])
    }

    /// The scores of a lone position by all outputs, in centipawns from the mover, and which one counts.
    pub(crate) fn outputs(&mut self, network: &Network, position: &Position) -> (Vec<i32>, usize) {
        self.reset(network);
        self.evaluate(network, position, 0);
        let mover = position.turn();
        let [ours, theirs] = [mover, !mover].map(|side| &self.plies[0].layers[side.index()]);
        let outputs = (0..BUCKETS).map(|bucket| network.output_of(bucket, ours, theirs));
        (outputs.collect(), bucket(position))
    }

    fn compute(&mut self, network: &Network, position: &Position, ply: usize, side: Color) {
        let at = side.index();
        let mut from = ply;
        while !self.plies[from].known[at] {
            if from == 0 || self.plies[from].mirrored == Some(side) {
                return self.refresh(network, position, ply, side);
            }
            from -= 1;
        }
        let view = View::new(side, position.king(side));
        for next in from + 1..=ply {
            let (before, after) = self.plies.split_at_mut(next);
            let (source, target) = (&before[next - 1].layers[at], &mut after[0]);
            let row = |(piece, square)| &network.features[view.input(piece, square)].0;
            let layer = &mut target.layers[at];
            match target.change {
                None => layer.0 = source.0,
                Some(Change { added, removed, captured: None }) => {
                    kernel::move_one(&mut layer.0, &source.0, row(added), row(removed));
                }
                Some(Change { added, removed, captured: Some(captured) }) => {
                    kernel::capture_one(&mut layer.0, &source.0, row(added), row(removed), row(captured));
                }
            }
            target.known[at] = true;
        }
    }

    /// Makes a layer from the cached one of the same view.
    fn refresh(&mut self, network: &Network, position: &Position, ply: usize, side: Color) {
        let view = View::new(side, position.king(side));
        let cached = &mut self.cache[side.index()][usize::from(view.mirrored)];
        for piece in Piece::ALL {
            let now = position.pieces(piece.color(), piece.role());
            let before = std::mem::replace(&mut cached.men[piece.index()], now);
            for square in now.minus(before) {
                kernel::add(&mut cached.layer.0, &network.features[view.input(piece, square)].0);
            }
            for square in before.minus(now) {
                kernel::subtract(&mut cached.layer.0, &network.features[view.input(piece, square)].0);
            }
        }
        let target = &mut self.plies[ply];
        target.layers[side.index()].0 = cached.layer.0;
        target.known[side.index()] = true;
    }
}

#[cfg(test)]
mod tests {
    use makara_engine::Game;

    use super::super::tests::random_bytes;
    use super::super::{MOST, QA, QB, SCALE};
    use super::*;

    /// The slow twin: everything from the board, number by number.
    fn from_scratch(network: &Network, position: &Position) -> i32 {
        let men = position.occupied().count();
        let bucket = ((men - 2) / 4).min(BUCKETS - 1);
        let mut sum = 0i64;
        for (half, side) in [position.turn(), !position.turn()].into_iter().enumerate() {
            let view = View::new(side, position.king(side));
            let mut layer = network.biases.0.map(i32::from);
            for square in position.occupied() {
                let piece = position.piece_at(square).expect("occupied");
                let row = &network.features[view.input(piece, square)].0;
                layer.iter_mut().zip(row).for_each(|(value, weight)| *value += i32::from(*weight));
            }
            for (value, weight) in layer.into_iter().zip(network.output[bucket][half].0) {
                let clipped = i64::from(value.clamp(0, QA));
                sum += clipped * clipped * i64::from(weight);
            }
        }
        let output = (sum / i64::from(QA) + i64::from(network.output_biases[bucket])) * i64::from(SCALE);
        (output / i64::from(QA * QB)).clamp(-MOST, MOST) as i32
    }

    /// Scores of a line and of siblings along it, each compared with the slow twin.
    struct Checker<'a> {
        network: &'a Network,
        accumulators: Accumulators,
        scores: usize,
        /// FNV-1a of all scores.
        hash: u64,
    }

    impl Checker<'_> {
        fn check(&mut self, position: &Position, ply: usize) {
            let score = self.accumulators.evaluate(self.network, position, ply);
            assert_eq!(score, from_scratch(self.network, position), "{position:?}");
            self.scores += 1;
            self.hash = (self.hash ^ score as u32 as u64).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// Every build, whatever vectors it has, gives the same scores: those of the slow twin, and those
    /// recorded here.
    #[test]
    fn incremental_equals_from_scratch_on_100_000_positions() {
        const POSITIONS: usize = 100_000;
        const HASH: u64 = 0x3fb7_cd13_2478_dc23;
        let network = Network::from_bytes(&random_bytes()).expect("a network");
        let accumulators = Accumulators::new();
        let mut checker = Checker { network: &network, accumulators, scores: 0, hash: 0xcbf2_9ce4_8422_2325 };
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        while checker.scores < POSITIONS {
            let mut game = Game::default();
            checker.accumulators.reset(&network);
            for ply in 0..MAX_PLY {
                let position = *game.position();
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                // Not at each ply, so that several changes are caught up at once.
                if !random.is_multiple_of(3) {
                    checker.check(&position, ply);
                }
                let moves = position.legal_moves();
                let Some(&mv) = moves.get(random as usize % moves.len().max(1)) else { break };
                // A sibling is tried and left first, as a search does; and a null move now and then.
                checker.accumulators.note_move(ply, &position, moves[0]);
                checker.check(&position.after(moves[0]), ply + 1);
                if random.is_multiple_of(7) && !position.in_check() {
                    checker.accumulators.note_null(ply);
                    checker.check(&position.after_null(), ply + 1);
                }
                checker.accumulators.note_move(ply, &position, mv);
                game.play(mv).expect("legal");
            }
        }
        assert_eq!(checker.hash, HASH);
    }
}
