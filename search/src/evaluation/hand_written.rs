//! The hand-written evaluation: plain and fast. It made the games that the first network learned from.
//!
//! Every term has a value for the middlegame and one for the endgame, mixed by the men left on the board
//! (tapered evaluation). At the end the score fades as the fifty-move claim or the count comes near.
#![cfg_attr(not(feature = "tuning"), allow(unreachable_pub, reason = "reached by tuning only"))]

mod terms;
mod weights;

use makara_engine::attacks::{king_attacks, knight_attacks, rook_attacks, sets};
use makara_engine::{Bitboard, Color, Position, Rank, Role, Square};

use super::faded;
use crate::score::Score;
use terms::{KING_ATTACK_MOST, PHASE, PHASE_ALL, PLACE_INDEX, SCALE_ONE};
pub use terms::{Tapered, Weights};
pub use weights::WEIGHTS;

/// What the terms of one side need to know.
struct Side {
    color: Color,
    king: Square,
    pawns: Bitboard,
    pawn_attacks: Bitboard,
    /// Attacks of mets, khons and knights.
    minor_attacks: Bitboard,
    rook_attacks: Bitboard,
    /// Mobility and files of the rooks, summed while their attacks are at hand.
    rook_terms: Tapered,
}

impl Side {
    #[inline(always)]
    fn new(position: &Position, color: Color, weights: &Weights) -> Side {
        let of = |role| position.pieces(color, role);
        let their_pawns = position.pieces(!color, Role::Pawn);
        let safe = !(position.by_color(color) | sets::pawn_attacks(!color, their_pawns));
        let mut attacks = Bitboard::EMPTY;
        let mut rook_terms = Tapered::ZERO;
        for rook in of(Role::Rook) {
            let seen = rook_attacks(rook, position.occupied());
            attacks |= seen;
            rook_terms = rook_terms + weights.rook_mobility * ((seen & safe).count() as i32 - 6);
            let file = Bitboard::file(rook.file());
            if (file & of(Role::Pawn)).is_empty() {
                let open = (file & their_pawns).is_empty();
                rook_terms =
                    rook_terms + if open { weights.rook_open_file } else { weights.rook_half_open_file };
            }
        }
        Side {
            color,
            king: position.king(color),
            pawns: of(Role::Pawn),
            pawn_attacks: sets::pawn_attacks(color, of(Role::Pawn)),
            minor_attacks: sets::met_attacks(of(Role::Met))
                | sets::khon_attacks(color, of(Role::Khon))
                | sets::knight_attacks(of(Role::Knight)),
            rook_attacks: attacks,
            rook_terms,
        }
    }

    fn attacks(&self) -> Bitboard {
        self.pawn_attacks | self.minor_attacks | self.rook_attacks
    }
}

/// The static score of a position from the side to move.
pub(crate) fn evaluate(position: &Position) -> Score {
    Score::estimate(evaluate_with(position, &WEIGHTS))
}

/// As [`evaluate`] with other weights, in centipawns.
#[inline(always)]
pub fn evaluate_with(position: &Position, weights: &Weights) -> i32 {
    let white = Side::new(position, Color::White, weights);
    let black = Side::new(position, Color::Black, weights);
    let mut balance =
        side_terms(position, &white, &black, weights) - side_terms(position, &black, &white, weights);
    if !position.is_bare(position.turn()) {
        balance = if position.turn().is_white() { balance + weights.tempo } else { balance - weights.tempo };
    }
    let raw = balance.mix(phase(position));
    let scaled = raw * scale(position, raw) / SCALE_ONE;
    if position.turn().is_white() { scaled } else { -scaled }
}

/// How much of the middlegame is left, 0 to [`PHASE_ALL`].
fn phase(position: &Position) -> i32 {
    let weigh = |role: Role| PHASE[role.index()] * position.by_role(role).count() as i32;
    Role::ALL.into_iter().map(weigh).sum::<i32>().min(PHASE_ALL)
}

fn side_terms(position: &Position, us: &Side, them: &Side, weights: &Weights) -> Tapered {
    men_terms(position, us, them, weights)
        + passed_pawn_terms(position, us, them, weights)
        + threat_terms(position, us, them, weights)
        + king_attack_terms(us, them, weights)
        + mop_up_terms(position, us, them, weights)
}

/// Material, places and mobility.
fn men_terms(position: &Position, us: &Side, them: &Side, weights: &Weights) -> Tapered {
    let mut sum = us.rook_terms;
    let own = position.by_color(us.color);
    for role in Role::ALL {
        let places = weights.place[role.index()].as_flattened();
        for square in position.pieces(us.color, role) {
            sum = sum + places[usize::from(PLACE_INDEX[us.color.index()][square.index()])];
        }
    }
    let safe = !(own | them.pawn_attacks);
    for knight in position.pieces(us.color, Role::Knight) {
        sum = sum + weights.knight_mobility * ((knight_attacks(knight) & safe).count() as i32 - 4);
    }
    sum = sum + weights.defended_pawn * (us.pawns & us.pawn_attacks).count() as i32;
    sum + weights.defended_man * (own & us.pawn_attacks).minus(us.pawns).count() as i32
}

/// All squares ahead of a set, on its files.
fn fill_forward(set: Bitboard, color: Color) -> Bitboard {
    let mut fill = set.forward(color);
    fill |= fill.forward(color);
    fill |= fill.forward(color).forward(color);
    fill | fill.forward(color).forward(color).forward(color).forward(color)
}

fn passed_pawn_terms(position: &Position, us: &Side, them: &Side, weights: &Weights) -> Tapered {
    let ahead = fill_forward(them.pawns, them.color);
    let stopped = ahead | ahead.east() | ahead.west() | them.pawns;
    let mut sum = Tapered::ZERO;
    for pawn in us.pawns.minus(stopped) {
        // The file ahead must be free of own pawns too: the rear one of two is not counted.
        if (fill_forward(Bitboard::of(pawn), us.color) & us.pawns).any() {
            continue;
        }
        let rank = pawn.rank().relative_to(us.color).index();
        let Some(next) = Bitboard::of(pawn).forward(us.color).first() else { continue };
        let goal = Square::new(pawn.file(), Rank::Eighth.relative_to(us.color));
        let steps = 7 - rank as i32;
        sum = sum + weights.passed[rank];
        sum = sum
            + weights.passed_kings
                * (them.king.distance(next) as i32 - us.king.distance(next) as i32)
                * rank as i32;
        if position.occupied().contains(next) {
            sum = sum + weights.passed_blocked * rank as i32;
        }
        let to_move = i32::from(position.turn() != us.color);
        if position.is_bare(them.color) && (them.king.distance(goal) as i32) > steps + to_move {
            sum = sum + weights.passed_runs;
        }
    }
    sum
}

fn threat_terms(position: &Position, us: &Side, them: &Side, weights: &Weights) -> Tapered {
    let enemies = position.by_color(them.color);
    let men = enemies.minus(them.pawns).without(them.king);
    let rooks = enemies & position.by_role(Role::Rook);
    let loose = enemies.minus(them.attacks()).without(them.king);
    weights.threat_by_pawn * (men & us.pawn_attacks).count() as i32
        + weights.threat_on_rook * (rooks & us.minor_attacks).count() as i32
        + weights.threat_on_loose * (loose & us.attacks()).count() as i32
}

fn king_attack_terms(us: &Side, them: &Side, weights: &Weights) -> Tapered {
    let ring = king_attacks(them.king).with(them.king);
    let weigh = |attacks: Bitboard, weight: i32| weight * (ring & attacks).count() as i32;
    let undefended = ring.minus(them.attacks());
    let units = weigh(us.pawn_attacks, 1)
        + weigh(us.minor_attacks, 2)
        + weigh(us.rook_attacks, 3)
        + 2 * (undefended & us.attacks()).count() as i32;
    weights.king_attack * (units * units / 8).min(KING_ATTACK_MOST)
}

/// Against a bare king: to the edge with it, and the own king near.
fn mop_up_terms(position: &Position, us: &Side, them: &Side, weights: &Weights) -> Tapered {
    if !position.is_bare(them.color) || us.pawns.any() {
        return Tapered::ZERO;
    }
    let (file, rank) = (them.king.file().index() as i32, them.king.rank().index() as i32);
    let from_centre =
        (2 * file - 7).abs().max((2 * rank - 7).abs()) + ((2 * file - 7).abs() + (2 * rank - 7).abs()) / 2;
    let mut sum =
        weights.mop_up_edge * from_centre + weights.mop_up_king * (7 - us.king.distance(them.king) as i32);
    for man in position.by_color(us.color).minus(position.by_role(Role::Rook)).without(us.king) {
        sum = sum + weights.mop_up_man * (7 - man.distance(them.king) as i32);
    }
    sum
}

/// How much of a score is worth believing, of [`SCALE_ONE`]: less where the stronger side can hardly mate,
/// and the nearer a draw by the clock or the count is.
fn scale(position: &Position, white_score: i32) -> i32 {
    let strong = if white_score > 0 { Color::White } else { Color::Black };
    let of = |role| position.pieces(strong, role).count() as i32;
    let mut scale = SCALE_ONE;
    if of(Role::Pawn) == 0 && of(Role::Rook) == 0 {
        scale = match (of(Role::Khon), of(Role::Knight), of(Role::Met)) {
            (0, 0, _) => SCALE_ONE / 32,
            (0, knights, mets) if knights + mets < 3 => SCALE_ONE / 16,
            (1, 0, 0) => SCALE_ONE / 32,
            _ => SCALE_ONE,
        };
    }
    faded(position, scale)
}
