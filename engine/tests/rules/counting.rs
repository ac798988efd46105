//! The counting rule: FEN, moves, full FEN after them.

use makara_engine::{Count, CountLimit, Game, Outcome, Position};

use crate::position;

fn play(fen: &str, moves: &str) -> Game {
    let mut game = Game::new(position(fen));
    for uci in moves.split_whitespace() {
        let mv = game.position().parse_uci(uci).unwrap_or_else(|error| panic!("{fen}: {error}"));
        game.play(mv).expect("legal");
    }
    game
}

#[test]
fn positions_after_moves() {
    for (fen, moves, after) in [
        // It starts with the bare king to move, and the strongest man decides.
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a2", "4k3/8/8/8/8/8/R7/4K3 b - 32 0 1"),
        ("4k3/8/8/8/8/8/8/RB2K3 w - - 5 9", "e1e2", "4k3/8/8/8/8/8/4K3/RB6 b - 32 0 9"),
        ("4k3/8/8/8/8/8/8/1BN1K3 w - - 0 1", "e1e2", "4k3/8/8/8/8/8/4K3/1BN5 b - 88 0 1"),
        ("4k3/8/8/8/8/8/8/1N1QK3 w - - 0 1", "e1e2", "4k3/8/8/8/8/8/4K3/1N1Q4 b - 128 0 1"),
        ("4k3/8/8/8/8/8/8/2QQK3 w - - 3 1", "e1e2", "4k3/8/8/8/8/8/4K3/2QQ4 b - - 4 1"),
        ("r3k3/8/8/8/8/8/8/4K3 b - - 0 1", "a8a7", "4k3/r7/8/8/8/8/8/4K3 w - 32 0 2"),
        // A FEN without a count has none, so it starts one full move later.
        ("4k3/8/8/8/8/8/8/R3K3 b - - 0 1", "e8d8", "3k4/8/8/8/8/8/8/R3K3 w - - 1 2"),
        ("4k3/8/8/8/8/8/8/R3K3 b - - 0 1", "e8d8 a1a2", "3k4/8/8/8/8/8/R7/4K3 b - 32 0 2"),
        ("4k3/8/8/8/8/8/8/R3K3 b - 0 7 1", "e8d8", "3k4/8/8/8/8/8/8/R3K3 w - - 8 2"),
        // Every ply adds one, and a capture by the bare king changes nothing.
        ("4k3/8/8/8/8/8/R7/4K3 b - 32 0 1", "e8d8 a2a3", "3k4/8/8/8/8/R7/8/4K3 b - 32 2 2"),
        ("8/8/8/8/8/2k5/1R6/4K2N b - 32 4 1", "c3b2", "8/8/8/8/8/8/1k6/4K2N w - 32 5 2"),
        ("8/8/8/8/8/2k5/1R6/4K3 b - 32 4 1", "c3b2", "8/8/8/8/8/8/1k6/4K3 w - 32 5 2"),
        // Pawns on the board: nothing starts. The last pawn's capture or promotion starts it.
        ("4k3/8/8/8/8/8/P7/R3K3 w - - 0 1", "a1b1", "4k3/8/8/8/8/8/P7/1R2K3 b - - 1 1"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8r", "R3k3/8/8/8/8/8/8/4K3 b - 32 0 1"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8b", "B3k3/8/8/8/8/8/8/4K3 b - 88 0 1"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", "N3k3/8/8/8/8/8/8/4K3 b - 128 0 1"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", "Q3k3/8/8/8/8/8/8/4K3 b - - 0 1"),
        ("4k3/8/8/8/8/8/p7/R3K3 w - - 0 1", "a1a2", "4k3/8/8/8/8/8/R7/4K3 b - 32 0 1"),
        ("4k3/8/8/8/8/8/r7/R3K3 w - - 9 4", "a1a2", "4k3/8/8/8/8/8/R7/4K3 b - 32 0 4"),
        ("4k3/8/8/P7/1p6/8/8/R3K3 w - - 0 1", "a5a6 b4b3", "4k3/8/P7/8/8/1p6/8/R3K3 w - - 0 2"),
        // The bare king takes the last pawn: the count starts only when it is to move again.
        ("8/8/8/8/8/4k3/4P3/R5K1 b - - 0 1", "e3e2", "8/8/8/8/8/8/4k3/R5K1 w - - 0 2"),
        ("8/8/8/8/8/4k3/4P3/R5K1 b - - 0 1", "e3e2 a1a2", "8/8/8/8/8/8/R3k3/6K1 b - 32 0 2"),
        // Both kings bare, and no king bare.
        ("8/8/8/8/8/8/1k6/4K3 w - - 0 1", "e1e2", "8/8/8/8/8/8/1k2K3/8 b - - 1 1"),
        ("4k2n/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a2", "4k2n/8/8/8/8/8/R7/4K3 b - - 1 1"),
        // A running count stands still for no capture of the attacker's either.
        ("8/8/8/8/8/2k5/1R6/4K2N b - 32 31 7", "c3b2 e1e2", "8/8/8/8/8/8/1k2K3/7N b - 32 33 8"),
    ] {
        assert_eq!(play(fen, moves).position().to_fen(), after, "{fen} {moves}");
    }
}

#[test]
fn draw_when_greater_than_the_limit() {
    for (limit, fen) in
        [(32, "8/8/8/4k3/8/8/8/R3K3"), (88, "8/8/8/4k3/8/8/8/B3K3"), (128, "8/8/8/4k3/8/8/8/N2QK3")]
    {
        let at = |plies| position(&format!("{fen} w - {limit} {plies} 60"));
        assert_eq!(at(limit).outcome(), None);
        assert_eq!(at(limit).count().and_then(Count::plies_left), Some(0));
        assert_eq!(at(limit + 1).outcome(), Some(Outcome::CountExpired));
        assert_eq!(at(limit + 1).count().and_then(Count::plies_left), None);
        // The engine may be told to go on.
        assert!(at(limit + 1).has_legal_move());
    }
    let game = play("8/8/8/4k3/8/8/8/R3K3 w - 32 31 60", "a1a2");
    assert_eq!(game.outcome(), None);
    let game = play("8/8/8/4k3/8/8/8/R3K3 w - 32 31 60", "a1a2 e5e6");
    assert_eq!((game.outcome(), game.claim()), (Some(Outcome::CountExpired), None));
    let game = play("8/8/8/4k3/8/8/8/R3K3 w - 32 31 60", "a1a2 e5e6 a2a3");
    assert_eq!(game.outcome(), Some(Outcome::CountExpired));
}

/// Mate on the last ply that the count allows wins, and so it does later: mate beats every draw.
#[test]
fn mate_beats_the_count_and_the_fifty_moves() {
    let white_wins = Some(Outcome::Checkmate { winner: makara_engine::Color::White });
    for plies in [30, 31, 32, 200] {
        let game = play(&format!("7k/R7/6K1/8/8/8/8/8 w - 32 {plies} 60"), "a7a8");
        assert_eq!(game.outcome(), white_wins, "{plies}");
    }
    let game = play("7k/R7/6K1/8/8/8/p7/8 w - - 99 60", "a7a8");
    assert_eq!((game.outcome(), game.claim()), (white_wins, None));
}

/// Stalemate, then the dead position, come before the count.
#[test]
fn precedence_of_draws() {
    let stalemate = position("7k/8/5NK1/8/8/8/8/8 b - 128 200 60");
    assert_eq!(stalemate.outcome(), Some(Outcome::Stalemate));
    let dead = position("4k3/8/8/8/8/8/8/N3K3 w - 128 200 60");
    assert_eq!(dead.outcome(), Some(Outcome::DeadPosition));
    let expired = position("4k3/8/8/8/8/8/8/NN2K3 w - 128 200 60");
    assert_eq!(expired.outcome(), Some(Outcome::CountExpired));
}

#[test]
fn null_moves_run_the_count_and_start_none() {
    let running = position("4k3/8/8/8/8/8/R7/4K3 b - 32 5 1").after_null();
    assert_eq!(running.count(), Some(Count { limit: CountLimit::Rook, plies: 6 }));
    let none = position("4k3/8/8/8/8/8/R7/4K3 w - - 5 1").after_null();
    assert_eq!((none.count(), none.clock()), (None, 6));
    assert_eq!(none.to_fen(), "4k3/8/8/8/8/8/R7/4K3 b - - 6 1");
}

#[test]
fn keys_tell_counts_apart() {
    let at = |fields: &str| position(&format!("4k3/8/8/8/8/8/R7/4K3 b - {fields} 1"));
    assert_eq!(at("32 0").key(), at("32 5").key());
    assert_eq!(at("32 0").key(), at("- 0").key());
    assert_ne!(at("32 0").search_key(), at("- 0").search_key());
    assert_ne!(at("32 4").search_key(), at("32 5").search_key());
    assert_eq!(at("32 40").search_key(), at("32 33").search_key());
    assert_eq!(at("- 0").search_key(), at("- 20").search_key());
    assert_ne!(at("- 98").search_key(), at("- 99").search_key());
    assert_eq!(at("- 100").search_key(), at("- 65535").search_key());
}

/// The largest counters that a FEN can hold do not overflow.
#[test]
fn huge_counters() {
    let fen = "4k3/8/8/8/8/8/R7/4K3 b - - 65535 4294967295";
    assert_eq!(position(fen).to_fen(), fen);
    assert_eq!(play(fen, "e8e7").position().to_fen(), "8/4k3/8/8/8/8/R7/4K3 w - - 65535 4294967295");
    let fen = "4k3/8/8/8/8/8/R7/4K3 b - 32 65535 4294967295";
    let game = play(fen, "e8e7 a2a1");
    assert_eq!(game.position().to_fen(), "8/4k3/8/8/8/8/8/R3K3 b - 32 65535 4294967295");
    assert_eq!(game.outcome(), Some(Outcome::CountExpired));
    assert!(position(fen).search_key() != Position::default().search_key());
}
