//! Fast answers about moves against the plain ones, and kept state against state from scratch.

use std::collections::HashSet;

use makara_engine::{Bitboard, Color, Move, MoveList, Position, PromotionRule, Role, Square, Stage};

use crate::{perft_fens, position};

fn every_move() -> Vec<Move> {
    let mut moves = Vec::new();
    for from in Square::ALL {
        for to in Square::ALL {
            moves.extend(Move::new(from, to));
            moves.extend(Role::PROMOTIONS.into_iter().filter_map(|role| Move::promotion(from, to, role)));
        }
    }
    moves
}

#[test]
fn legality_agrees_with_generation() {
    let every_move = every_move();
    for rule in [PromotionRule::Any, PromotionRule::Met] {
        for fen in perft_fens() {
            let position = Position::from_fen(fen, rule).expect(fen);
            let legal: HashSet<Move> = position.legal_moves().into_iter().collect();
            assert_eq!(legal.len(), position.legal_moves().len(), "{fen}: a move twice");
            assert_eq!(legal.len(), position.legal_move_count(), "{fen}");
            assert_eq!(legal.is_empty(), !position.has_legal_move(), "{fen}");
            for &mv in &every_move {
                assert_eq!(position.is_legal(mv), legal.contains(&mv), "{fen} {mv}");
                assert!(position.is_pseudo_legal(mv) || !legal.contains(&mv), "{fen} {mv}");
            }
        }
    }
}

/// A move is pseudo-legal and not legal just when it leaves the own king attacked.
#[test]
fn pseudo_legal_moves_fail_only_by_the_king() {
    let every_move = every_move();
    let mut failed = 0;
    for fen in perft_fens() {
        let position = position(fen);
        let us = position.turn();
        for &mv in every_move.iter().filter(|&&mv| position.is_pseudo_legal(mv)) {
            if position.role_at(mv.to()) == Some(Role::King) {
                panic!("{fen}: {mv} takes a king");
            }
            let next = position.after(mv);
            let exposed = next.attacked_by(!us, next.occupied()).contains(next.king(us));
            assert_eq!(position.is_legal(mv), !exposed, "{fen} {mv}");
            failed += usize::from(exposed);
        }
    }
    assert!(failed > 100, "only {failed} exposed kings");
}

#[test]
fn stages_part_the_moves() {
    for rule in [PromotionRule::Any, PromotionRule::Met] {
        for fen in perft_fens() {
            let position = Position::from_fen(fen, rule).expect(fen);
            let generate = |stage| {
                let mut list = MoveList::new();
                position.generate(stage, &mut list);
                list
            };
            let (noisy, quiet) = (generate(Stage::Noisy), generate(Stage::Quiet));
            let is_noisy = |mv: &Move| position.piece_at(mv.to()).is_some() || mv.is_promotion();
            assert!(noisy.iter().all(is_noisy), "{fen}");
            assert!(!quiet.iter().any(is_noisy), "{fen}");
            assert_eq!(noisy.len() + quiet.len(), position.legal_move_count(), "{fen}");
        }
    }
}

#[test]
fn checks_are_foreseen() {
    let mut checks = 0;
    for fen in perft_fens() {
        let position = position(fen);
        let squares = position.check_squares(!position.turn());
        for mv in position.legal_moves() {
            let next = position.after(mv);
            assert_eq!(position.gives_check(mv), next.in_check(), "{fen} {mv}");
            checks += usize::from(next.in_check());
            let role = position.role_at(mv.from()).expect("a man");
            if !mv.is_promotion() && squares[role.index()].contains(mv.to()) {
                assert!(next.in_check(), "{fen} {mv}");
            }
        }
    }
    assert!(checks > 200, "only {checks} checks");
}

/// What `Position` keeps up to date, found again by looking at each man.
fn assert_state_fits(position: &Position) {
    let (us, occupied) = (position.turn(), position.occupied());
    let king = position.king(us);
    let mut threats = Bitboard::EMPTY;
    let mut checkers = Bitboard::EMPTY;
    for from in position.by_color(!us) {
        let role = position.role_at(from).expect("a man");
        threats |= makara_engine::attacks::attacks(!us, role, from, occupied.without(king));
        if makara_engine::attacks::attacks(!us, role, from, occupied).contains(king) {
            checkers = checkers.with(from);
        }
    }
    assert_eq!(position.threats(), threats, "{position}");
    assert_eq!(position.checkers(), checkers, "{position}");
    // A man is pinned when the king is attacked by a rook without it, and not with it.
    let rook_checks = |occupied: Bitboard| {
        (makara_engine::attacks::rook_attacks(king, occupied) & position.pieces(!us, Role::Rook)).count()
    };
    let pinned: Bitboard = position
        .by_color(us)
        .into_iter()
        .filter(|&man| man != king && rook_checks(occupied.without(man)) > rook_checks(occupied))
        .collect();
    assert_eq!(position.pinned(), pinned, "{position}");

    let rebuilt = Position::from_setup(&position.to_setup(), position.promotion_rule()).expect("possible");
    // FEN has no place for the clock beside a count; all else must be equal.
    if position.count().is_none() {
        assert_eq!(*position, rebuilt);
    }
    assert_eq!(position.to_setup(), rebuilt.to_setup());
    assert_eq!(position.key(), rebuilt.key(), "{position}");
    assert_eq!(position.pawn_key(), rebuilt.pawn_key(), "{position}");
    for color in Color::ALL {
        assert_eq!(position.pieces_key(color), rebuilt.pieces_key(color), "{position}");
    }
    assert_eq!((position.threats(), position.checkers()), (rebuilt.threats(), rebuilt.checkers()));
    assert_eq!((position.pinned(), position.count()), (rebuilt.pinned(), rebuilt.count()));
}

fn assert_tree_fits(position: &Position, depth: u32) {
    assert_state_fits(position);
    if depth > 0 {
        for mv in position.legal_moves() {
            assert_tree_fits(&position.after(mv), depth - 1);
        }
        if !position.in_check() {
            assert_tree_fits(&position.after_null(), depth - 1);
        }
    }
}

#[test]
fn kept_state_equals_state_from_scratch() {
    for fen in perft_fens() {
        let position = position(fen);
        let depth = if position.legal_move_count() < 15 { 3 } else { 2 };
        assert_tree_fits(&position, depth);
    }
    assert_tree_fits(&position("4k3/P7/8/8/8/8/8/R3K3 w - - 0 1"), 4);
    assert_tree_fits(&position("8/8/8/8/8/2k5/1R6/4K2N b - 32 4 1"), 4);
}

/// The keys of a whole tree are as many as its positions.
#[test]
fn keys_do_not_collide() {
    let mut seen = std::collections::HashMap::new();
    let mut walk = vec![(Position::default(), 3)];
    while let Some((position, depth)) = walk.pop() {
        let setup = position.to_setup();
        let known = seen.entry(position.key()).or_insert((setup.board, setup.turn));
        assert_eq!(*known, (setup.board, setup.turn));
        if depth > 0 {
            walk.extend(position.legal_moves().into_iter().map(|mv| (position.after(mv), depth - 1)));
        }
    }
    assert!(seen.len() > 5000, "only {} positions", seen.len());
}

#[test]
fn equal_positions_hash_alike() {
    let fens = [
        "4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/R3K3 b - - 0 1",
        "4k3/8/8/8/8/8/8/R3K3 w - - 1 1",
    ];
    let set: HashSet<Position> = fens.iter().chain(&fens).map(|fen| position(fen)).collect();
    assert_eq!(set.len(), 3);
}

/// The list by reference, by value and as a slice is the same, and is emptied.
#[test]
fn move_lists() {
    let mut list = Position::default().legal_moves();
    assert_eq!(list.len(), 23);
    assert_eq!(
        (&list).into_iter().copied().collect::<Vec<_>>(),
        list.clone().into_iter().collect::<Vec<_>>()
    );
    assert_eq!(list.clone().into_iter().len(), 23);
    list.clear();
    assert!(list.is_empty() && list.into_iter().next().is_none());
}

/// `can_move_to` knows the quiet moves that can be taken back, and only those.
#[test]
fn moves_back_are_seen_by_key() {
    let (mut seen, mut unseen) = (0, 0);
    for fen in perft_fens() {
        let position = position(fen);
        for mv in position.legal_moves() {
            let next = position.after(mv);
            if position.count() == next.count() || position.count().is_some() {
                assert_eq!(position.search_key_after(mv), next.search_key(), "{fen} {mv}");
            }
            let role = position.role_at(mv.from()).expect("a man");
            let back = makara_engine::attacks::attacks(position.turn(), role, mv.to(), next.occupied());
            let reversible =
                role != Role::Pawn && position.piece_at(mv.to()).is_none() && back.contains(mv.from());
            assert_eq!(position.can_move_to(next.key()), reversible, "{fen} {mv}");
            seen += usize::from(reversible);
            unseen += usize::from(!reversible);
        }
        assert!(!position.can_move_to(position.key()));
    }
    assert!(seen > 3000 && unseen > 1000, "{seen} seen, {unseen} not");
}
