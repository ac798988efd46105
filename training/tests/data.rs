//! Game files from self-play to position files.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use makara_engine::PromotionRule;
use makara_search::Evaluation;
use makara_training::error::FileError;
use makara_training::format::{GameResult, Header, Ply, Reader, Reason, Record, StoredScore, Writer};
use makara_training::packed::PackedReader;
use makara_training::replay::{ReplayError, verify};
use makara_training::sample::{self, Filter};
use makara_training::selfplay::{self, Settings};
use makara_training::tools::{game_files, tally};

/// An empty folder of this name.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn play(name: &str, seed: u64, games: usize) -> PathBuf {
    let out = folder(name);
    play_into(&out, seed, games);
    out
}

fn play_into(out: &std::path::Path, seed: u64, games: usize) {
    let settings = Settings {
        out: out.into(),
        threads: 2,
        games: Some(games),
        nodes: 100,
        seed,
        random_plies: 8,
        promotion_rule: PromotionRule::Any,
        hash: 1,
        evaluation: Evaluation::HandWritten,
    };
    selfplay::run(&settings, &Arc::new(AtomicBool::new(false))).unwrap();
}

fn contents(folder: &PathBuf) -> Vec<Vec<u8>> {
    game_files(std::slice::from_ref(folder)).unwrap().iter().map(|path| fs::read(path).unwrap()).collect()
}

#[test]
fn a_seed_gives_its_games_in_one_run_or_two() {
    let first = play("seed-a", 1, 4);
    let again = play("seed-b", 1, 2);
    assert_ne!(contents(&first), contents(&again));
    play_into(&again, 1, 4);
    assert_eq!(contents(&first), contents(&again));
    assert_ne!(contents(&first), contents(&play("seed-c", 2, 4)));
    let tally = tally(&game_files(&[first]).unwrap(), true, |fault| panic!("{fault}")).unwrap();
    assert_eq!((tally.games, tally.faults), (4, 0));
    assert!(tally.plies > 4 * 9);
}

fn header() -> Header {
    Header {
        promotion_rule: PromotionRule::Any,
        random_plies: 0,
        soft_nodes: 1,
        hard_nodes: 8,
        seed: 9,
        generator: "test".into(),
    }
}

fn record(seed: u64) -> Record {
    let ply = |index, score| Ply { index, score: StoredScore::from_raw(score) };
    Record {
        seed,
        start: "4k3/8/8/8/8/8/PPPP4/R3K3 w - - 0 1".into(),
        random_plies: 1,
        result: GameResult::Draw,
        reason: Reason::TooLong,
        plies: vec![ply(3, i16::MIN), ply(0, -31_990), ply(7, 250)],
    }
}

#[test]
fn records_come_back() {
    let path = folder("records").join("a.mkrg");
    let (mut writer, games) = Writer::open(&path, &header()).unwrap();
    assert_eq!(games, 0);
    for seed in 0..3 {
        writer.append(&record(seed)).unwrap();
    }
    let reader = Reader::open(&path).unwrap();
    assert_eq!(reader.header(), &header());
    let records: Vec<Record> = reader.map(Result::unwrap).collect();
    assert_eq!(records, [record(0), record(1), record(2)]);
    assert_eq!(verify(&records[0], PromotionRule::Any), Ok(()));
    let other = Header { soft_nodes: 2, ..header() };
    assert!(matches!(Writer::open(&path, &other), Err(FileError::Damaged { .. })));
}

#[test]
fn a_torn_end_is_found_and_cut_off() {
    let path = folder("torn").join("a.mkrg");
    let (mut writer, _) = Writer::open(&path, &header()).unwrap();
    writer.append(&record(1)).unwrap();
    let whole = fs::read(&path).unwrap();
    writer.append(&record(2)).unwrap();
    let both = fs::read(&path).unwrap();
    for length in whole.len() + 1..both.len() {
        fs::write(&path, &both[..length]).unwrap();
        let mut reader = Reader::open(&path).unwrap();
        assert_eq!(reader.by_ref().map(Result::unwrap).collect::<Vec<_>>(), [record(1)]);
        assert_eq!(reader.torn(), (length - whole.len()) as u64);
    }
    let (mut writer, games) = Writer::open(&path, &header()).unwrap();
    assert_eq!(games, 1);
    writer.append(&record(2)).unwrap();
    assert_eq!(fs::read(&path).unwrap(), both);
}

#[test]
fn every_changed_byte_of_a_record_is_found() {
    let path = folder("damage").join("a.mkrg");
    let (mut writer, _) = Writer::open(&path, &header()).unwrap();
    let start = fs::read(&path).unwrap().len();
    writer.append(&record(1)).unwrap();
    let whole = fs::read(&path).unwrap();
    for place in start..whole.len() {
        let mut damaged = whole.clone();
        damaged[place] ^= 4;
        fs::write(&path, &damaged).unwrap();
        let mut reader = Reader::open(&path).unwrap();
        let first = reader.next();
        assert!(first.is_none() && reader.torn() > 0 || matches!(first, Some(Err(_))), "byte {place}");
    }
    fs::write(&path, b"MKRQ").unwrap();
    assert!(matches!(Reader::open(&path), Err(FileError::WrongKind { .. })));
}

#[test]
fn false_games_are_found() {
    let mut wrong_move = record(1);
    wrong_move.plies[2].index = 200;
    let fault = ReplayError::Move { ply: 2, index: 200 };
    assert_eq!(verify(&wrong_move, PromotionRule::Any), Err(fault));
    let wrong_end = Record { reason: Reason::Checkmate, result: GameResult::WhiteWon, ..record(1) };
    assert!(matches!(verify(&wrong_end, PromotionRule::Any), Err(ReplayError::End { .. })));
    let wrong_start = Record { start: "8/8 w".into(), ..record(1) };
    assert!(matches!(verify(&wrong_start, PromotionRule::Any), Err(ReplayError::Start(_))));
}

#[test]
fn samples_are_sound_and_hold_no_doubles() {
    let games = play("sample", 3, 12);
    let output = games.join("training.mkrp");
    let validation = games.join("validation.mkrp");
    let settings = sample::Settings {
        // Each file twice: all its positions are doubles.
        inputs: game_files(&[games.clone(), games]).unwrap(),
        output: output.clone(),
        validation: Some(validation.clone()),
        validation_share: 0.3,
        filter: Filter { max_score: 1000, min_ply: 10, share: 1.0 },
        seed: 1,
        memory: 1,
    };
    let summary = sample::run(&settings, |warning| panic!("{warning}")).unwrap();
    assert_eq!(summary.games, 24);
    assert!(summary.training > 100 && summary.validation > 0, "{summary:?}");
    assert!(summary.training + summary.validation <= summary.passed / 2);
    let mut positions = Vec::new();
    for path in [&output, &validation] {
        PackedReader::open(path).unwrap().read(&mut positions, 1 << 20).unwrap();
    }
    assert_eq!(positions.len() as u64, summary.training + summary.validation);
    assert!(positions.iter().all(|packed| packed.score().abs() < 1000 && packed.ply() >= 10));
    let before = fs::read(&output).unwrap();
    sample::run(&settings, |_| {}).unwrap();
    assert_eq!(before, fs::read(&output).unwrap());
}
