//! Where men attack. All tables are made at compile time.
//!
//! A khon and a pawn look different from their owner's side, so a reverse look-up ("who attacks this
//! square?") uses the pattern of the other colour: see [`attackers_pattern`].

mod rook;

pub use rook::rook_attacks;

use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::role::Role;
use crate::square::Square;

type Table = [Bitboard; 64];

const fn leaper_table(steps: &[(i8, i8)]) -> Table {
    let mut table = [Bitboard::EMPTY; 64];
    let mut from = 0;
    while from < 64 {
        let mut i = 0;
        while i < steps.len() {
            if let Some(to) = Square::ALL[from].offset(steps[i].0, steps[i].1) {
                table[from] = table[from].with(to);
            }
            i += 1;
        }
        from += 1;
    }
    table
}

static PAWN: [Table; 2] = [leaper_table(&[(-1, 1), (1, 1)]), leaper_table(&[(-1, -1), (1, -1)])];
static MET: Table = leaper_table(&[(-1, -1), (-1, 1), (1, -1), (1, 1)]);
static KHON: [Table; 2] = [
    leaper_table(&[(-1, -1), (-1, 1), (1, -1), (1, 1), (0, 1)]),
    leaper_table(&[(-1, -1), (-1, 1), (1, -1), (1, 1), (0, -1)]),
];
static KNIGHT: Table =
    leaper_table(&[(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)]);
static KING: Table = leaper_table(&[(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]);

/// The squares that a pawn attacks: one step diagonally forward.
#[inline]
pub fn pawn_attacks(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// The squares that a met attacks.
#[inline]
pub fn met_attacks(square: Square) -> Bitboard {
    MET[square.index()]
}

/// The squares that a khon of this colour attacks.
#[inline]
pub fn khon_attacks(color: Color, square: Square) -> Bitboard {
    KHON[color.index()][square.index()]
}

/// The squares that a knight attacks.
#[inline]
pub fn knight_attacks(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// The squares that a king attacks.
#[inline]
pub fn king_attacks(square: Square) -> Bitboard {
    KING[square.index()]
}

/// The squares that any man attacks from a square, its own men's squares included.
#[inline]
pub fn attacks(color: Color, role: Role, square: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => pawn_attacks(color, square),
        Role::Met => met_attacks(square),
        Role::Khon => khon_attacks(color, square),
        Role::Knight => knight_attacks(square),
        Role::Rook => rook_attacks(square, occupied),
        Role::King => king_attacks(square),
    }
}

/// The squares from which a man of this colour and role attacks `target`.
#[inline]
pub fn attackers_pattern(color: Color, role: Role, target: Square, occupied: Bitboard) -> Bitboard {
    attacks(!color, role, target, occupied)
}

/// The squares strictly between two that share a file or a rank; nothing for other pairs.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    if a.file() != b.file() && a.rank() != b.rank() {
        return Bitboard::EMPTY;
    }
    rook_attacks(a, Bitboard::of(b)) & rook_attacks(b, Bitboard::of(a))
}

/// Attacks of whole sets at once, by shifting them.
pub mod sets {
    use crate::bitboard::Bitboard;
    use crate::color::Color;

    /// All squares one step diagonally forward of the set.
    #[inline]
    pub fn pawn_attacks(color: Color, pawns: Bitboard) -> Bitboard {
        let ahead = pawns.forward(color);
        ahead.east() | ahead.west()
    }

    /// All squares one step diagonally from the set.
    #[inline]
    pub fn met_attacks(mets: Bitboard) -> Bitboard {
        let sides = mets.east() | mets.west();
        sides.north() | sides.south()
    }

    /// All squares that khons of this colour attack.
    #[inline]
    pub fn khon_attacks(color: Color, khons: Bitboard) -> Bitboard {
        met_attacks(khons) | khons.forward(color)
    }

    /// All squares a knight's leap from the set.
    #[inline]
    pub fn knight_attacks(knights: Bitboard) -> Bitboard {
        let near = knights.east() | knights.west();
        let far = knights.east().east() | knights.west().west();
        near.north().north() | near.south().south() | far.north() | far.south()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(names: &str) -> Bitboard {
        names.split_whitespace().map(|name| name.parse::<Square>().expect("a square")).collect()
    }

    #[test]
    fn khon_steps_towards_its_far_side() {
        assert_eq!(khon_attacks(Color::White, Square::D4), squares("c5 d5 e5 c3 e3"));
        assert_eq!(khon_attacks(Color::Black, Square::D5), squares("c4 d4 e4 c6 e6"));
    }

    #[test]
    fn reverse_pattern_finds_the_attackers() {
        for color in Color::ALL {
            for role in Role::ALL {
                for target in Square::ALL {
                    let pattern = attackers_pattern(color, role, target, Bitboard::EMPTY);
                    for from in Square::ALL {
                        let attacked = attacks(color, role, from, Bitboard::EMPTY).contains(target);
                        assert_eq!(pattern.contains(from), attacked);
                    }
                }
            }
        }
    }

    #[test]
    fn sets_equal_single_squares() {
        let mut set = Bitboard(0x9e37_79b9_7f4a_7c15);
        for _ in 0..1000 {
            set = Bitboard(set.0.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1));
            let union = |attacks: &dyn Fn(Square) -> Bitboard| {
                set.into_iter().fold(Bitboard::EMPTY, |all, square| all | attacks(square))
            };
            for color in Color::ALL {
                assert_eq!(sets::pawn_attacks(color, set), union(&|s| pawn_attacks(color, s)));
                assert_eq!(sets::khon_attacks(color, set), union(&|s| khon_attacks(color, s)));
            }
            assert_eq!(sets::met_attacks(set), union(&met_attacks));
            assert_eq!(sets::knight_attacks(set), union(&knight_attacks));
        }
    }

    #[test]
    fn between_is_open_and_straight() {
        assert_eq!(between(Square::A1, Square::A4), squares("a2 a3"));
        assert_eq!(between(Square::H5, Square::E5), squares("f5 g5"));
        assert_eq!(between(Square::A1, Square::A2), Bitboard::EMPTY);
        assert_eq!(between(Square::A1, Square::C3), Bitboard::EMPTY);
    }
}
