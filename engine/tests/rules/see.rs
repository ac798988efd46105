//! Static exchange evaluation against plain recursion over all exchanges.

use makara_engine::attacks::attacks;
use makara_engine::{Bitboard, Color, Move, Position, Role, RoleValues, Stage};

use crate::{perft_fens, position};

const VALUES: RoleValues = [100, 180, 270, 350, 600, 0];

/// What the side wins that may capture the man of worth `at_stake` on the square, or nothing.
fn exchange(
    position: &Position,
    square: makara_engine::Square,
    occupied: Bitboard,
    side: Color,
    at_stake: i32,
) -> i32 {
    let attackers = |color: Color, occupied: Bitboard| -> Vec<(Role, makara_engine::Square)> {
        let men = (position.by_color(color) & occupied).without(square);
        let mut found: Vec<_> = men
            .into_iter()
            .filter_map(|from| Some((position.role_at(from)?, from)))
            .filter(|&(role, from)| attacks(color, role, from, occupied).contains(square))
            .collect();
        found.sort();
        found
    };
    let Some(&(role, from)) = attackers(side, occupied).first() else { return 0 };
    let rest = occupied.without(from);
    if role == Role::King && !attackers(!side, rest).is_empty() {
        return 0;
    }
    (at_stake - exchange(position, square, rest, !side, VALUES[role.index()])).max(0)
}

fn value(position: &Position, mv: Move) -> i32 {
    let worth = |role: Role| VALUES[role.index()];
    let moving = worth(position.role_at(mv.from()).expect("a man"));
    let stands = mv.promoted().map_or(moving, worth);
    let captured = position.role_at(mv.to()).map_or(0, worth);
    let occupied = position.occupied().without(mv.from()).with(mv.to());
    captured + stands - moving - exchange(position, mv.to(), occupied, !position.turn(), stands)
}

#[test]
fn equals_the_exchange_by_recursion() {
    let mut checked = 0;
    for fen in perft_fens() {
        let position = position(fen);
        for mv in position.legal_moves() {
            let next = position.after(mv);
            for (position, mv) in
                std::iter::once((position, mv)).chain(next.legal_moves().into_iter().map(|mv| (next, mv)))
            {
                let value = value(&position, mv);
                assert!(position.see_at_least(mv, value, &VALUES), "{position} {mv} {value}");
                assert!(!position.see_at_least(mv, value + 1, &VALUES), "{position} {mv} {value}");
                checked += 1;
            }
        }
    }
    assert!(checked > 100_000, "only {checked} moves");
}

#[test]
fn known_exchanges() {
    for (fen, uci, value) in [
        // A free man, a defended one, and a rook behind a rook.
        ("4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1", "d1d5", 350),
        ("4k3/8/2p5/3n4/8/8/8/3RK3 w - - 0 1", "d1d5", 350 - 600),
        ("3rk3/3r4/8/3n4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 350 - 600),
        ("3rk3/8/8/3n4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 350),
        // The king captures what is free, and may not capture what is defended.
        ("8/8/8/3nk3/8/8/8/3RK3 w - - 0 1", "d1d5", 350 - 600),
        ("8/8/8/3nk3/8/8/3R4/3RK3 w - - 0 1", "d2d5", 350),
        // A promotion wins the difference, and loses it with the man.
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8r", 500),
        ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8r", -100),
        ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8r", 600 + 500),
        // A quiet move onto an attacked square.
        ("4k3/8/2p5/8/3N4/8/8/4K3 w - - 0 1", "d4b5", -350),
    ] {
        let position = position(fen);
        let mv = position.parse_uci(uci).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert!(position.see_at_least(mv, value, &VALUES), "{fen} {uci}");
        assert!(!position.see_at_least(mv, value + 1, &VALUES), "{fen} {uci}");
    }
}

#[test]
fn a_capture_of_the_better_man_never_loses() {
    for fen in perft_fens() {
        let position = position(fen);
        let mut captures = makara_engine::MoveList::new();
        position.generate(Stage::Noisy, &mut captures);
        for mv in captures {
            let worth = |square| position.role_at(square).map_or(0, |role| VALUES[role.index()]);
            if worth(mv.to()) >= worth(mv.from()) && position.role_at(mv.from()) != Some(Role::King) {
                assert!(position.see_at_least(mv, 0, &VALUES), "{fen} {mv}");
            }
        }
    }
}
