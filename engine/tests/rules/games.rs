//! Whole games of the reference: each FEN, each move's texts, how the game ended.

use makara_engine::{Claim, Game, Outcome};
use serde_json::Value;

use crate::position;

fn texts<'a>(record: &'a Value, key: &str) -> Vec<&'a str> {
    record[key].as_array().expect(key).iter().map(|text| text.as_str().expect(key)).collect()
}

#[test]
fn every_game_replays() {
    let mut games = 0;
    for line in include_str!("../../../tests/data/games.jsonl").lines() {
        let record: Value = serde_json::from_str(line).expect("JSON");
        let start = record["start_fen"].as_str().expect("a FEN");
        let mut game = Game::new(position(start));
        let (moves, sans, fens) = (texts(&record, "moves"), texts(&record, "sans"), texts(&record, "fens"));
        for ((uci, san), fen) in moves.iter().zip(&sans).zip(&fens) {
            assert_eq!(game.outcome(), None, "{start}: over before {uci}");
            let mv = game.position().parse_uci(uci).unwrap_or_else(|error| panic!("{start}: {error}"));
            assert_eq!(game.position().san(mv).to_string(), *san, "{start} {uci}");
            assert_eq!(game.position().parse_san(san), Ok(mv), "{start} {san}");
            game.play(mv).expect("legal");
            assert_eq!(game.position().to_fen(), *fen, "{start} after {uci}");
        }
        assert_eq!(moves.len(), fens.len());
        let outcome = game.outcome();
        match record["reason"].as_str().expect("a reason") {
            "checkmate" => assert!(matches!(outcome, Some(Outcome::Checkmate { .. })), "{start}"),
            "stalemate" => assert_eq!(outcome, Some(Outcome::Stalemate), "{start}"),
            "insufficient material" => assert_eq!(outcome, Some(Outcome::DeadPosition), "{start}"),
            "counting" => assert_eq!(outcome, Some(Outcome::CountExpired), "{start}"),
            "threefold repetition" => {
                assert_eq!((outcome, game.claim()), (None, Some(Claim::Threefold)), "{start}");
            }
            "fifty moves" => assert_eq!((outcome, game.claim()), (None, Some(Claim::FiftyMoves)), "{start}"),
            other => panic!("unknown reason {other}"),
        }
        let result = outcome.map_or("1/2-1/2", Outcome::result);
        assert_eq!(result, record["result"].as_str().expect("a result"), "{start}");
        games += 1;
    }
    assert_eq!(games, 255);
}
