//! The trainer on made-up positions, and network files.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::fs;
use std::path::{Path, PathBuf};

use makara_engine::{Color, Game, Role};
use makara_training::error::FileError;
use makara_training::features::Features;
use makara_training::format::GameResult;
use makara_training::packed::{HEADER_SIZE, Packed, PackedReader};
use makara_training::quantised::Quantised;
use makara_training::random::Random;
use makara_training::train::config::{Config, Lambda, LearningRate};
use makara_training::train::network::Network;
use makara_training::train::{TrainError, train};

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Positions of random games; their score is their material.
fn material_positions(seed: u64, count: usize) -> Vec<Packed> {
    const VALUES: [(Role, i32); 5] =
        [(Role::Pawn, 60), (Role::Met, 100), (Role::Khon, 200), (Role::Knight, 300), (Role::Rook, 500)];
    let mut random = Random::new(seed);
    let mut positions = Vec::new();
    let mut game = Game::default();
    while positions.len() < count {
        let moves = game.position().legal_moves();
        if moves.is_empty() || game.moves().len() > 150 {
            game = Game::default();
            continue;
        }
        game.play(moves[random.below(moves.len())]).unwrap();
        let position = game.position();
        let men = |color: Color, role| position.pieces(color, role).count() as i32;
        let turn = position.turn();
        let score = VALUES.map(|(role, value)| value * (men(turn, role) - men(!turn, role))).iter().sum();
        positions.push(Packed::new(position, score, GameResult::Draw, game.moves().len()));
    }
    random.shuffle(&mut positions);
    positions
}

fn write(path: &Path, positions: &[Packed]) {
    let mut bytes = vec![0; HEADER_SIZE];
    bytes[..8].copy_from_slice(b"MKRP\x01\0\0\0");
    bytes.extend(positions.iter().flat_map(|packed| packed.0));
    fs::write(path, bytes).unwrap();
}

fn config(folder: &Path) -> Config {
    let (training, validation) = (folder.join("training.mkrp"), folder.join("validation.mkrp"));
    write(&training, &material_positions(1, 20_000));
    write(&validation, &material_positions(2, 2_000));
    Config {
        name: "small".into(),
        output: folder.into(),
        training: vec![training],
        validation: Some(validation),
        hidden: 64,
        batch: 250,
        superbatches: 4,
        learning_rate: LearningRate { start: 0.003, warm_up: 20, ..LearningRate::default() },
        lambda: Lambda { start: 1.0, end: 1.0 },
        ..Config::default()
    }
}

#[test]
fn material_is_learned_and_survives_rounding() {
    let folder = folder("learn");
    let config = Config { superbatches: 15, ..config(&folder) };
    let report = train(&config, false, |_| {}).unwrap();
    let losses: Vec<f64> = report.superbatches.iter().map(|part| part.validation_loss.unwrap()).collect();
    assert!(losses[14] < 0.003 && losses[14] < losses[0], "{losses:?}");
    let quantisation = report.quantisation.unwrap();
    assert!(quantisation.mean < 5.0 && quantisation.largest < 40.0, "{quantisation:?}");
    assert!(quantisation.sums_fit_i32);
    assert!(matches!(train(&config, false, |_| {}), Err(TrainError::Exists(_))));

    let network = Quantised::load(&folder.join("small.nn")).unwrap();
    let mut validation = Vec::new();
    PackedReader::open(&folder.join("validation.mkrp")).unwrap().read(&mut validation, 2000).unwrap();
    let wrong = |packed: &Packed| (network.evaluate(&Features::new(packed)) - packed.score()).abs();
    let mean = validation.iter().map(wrong).sum::<i32>() / 2000;
    assert!(mean < 120, "{mean}");
}

#[test]
fn a_resumed_run_ends_as_one_that_was_not_interrupted() {
    let (whole, parts) = (folder("whole"), folder("parts"));
    let config_whole = Config { superbatches: 2, threads: 1, ..config(&whole) };
    train(&config_whole, false, |_| {}).unwrap();
    let config_parts = Config { output: parts.clone(), ..config_whole };
    let mut files = Vec::new();
    // The files as they are after the first superbatch: the second begins to talk only later.
    let mut told = 0;
    train(&config_parts, false, |_| {
        told += 1;
        if told == 3 {
            for ending in ["checkpoint", "json", "nn"] {
                let path = parts.join(format!("small.{ending}"));
                files.push((fs::read(&path).unwrap(), path));
            }
        }
    })
    .unwrap();
    assert_eq!(files.len(), 3);
    let after = fs::read(parts.join("small.nn")).unwrap();
    files.iter().for_each(|(bytes, path)| fs::write(path, bytes).unwrap());
    assert_ne!(after, fs::read(parts.join("small.nn")).unwrap());
    train(&config_parts, true, |_| {}).unwrap();
    assert_eq!(after, fs::read(parts.join("small.nn")).unwrap());
    assert_eq!(after, fs::read(whole.join("small.nn")).unwrap());
    let other = Config { seed: 9, ..config_parts };
    assert!(matches!(train(&other, true, |_| {}), Err(TrainError::OtherRun(_))));
}

#[test]
fn network_files_come_back_and_damage_is_found() {
    let path = folder("network").join("a.nn");
    let network = Network::random(64, 5).quantised();
    let bytes = network.to_bytes();
    assert_eq!(bytes.len(), 64 + 2 * 64 * (768 + 1 + 16) + 4 * 8);
    fs::write(&path, &bytes).unwrap();
    assert_eq!(Quantised::load(&path).unwrap(), network);
    for place in [0, 8, 12, 16, 20, 24, 28, 32, 57, 64, 5000, bytes.len() - 1] {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1;
        fs::write(&path, &damaged).unwrap();
        assert!(Quantised::load(&path).is_err(), "byte {place}");
    }
    fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    assert!(matches!(Quantised::load(&path), Err(FileError::Damaged { .. })));
    fs::write(&path, &bytes[..30]).unwrap();
    assert!(matches!(Quantised::load(&path), Err(FileError::WrongKind { .. })));
}
