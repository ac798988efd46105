//! The search through its public face.

use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, unbounded};
use makara_engine::{Game, Move, Position, PromotionRule};
use makara_search::{Clock, Event, Finished, Limits, Line, MAX_PLY, Outlook, Searcher};

/// Far more than any of these searches needs, even on a loaded machine.
const PATIENCE: Duration = Duration::from_secs(60);

const MANY_MOVES: &str = "R6R/3R4/1BN1N1K1/1R3R2/2R5/6R1/1R1BkQ2/R6R w - - 0 1";
const BARE_KINGS: &str = "8/8/4k3/8/8/4K3/8/8 w - - 0 1";
const MATE_IN_ONE: &str = "7k/1R6/8/8/8/8/8/R3K3 w - - 0 1";
const MATED: &str = "R6k/1R6/8/8/8/8/8/4K3 b - - 0 1";
const STALEMATE: &str = "k7/1R6/2K5/8/8/8/8/8 b - - 0 1";
const ONE_MOVE: &str = "k7/8/8/8/8/8/1r6/K7 w - - 0 1";

fn game(fen: &str) -> Game {
    Game::new(Position::from_fen(fen, PromotionRule::Any).expect(fen))
}

fn played(text: &str) -> Game {
    let mut game = Game::default();
    for text in text.split_whitespace() {
        let mv = game.position().parse_uci(text).expect(text);
        game.play(mv).expect("legal");
    }
    game
}

fn searcher() -> Searcher {
    Searcher::new().expect("a small table")
}

fn collect(events: &Receiver<Event>) -> (Vec<Line>, Finished) {
    let mut lines = Vec::new();
    loop {
        match events.recv_timeout(PATIENCE).expect("an answer in time") {
            Event::Line(line) => lines.push(line),
            Event::Finished(finished) => return (lines, finished),
            Event::CurrentMove { .. } => {}
        }
    }
}

fn run(searcher: &mut Searcher, game: &Game, limits: Limits) -> (Vec<Line>, Finished) {
    let (sender, receiver) = unbounded();
    searcher.start(game, limits, sender);
    let result = collect(&receiver);
    searcher.wait();
    result
}

/// The last line of a search.
fn last(searcher: &mut Searcher, game: &Game, limits: Limits) -> Line {
    let (mut lines, finished) = run(searcher, game, limits);
    let line = lines.pop().expect("a line before every answer");
    assert_eq!(line.pv.first(), finished.best.as_ref());
    line
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// Plays a line, which must not go on after the end of the game or after a claim.
fn follow(game: &Game, pv: &[Move]) -> Game {
    let mut game = game.clone();
    for (i, &mv) in pv.iter().enumerate() {
        assert!(i == 0 || (game.outcome().is_none() && game.claim().is_none()), "too long: {pv:?}");
        game.play(mv).expect("a legal line");
    }
    game
}

#[test]
fn short_mates_are_found_and_shown_to_the_end() {
    let mut searcher = searcher();
    let mut solved = 0;
    for record in include_str!("../../tests/data/mates.epd").lines() {
        let (fen, distance) = record.split_once(";dm ").expect("a record");
        let distance: u32 = distance.trim().parse().expect("a distance");
        if distance > 3 {
            continue;
        }
        let game = game(fen);
        searcher.clear();
        // The mate ends the search long before this depth.
        let line = last(&mut searcher, &game, Limits { mate: Some(distance), ..depth(30) });
        let Outlook::MateIn(found) = line.outlook else { panic!("{record}: {:?}", line.outlook) };
        assert!(found <= distance, "{record}: mate in {found}");
        let end = follow(&game, &line.pv);
        assert!(end.outcome().is_some_and(|outcome| outcome.winner().is_some()), "{record}: {:?}", line.pv);
        assert_eq!(line.pv.len() as u32, 2 * found - 1, "{record}");
        solved += 1;
    }
    assert!(solved > 60, "only {solved} records");
}

#[test]
fn equal_searches_give_equal_lines() {
    let facts = |searcher: &mut Searcher| -> Vec<_> {
        searcher.clear();
        let positions = [Game::default(), game(MANY_MOVES), played("e3e4 d6d5")];
        let results = positions.iter().map(|game| run(searcher, game, nodes(20_000)));
        results
            .flat_map(|(lines, _)| lines.into_iter().map(|line| (line.depth, line.nodes, line.pv)))
            .collect()
    };
    let mut first = searcher();
    let fresh = facts(&mut first);
    assert_eq!(facts(&mut first), fresh, "after clearing");
    assert_eq!(facts(&mut searcher()), fresh, "in a new searcher");
}

#[test]
fn node_limits_are_exact_on_one_thread() {
    let mut searcher = searcher();
    for limit in [1, 2, 100, 1234, 20_000] {
        assert_eq!(last(&mut searcher, &Game::default(), nodes(limit)).nodes, limit);
    }
}

#[test]
fn node_limits_hold_over_threads() {
    let mut searcher = searcher();
    searcher.set_threads(4).expect("four threads");
    let spent = last(&mut searcher, &Game::default(), nodes(100_000)).nodes;
    assert!((100_000..400_000).contains(&spent), "{spent} nodes");
}

#[test]
fn several_lines_are_distinct_and_in_order() {
    let mut searcher = searcher();
    searcher.set_multi_pv(500);
    let (lines, _) = run(&mut searcher, &Game::default(), depth(5));
    let deepest: Vec<_> = lines.iter().filter(|line| line.depth == 5).collect();
    assert_eq!(deepest.len(), 23);
    let mut first_moves: Vec<_> = deepest.iter().map(|line| line.pv[0].raw()).collect();
    first_moves.sort_unstable();
    first_moves.dedup();
    assert_eq!(first_moves.len(), 23);
    for pair in deepest.windows(2) {
        assert_eq!(pair[0].multipv + 1, pair[1].multipv);
        let value = |line: &Line| match line.outlook {
            Outlook::Centipawns(value) => value,
            other => panic!("{other:?} at the start"),
        };
        assert!(value(pair[0]) >= value(pair[1]));
    }
}

#[test]
fn only_chosen_moves_are_searched() {
    let mut searcher = searcher();
    let start = Game::default();
    let chosen = start.position().parse_uci("a3a4").expect("legal");
    let limits = Limits { search_moves: vec![chosen], ..depth(6) };
    let (lines, finished) = run(&mut searcher, &start, limits);
    assert_eq!(finished.best, Some(chosen));
    assert!(lines.iter().all(|line| line.pv[0] == chosen));
}

/// Runs for a while and fails if the search answers by itself.
fn expect_silence(receiver: &Receiver<Event>) {
    let wait_until = Instant::now() + Duration::from_millis(300);
    while let Ok(event) = receiver.recv_deadline(wait_until) {
        assert!(!matches!(event, Event::Finished(_)), "answered by itself");
    }
}

#[test]
fn infinite_searches_wait_for_stop() {
    let mut searcher = searcher();
    for fen in [BARE_KINGS, MATE_IN_ONE, ONE_MOVE, STALEMATE, MATED] {
        let (sender, receiver) = unbounded();
        searcher.start(&game(fen), Limits { infinite: true, ..Limits::default() }, sender);
        expect_silence(&receiver);
        searcher.stop();
        searcher.stop();
        let (_, finished) = collect(&receiver);
        assert_eq!(finished.best.is_some(), game(fen).position().has_legal_move());
        searcher.wait();
        assert!(receiver.try_recv().is_err(), "{fen} answered twice");
    }
}

#[test]
fn pondering_goes_on_by_the_clock() {
    let mut searcher = searcher();
    let clock = Clock { remaining: Duration::from_millis(500), ..Clock::default() };
    let limits = Limits { ponder: true, clock: Some(clock), ..Limits::default() };
    let (sender, receiver) = unbounded();
    searcher.start(&game(ONE_MOVE), limits, sender);
    expect_silence(&receiver);
    searcher.ponder_hit();
    assert!(collect(&receiver).1.best.is_some());
}

#[test]
fn no_legal_move_gives_no_answer_but_a_score() {
    let mut searcher = searcher();
    for (fen, outlook) in [(MATED, Outlook::MatedIn(0)), (STALEMATE, Outlook::Centipawns(0))] {
        let (lines, finished) = run(&mut searcher, &game(fen), depth(5));
        assert_eq!(lines.last().map(|line| line.outlook), Some(outlook), "{fen}");
        assert_eq!(finished, Finished { best: None, ponder: None });
    }
}

#[test]
fn a_drawn_root_still_gets_a_move() {
    let mut searcher = searcher();
    for fen in ["8/8/4k3/8/8/3RK3/7r/8 w - - 100 80", "8/8/4k3/8/8/4K3/8/R7 w - 32 40 60"] {
        let line = last(&mut searcher, &game(fen), depth(6));
        assert_eq!((line.outlook, line.pv.len()), (Outlook::Centipawns(0), 1), "{fen}");
    }
}

#[test]
fn lines_end_where_a_draw_can_be_claimed() {
    let mut searcher = searcher();
    let game = played("b1d2 b8d7 d2b1 d7b8 b1d2 b8d7 d2b1");
    for line in run(&mut searcher, &game, depth(12)).0 {
        follow(&game, &line.pv);
    }
}

#[test]
fn the_count_decides_between_mate_and_draw() {
    let mut searcher = searcher();
    // A mate in two needs three more plies.
    let position = |tail: &str| game(&format!("8/8/8/8/8/3R4/K7/2k5 w - {tail} 60"));
    for (tail, outlook) in [
        ("- 0", Outlook::MateIn(2)),
        ("32 29", Outlook::MateIn(2)),
        ("32 31", Outlook::Centipawns(0)),
        ("- 97", Outlook::MateIn(2)),
        ("- 98", Outlook::Centipawns(0)),
    ] {
        assert_eq!(last(&mut searcher, &position(tail), depth(10)).outlook, outlook, "{tail}");
    }
}

#[test]
fn the_deepest_search_neither_overflows_nor_hangs() {
    let mut searcher = searcher();
    for fen in [BARE_KINGS, "4k3/8/p1p1p1p1/P1P1P1P1/8/8/8/4K3 w - - 0 1"] {
        let limits = Limits { nodes: Some(3_000_000), ..depth(9999) };
        let line = last(&mut searcher, &game(fen), limits);
        assert!(line.depth < MAX_PLY && line.seldepth <= MAX_PLY);
    }
}

#[test]
fn settings_that_cannot_be_had_change_nothing() {
    let mut searcher = searcher();
    assert!(searcher.set_hash(1 << 40).is_err());
    assert!(searcher.set_threads(0).is_err());
    assert!(searcher.set_threads(Searcher::MAX_THREADS + 1).is_err());
    searcher.set_hash(1).expect("one MiB");
    assert!(!last(&mut searcher, &Game::default(), depth(6)).pv.is_empty());
}
