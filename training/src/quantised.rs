//! Network files, version 1, and a plain inference that every faster one must equal.
//!
//! All numbers are little endian. The header has 64 bytes: magic `MakaraNN`; version 1, inputs 768, hidden
//! units H of a perspective, buckets 8, `QA` 255, `QB` 64, scale 400 (each u32); zeros; and in the last 8
//! bytes the FNV-1a 64 of the rest of the file. The rest:
//!
//! | type | contents | unit |
//! |---|---|---|
//! | i16 `[768][H]` | weights of the inputs | 1 / QA |
//! | i16 `[H]` | biases of the hidden units | 1 / QA |
//! | i16 `[8][2 H]` | weights of the output, the mover's hidden units first | 1 / QB |
//! | i32 `[8]` | biases of the output | 1 / (QA QB) |
//!
//! For each player, `acc` = biases + the weights of its active inputs ([`features`](crate::features)), and
//! `v` = `acc` clamped to 0..=QA. With `sum` = Σ v·v·w over the mover's units and then the other's, the
//! score in centipawns from the mover is `(sum / QA + bias) · scale / (QA · QB)`, divisions rounding
//! towards zero. No weight is beyond ±1.98, so `acc` and `v·w` fit 16 bits.

use std::fs;
use std::path::Path;

use crate::error::FileError;
use crate::features::{BUCKETS, Features, INPUTS};

const MAGIC: [u8; 8] = *b"MakaraNN";
const VERSION: u32 = 1;
const HEADER_SIZE: usize = 64;
const CHECKSUM_AT: usize = HEADER_SIZE - 8;
/// One as a weight or an activation of the hidden layer.
pub const QA: i32 = 255;
/// One as a weight of the output.
pub const QB: i32 = 64;
/// Centipawns for an output of one.
pub const SCALE: i32 = 400;

/// A network in whole numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quantised {
    /// Hidden units of a perspective.
    pub hidden: usize,
    /// `[768][hidden]`
    pub feature_weights: Vec<i16>,
    /// `[hidden]`
    pub feature_biases: Vec<i16>,
    /// `[8][2 * hidden]`
    pub output_weights: Vec<i16>,
    /// `[8]`
    pub output_biases: Vec<i32>,
}

/// FNV-1a with 64 bits.
fn checksum(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

impl Quantised {
    /// The file's contents.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::from(MAGIC);
        let sizes = [VERSION, INPUTS as u32, self.hidden as u32, BUCKETS as u32];
        for number in sizes.into_iter().chain([QA as u32, QB as u32, SCALE as u32]) {
            bytes.extend(number.to_le_bytes());
        }
        bytes.resize(HEADER_SIZE, 0);
        for weights in [&self.feature_weights, &self.feature_biases, &self.output_weights] {
            bytes.extend(weights.iter().flat_map(|weight| weight.to_le_bytes()));
        }
        bytes.extend(self.output_biases.iter().flat_map(|bias| bias.to_le_bytes()));
        let checksum = checksum(&bytes[HEADER_SIZE..]);
        bytes[CHECKSUM_AT..HEADER_SIZE].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// Reads a network file.
    ///
    /// # Errors
    /// When it cannot be read, is no network file, has another shape or is damaged.
    pub fn load(path: &Path) -> Result<Quantised, FileError> {
        let bytes = fs::read(path).map_err(FileError::io(path))?;
        let (header, payload) = bytes
            .split_at_checked(HEADER_SIZE)
            .filter(|(header, _)| header.starts_with(&MAGIC))
            .ok_or_else(|| FileError::WrongKind { path: path.into(), expected: "network file" })?;
        let mut numbers = header[MAGIC.len()..].as_chunks().0.iter().map(|&bytes| u32::from_le_bytes(bytes));
        let version = numbers.next().unwrap_or(0);
        if version != VERSION {
            return Err(FileError::Version { path: path.into(), version });
        }
        let shape: Vec<u32> = numbers.take(6).collect();
        let hidden = match shape[..] {
            [768, hidden, 8, 255, 64, 400] if (1..=1 << 16).contains(&hidden) => hidden as usize,
            _ => return Err(FileError::damaged(path, 12, format!("unknown shape {shape:?}"))),
        };
        let words = (INPUTS + 1 + 2 * BUCKETS) * hidden;
        if payload.len() != 2 * words + 4 * BUCKETS {
            return Err(FileError::damaged(path, 0, format!("{} bytes for {hidden} units", bytes.len())));
        }
        if checksum(payload).to_le_bytes() != header[CHECKSUM_AT..] {
            return Err(FileError::damaged(path, CHECKSUM_AT as u64, "wrong checksum"));
        }
        let (weights, biases) = payload.split_at(2 * words);
        let weights: Vec<i16> =
            weights.as_chunks().0.iter().map(|&bytes| i16::from_le_bytes(bytes)).collect();
        Ok(Quantised {
            hidden,
            feature_weights: weights[..INPUTS * hidden].into(),
            feature_biases: weights[INPUTS * hidden..][..hidden].into(),
            output_weights: weights[(INPUTS + 1) * hidden..].into(),
            output_biases: biases.as_chunks().0.iter().map(|&bytes| i32::from_le_bytes(bytes)).collect(),
        })
    }

    /// The score in centipawns from the mover.
    pub fn evaluate(&self, features: &Features) -> i32 {
        let bucket = features.bucket();
        let weights = &self.output_weights[bucket * 2 * self.hidden..][..2 * self.hidden];
        let mut sum = 0_i64;
        for (side, weights) in weights.chunks_exact(self.hidden).enumerate() {
            let mut accumulator = self.feature_biases.clone();
            for &input in features.inputs(side) {
                let row = &self.feature_weights[usize::from(input) * self.hidden..][..self.hidden];
                accumulator.iter_mut().zip(row).for_each(|(unit, weight)| *unit += weight);
            }
            for (&unit, &weight) in accumulator.iter().zip(weights) {
                let active = i64::from(unit.clamp(0, QA as i16));
                sum += active * active * i64::from(weight);
            }
        }
        let output = sum / i64::from(QA) + i64::from(self.output_biases[bucket]);
        (output * i64::from(SCALE) / i64::from(QA * QB)) as i32
    }

    /// True when no sum of the output, in whatever order, can leave 32 bits.
    pub fn sums_fit_i32(&self) -> bool {
        self.output_weights.chunks_exact(2 * self.hidden).all(|weights| {
            let bound = |sign: i64| -> i64 {
                weights.iter().map(|&weight| (sign * i64::from(weight)).max(0)).sum::<i64>()
            };
            bound(1).max(bound(-1)) * i64::from(QA * QA) <= i64::from(i32::MAX)
        })
    }
}
