//! Dead positions and claims.

use makara_engine::{Claim, Game, Outcome};

use crate::position;

#[test]
fn dead_by_material_and_nothing_else() {
    let (mut dead, mut alive) = (0, 0);
    for line in include_str!("../../../tests/data/dead.csv").lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let position = position(fields[0]);
        match fields[2] {
            "material" => {
                assert!(position.is_dead(), "{line}");
                dead += 1;
            }
            "-" => {
                assert_eq!(fields[1], "0", "{line}");
                assert!(!position.is_dead(), "{line}");
                alive += 1;
            }
            // Dead because the play is forced: need not be recognised.
            kind => assert_eq!(kind, "forced", "{line}"),
        }
    }
    assert!(dead >= 90 && alive >= 590, "{dead} dead, {alive} alive");
}

#[test]
fn classes_of_dead_positions() {
    for (men, dead) in [
        ("4k3/8/8/8/8/8/8/4K3", true),
        ("4k3/8/8/8/8/8/8/N3K3", true),
        ("n3k3/8/8/8/8/8/8/4K3", true),
        ("4k3/8/8/8/8/8/8/Q3K3", true),
        ("4k3/8/8/8/1q6/8/8/Q1Q1K3", true),
        ("4k3/8/8/8/8/8/8/QQ2K3", false),
        ("4k3/8/8/8/8/8/8/Qq2K3", false),
        ("4k3/8/8/8/8/8/8/NN2K3", false),
        ("n3k3/8/8/8/8/8/8/N3K3", false),
        ("4k3/8/8/8/8/8/8/NQ2K3", false),
        ("q3k3/8/8/8/8/8/8/N3K3", false),
        ("4k3/8/8/8/8/8/8/B3K3", false),
        ("4k3/8/8/8/8/8/8/R3K3", false),
        ("4k3/8/8/8/8/8/P7/4K3", false),
    ] {
        let position = position(&format!("{men} w - - 0 1"));
        assert_eq!(position.is_dead(), dead, "{men}");
        assert_eq!(position.outcome(), dead.then_some(Outcome::DeadPosition), "{men}");
    }
}

fn play(game: &mut Game, moves: &str) {
    for uci in moves.split_whitespace() {
        let mv = game.position().parse_uci(uci).unwrap_or_else(|error| panic!("{error}"));
        game.play(mv).expect("legal");
    }
}

const SHUFFLE: &str = "b1d2 b8d7 d2b1 d7b8";

#[test]
fn threefold_is_a_claim_and_the_game_goes_on() {
    let mut game = Game::default();
    assert_eq!(game.repetitions(), 1);
    play(&mut game, SHUFFLE);
    assert_eq!((game.repetitions(), game.claim()), (2, None));
    play(&mut game, SHUFFLE);
    assert_eq!((game.repetitions(), game.claim(), game.outcome()), (3, Some(Claim::Threefold), None));
    play(&mut game, "b1d2");
    assert_eq!((game.repetitions(), game.claim()), (3, Some(Claim::Threefold)));
    play(&mut game, "a6a5");
    assert_eq!((game.repetitions(), game.claim()), (1, None));
}

#[test]
fn undo_takes_a_repetition_back() {
    let mut game = Game::default();
    play(&mut game, SHUFFLE);
    play(&mut game, SHUFFLE);
    let position = *game.position();
    assert_eq!(game.undo().map(|mv| mv.to_string()), Some("d7b8".into()));
    assert_eq!((game.repetitions(), game.claim()), (2, None));
    play(&mut game, "d7b8");
    assert_eq!(*game.position(), position);
    assert_eq!(game.claim(), Some(Claim::Threefold));
    while game.undo().is_some() {}
    assert_eq!((game.position(), game.moves().len()), (game.start(), 0));
    assert_eq!(game.undo(), None);
}

/// A repetition compares the men and the side to move, as every claim of the reference games does: neither
/// the running number nor the start of a count makes a position another one.
#[test]
fn repetition_and_the_count() {
    let mut game = Game::new(position("8/8/8/8/2k5/8/8/R3K3 w - - 0 1"));
    play(&mut game, "a1a2 c4c5 a2a1 c5c4");
    assert_eq!(game.repetitions(), 2, "the count started after the first position");
    play(&mut game, "a1a2 c4c5 a2a1 c5c4");
    assert_eq!((game.repetitions(), game.claim()), (3, Some(Claim::Threefold)));
    assert_eq!(game.position().to_fen(), "8/8/8/8/2k5/8/8/R3K3 w - 32 7 5");
}

/// The start's clock says how far back plies were reversible, but the game knows only its own.
#[test]
fn a_clock_from_a_fen_reaches_back_to_the_start_only() {
    let mut game = Game::new(position("4k2n/8/8/8/8/8/R7/4K3 w - - 50 40"));
    assert_eq!(game.reversible_keys().count(), 0);
    play(&mut game, "a2a3 h8g6 a3a2 g6h8");
    assert_eq!((game.repetitions(), game.reversible_keys().count()), (2, 4));
    assert_eq!(game.position().clock(), 54);
}

#[test]
fn fifty_moves_is_a_claim_that_a_capture_ends() {
    let mut game = Game::new(position("4k2n/8/8/8/8/8/R6P/4K3 w - - 98 80"));
    play(&mut game, "a2a3");
    assert_eq!(game.claim(), None);
    play(&mut game, "h8g6");
    assert_eq!((game.claim(), game.outcome()), (Some(Claim::FiftyMoves), None));
    play(&mut game, "e1e2 g6h8");
    assert_eq!(game.claim(), Some(Claim::FiftyMoves));
    play(&mut game, "h2h3");
    assert_eq!(game.claim(), None);
}

#[test]
fn the_fifty_move_clock_runs_beside_a_count() {
    let mut game = Game::new(position("8/8/8/4k3/8/8/8/B3K3 w - - 90 80"));
    play(&mut game, "e1e2 e5e6 e2e1 e6e5 e1e2 e5e6 e2d1 e6e7");
    assert_eq!(game.claim(), None);
    play(&mut game, "d1e1 e7f7");
    assert_eq!((game.position().clock(), game.claim()), (100, Some(Claim::FiftyMoves)));
    assert_eq!(game.position().to_fen(), "8/5k2/8/8/8/8/8/B3K3 w - 88 9 85");
}

#[test]
fn illegal_moves_change_nothing() {
    let mut game = Game::default();
    for text in ["a3a5", "e1e3", "a6a5", "d1d2", "a3b4", "a3a4r", "e4e5"] {
        let mv = text.parse().expect("coordinates");
        assert_eq!(game.play(mv).map_err(|error| error.to_string()), Err(format!("illegal move: {text}")));
    }
    assert_eq!(game.position(), game.start());
}

#[test]
fn results_and_names() {
    let game = |fen| Game::new(position(fen));
    let mate = game("R6k/8/6K1/8/8/8/8/8 b - - 0 1").outcome().expect("mate");
    assert_eq!((mate.result(), mate.to_string()), ("1-0", "checkmate".into()));
    let mate = game("r6K/8/6k1/8/8/8/8/8 w - - 0 1").outcome().expect("mate");
    assert_eq!((mate.result(), mate.winner().map(|color| color.to_string())), ("0-1", Some("black".into())));
    assert_eq!(Outcome::Stalemate.result(), "1/2-1/2");
}
