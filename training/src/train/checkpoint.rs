//! Checkpoints: the exact weights and the optimizer's state, to go on with.
//!
//! Magic `MKRC`, version 1 (u32), hidden units (u32), CRC-32 of the rest (u32); steps (u64), then
//! parameters, first and second moments (f32 each), all little endian.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use super::network::{Network, Shape};
use super::optimizer::AdamW;
use crate::error::FileError;

const MAGIC: [u8; 4] = *b"MKRC";
const VERSION: u32 = 1;
const HEADER_SIZE: usize = 16;

/// Writes a file so that a kill leaves either the old one or the new one.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let mut name = OsString::from(path);
    name.push(".new");
    let new = Path::new(&name);
    fs::write(new, bytes).map_err(FileError::io(new))?;
    fs::rename(new, path).map_err(FileError::io(path))
}

/// Writes a checkpoint.
pub(super) fn save(path: &Path, network: &Network, optimizer: &AdamW) -> Result<(), FileError> {
    let mut bytes = Vec::from(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((network.shape.hidden as u32).to_le_bytes());
    bytes.resize(HEADER_SIZE, 0);
    bytes.extend(optimizer.steps.to_le_bytes());
    for numbers in [&network.parameters, &optimizer.first, &optimizer.second] {
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }
    let checksum = crc32fast::hash(&bytes[HEADER_SIZE..]);
    bytes[HEADER_SIZE - 4..HEADER_SIZE].copy_from_slice(&checksum.to_le_bytes());
    replace(path, &bytes)
}

/// Reads a checkpoint of a network with so many hidden units.
pub(super) fn load(path: &Path, hidden: usize) -> Result<(Network, AdamW), FileError> {
    let bytes = fs::read(path).map_err(FileError::io(path))?;
    let (header, rest) = bytes
        .split_at_checked(HEADER_SIZE)
        .filter(|(header, _)| header.starts_with(&MAGIC))
        .ok_or_else(|| FileError::WrongKind { path: path.into(), expected: "checkpoint" })?;
    let mut numbers = header[4..].as_chunks().0.iter().map(|&bytes| u32::from_le_bytes(bytes));
    let mut number = || numbers.next().unwrap_or(0);
    let version = number();
    if version != VERSION {
        return Err(FileError::Version { path: path.into(), version });
    }
    let found = number();
    if found as usize != hidden {
        return Err(FileError::damaged(path, 8, format!("{found} hidden units instead of {hidden}")));
    }
    let shape = Shape { hidden };
    if number() != crc32fast::hash(rest) || rest.len() != 8 + 3 * 4 * shape.len() {
        return Err(FileError::damaged(path, 12, "wrong checksum or length"));
    }
    let (steps, numbers) = rest.split_at(8);
    let steps = steps.first_chunk().map_or(0, |&bytes| u64::from_le_bytes(bytes));
    let numbers: Vec<f32> = numbers.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
    let part = |number: usize| numbers[number * shape.len()..][..shape.len()].to_vec();
    let optimizer = AdamW { first: part(1), second: part(2), steps };
    Ok((Network { shape, parameters: part(0) }, optimizer))
}
