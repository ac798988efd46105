//! Game files, version 1: whole games, about three bytes a ply. All numbers are little endian.
//!
//! The header, 64 bytes:
//!
//! | bytes | contents |
//! |---|---|
//! | 0..4 | magic `MKRG` |
//! | 4..6 | version, 1 |
//! | 6 | promotion rule: 0 any, 1 met only |
//! | 7 | random plies at the start of each game, at least |
//! | 8..12 | soft node limit of each move |
//! | 12..16 | hard node limit of each move |
//! | 16..24 | seed of the file, from which the games' seeds come |
//! | 24..64 | name and version of the generator, UTF-8, padded with zeros |
//!
//! Then one record a game: the length of its body in bytes (u32), the body, and the CRC-32 of the body
//! (u32). The body:
//!
//! | type | contents |
//! |---|---|
//! | u64 | seed of the game |
//! | u8, bytes | length of the FEN of the start and the FEN; 0 for the usual start |
//! | u8 | number of random plies |
//! | u8 | result: 0 Black won, 1 draw, 2 White won |
//! | u8 | why it ended, see [`Reason`] |
//! | u16 | number of plies |
//! | plies × (u8, i16) | the move and its score, see [`Ply`] |
//!
//! Each record is appended by one write, so a kill can tear only the last one. A reader stops there.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use makara_engine::{Claim, Outcome, PromotionRule};
use makara_search::{Line, Outlook};

use crate::error::FileError;

const MAGIC: [u8; 4] = *b"MKRG";
const VERSION: u16 = 1;
const HEADER_SIZE: usize = 64;
const GENERATOR_SIZE: usize = 40;
const PLY_SIZE: usize = 3;
/// No body can be longer: 16 bytes, a FEN of 255 and 65 535 plies fit.
const LONGEST_BODY: usize = 1 << 18;

/// The header of a game file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// What pawns may become.
    pub promotion_rule: PromotionRule,
    /// Random plies at the start of each game, at least.
    pub random_plies: u8,
    /// Soft node limit of each move.
    pub soft_nodes: u32,
    /// Hard node limit of each move.
    pub hard_nodes: u32,
    /// Seed of the file.
    pub seed: u64,
    /// Name and version of the generator; what exceeds 40 bytes is cut off.
    pub generator: String,
}

/// Why a game ended. The number is what the file holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Reason {
    Checkmate,
    Stalemate,
    DeadPosition,
    CountExpired,
    Threefold,
    FiftyMoves,
    /// Cut short: one side was far ahead for long.
    AdjudicatedWin,
    /// Cut short: nobody was ahead for long.
    AdjudicatedDraw,
    /// Cut short: the game was too long. A draw.
    TooLong,
}

impl Reason {
    /// All reasons, each at the place of its number.
    pub const ALL: [Reason; 9] = [
        Reason::Checkmate,
        Reason::Stalemate,
        Reason::DeadPosition,
        Reason::CountExpired,
        Reason::Threefold,
        Reason::FiftyMoves,
        Reason::AdjudicatedWin,
        Reason::AdjudicatedDraw,
        Reason::TooLong,
    ];

    /// True when the rules ended the game, so that a replay can prove the result.
    pub const fn is_by_rule(self) -> bool {
        (self as u8) < Reason::AdjudicatedWin as u8
    }
}

impl From<Outcome> for Reason {
    fn from(outcome: Outcome) -> Reason {
        match outcome {
            Outcome::Checkmate { .. } => Reason::Checkmate,
            Outcome::Stalemate => Reason::Stalemate,
            Outcome::DeadPosition => Reason::DeadPosition,
            Outcome::CountExpired => Reason::CountExpired,
        }
    }
}

impl From<Claim> for Reason {
    fn from(claim: Claim) -> Reason {
        match claim {
            Claim::Threefold => Reason::Threefold,
            Claim::FiftyMoves => Reason::FiftyMoves,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Checkmate => "checkmate",
            Reason::Stalemate => "stalemate",
            Reason::DeadPosition => "dead position",
            Reason::CountExpired => "counting",
            Reason::Threefold => "threefold repetition",
            Reason::FiftyMoves => "fifty moves",
            Reason::AdjudicatedWin => "adjudicated win",
            Reason::AdjudicatedDraw => "adjudicated draw",
            Reason::TooLong => "too long",
        })
    }
}

/// The result of a game. The number is what the file holds: twice White's points.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names say it")]
pub enum GameResult {
    BlackWon,
    Draw,
    WhiteWon,
}

impl GameResult {
    /// All results, each at the place of its number.
    pub const ALL: [GameResult; 3] = [GameResult::BlackWon, GameResult::Draw, GameResult::WhiteWon];

    /// The result as PGN writes it.
    pub const fn text(self) -> &'static str {
        match self {
            GameResult::BlackWon => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::WhiteWon => "1-0",
        }
    }
}

/// A move of a stored game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The move's place among the legal moves in rising order of [`Move::raw`](makara_engine::Move::raw).
    pub index: u8,
    /// What the search said of the position before the move.
    pub score: StoredScore,
}

/// A score from the mover in 16 bits: centipawns, ±(32000 − n) for a mate in n moves, or nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StoredScore(i16);

impl StoredScore {
    /// Of a move that no search chose.
    pub const NONE: StoredScore = StoredScore(i16::MIN);
    const MATE: i32 = 32_000;
    /// Beyond every estimate of the search and nearer than every mate that it can find.
    const NEAREST_MATE: i32 = 31_800;

    /// Stores what a search found.
    pub fn new(line: &Line) -> StoredScore {
        let limit = StoredScore::NEAREST_MATE - 1;
        let mate = |moves: u32| StoredScore::MATE - moves.min(200) as i32;
        StoredScore(match line.outlook {
            Outlook::Centipawns(_) => line.raw.clamp(-limit, limit),
            Outlook::MateIn(moves) => mate(moves),
            Outlook::MatedIn(moves) => -mate(moves),
        } as i16)
    }

    /// The number that the file holds.
    pub const fn raw(self) -> i16 {
        self.0
    }

    /// Reads a number of a file.
    pub const fn from_raw(raw: i16) -> StoredScore {
        StoredScore(raw)
    }

    /// Centipawns or the code of a mate; `None` where there was no search.
    pub const fn value(self) -> Option<i32> {
        if self.0 == i16::MIN { None } else { Some(self.0 as i32) }
    }
}

/// A whole game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// Seed of the game.
    pub seed: u64,
    /// FEN of the start; empty for the usual start.
    pub start: String,
    /// How many plies at the start are random.
    pub random_plies: u8,
    /// How it ended.
    pub result: GameResult,
    /// Why it ended.
    pub reason: Reason,
    /// The moves.
    pub plies: Vec<Ply>,
}

impl Header {
    fn to_bytes(&self) -> [u8; HEADER_SIZE] {
        let mut bytes = Vec::with_capacity(HEADER_SIZE);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.push(match self.promotion_rule {
            PromotionRule::Any => 0,
            PromotionRule::Met => 1,
        });
        bytes.push(self.random_plies);
        bytes.extend(self.soft_nodes.to_le_bytes());
        bytes.extend(self.hard_nodes.to_le_bytes());
        bytes.extend(self.seed.to_le_bytes());
        bytes.extend(self.generator.bytes().take(GENERATOR_SIZE));
        let mut header = [0; HEADER_SIZE];
        header[..bytes.len()].copy_from_slice(&bytes);
        header
    }

    fn from_bytes(bytes: &[u8; HEADER_SIZE], path: &Path) -> Result<Header, FileError> {
        let mut fields = Fields(bytes);
        if fields.array() != Some(MAGIC) {
            return Err(FileError::WrongKind { path: path.into(), expected: "game file" });
        }
        let version = fields.array().map_or(0, u16::from_le_bytes);
        if version != VERSION {
            return Err(FileError::Version { path: path.into(), version: version.into() });
        }
        let promotion_rule = match fields.byte() {
            Some(0) => PromotionRule::Any,
            Some(1) => PromotionRule::Met,
            _ => return Err(FileError::damaged(path, 6, "unknown promotion rule")),
        };
        let read = |fields: &mut Fields<'_>| {
            Some(Header {
                promotion_rule,
                random_plies: fields.byte()?,
                soft_nodes: fields.array().map(u32::from_le_bytes)?,
                hard_nodes: fields.array().map(u32::from_le_bytes)?,
                seed: fields.array().map(u64::from_le_bytes)?,
                generator: String::from_utf8_lossy(fields.0).trim_end_matches('\0').into(),
            })
        };
        read(&mut fields).ok_or_else(|| FileError::damaged(path, 0, "short header"))
    }
}

/// Bytes that are read from the front.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.bytes(N)?.try_into().ok()
    }

    fn byte(&mut self) -> Option<u8> {
        self.array().map(|[byte]| byte)
    }
}

impl Record {
    /// The record as the file holds it, with its length and checksum.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut body = Vec::with_capacity(32 + self.plies.len() * PLY_SIZE);
        body.extend(self.seed.to_le_bytes());
        let start = &self.start.as_bytes()[..self.start.len().min(255)];
        body.push(start.len() as u8);
        body.extend(start);
        body.extend([self.random_plies, self.result as u8, self.reason as u8]);
        let plies = &self.plies[..self.plies.len().min(u16::MAX.into())];
        body.extend((plies.len() as u16).to_le_bytes());
        for ply in plies {
            body.push(ply.index);
            body.extend(ply.score.0.to_le_bytes());
        }
        let mut bytes = Vec::with_capacity(body.len() + 8);
        bytes.extend((body.len() as u32).to_le_bytes());
        bytes.extend(&body);
        bytes.extend(crc32fast::hash(&body).to_le_bytes());
        bytes
    }

    /// Reads a body. The checksum has been compared already.
    fn from_body(body: &[u8]) -> Option<Record> {
        let mut fields = Fields(body);
        let seed = fields.array().map(u64::from_le_bytes)?;
        let fen_length = fields.byte()?;
        let start = std::str::from_utf8(fields.bytes(fen_length.into())?).ok()?.to_owned();
        let random_plies = fields.byte()?;
        let result = *GameResult::ALL.get(usize::from(fields.byte()?))?;
        let reason = *Reason::ALL.get(usize::from(fields.byte()?))?;
        let count = usize::from(fields.array().map(u16::from_le_bytes)?);
        let (plies, rest) = fields.0.as_chunks::<PLY_SIZE>();
        if plies.len() != count || !rest.is_empty() {
            return None;
        }
        let plies = plies
            .iter()
            .map(|&[index, low, high]| Ply { index, score: StoredScore(i16::from_le_bytes([low, high])) })
            .collect();
        Some(Record { seed, start, random_plies, result, reason, plies })
    }
}

/// Reads a game file. An iterator of records; it ends after the first fault.
#[derive(Debug)]
pub struct Reader {
    path: PathBuf,
    input: BufReader<File>,
    header: Header,
    /// Bytes of whole records and the header, so far.
    offset: u64,
    torn: u64,
    ended: bool,
}

impl Reader {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    /// When it cannot be read or is no game file.
    pub fn open(path: &Path) -> Result<Reader, FileError> {
        let mut input = BufReader::with_capacity(1 << 18, File::open(path).map_err(FileError::io(path))?);
        let mut bytes = [0; HEADER_SIZE];
        if read_up_to(&mut input, &mut bytes).map_err(FileError::io(path))? < HEADER_SIZE {
            return Err(FileError::WrongKind { path: path.into(), expected: "game file" });
        }
        let header = Header::from_bytes(&bytes, path)?;
        Ok(Reader { path: path.into(), input, header, offset: HEADER_SIZE as u64, torn: 0, ended: false })
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Bytes of the header and of all records read so far.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Bytes of a torn record at the end of the file, once the end is reached.
    pub fn torn(&self) -> u64 {
        self.torn
    }

    /// The next record; `None` at the end, torn or not.
    fn read(&mut self) -> Result<Option<Record>, FileError> {
        let mut length = [0; 4];
        let mut read = read_up_to(&mut self.input, &mut length).map_err(FileError::io(&self.path))?;
        if read < length.len() {
            self.torn = read as u64;
            return Ok(None);
        }
        let length = u32::from_le_bytes(length) as usize;
        if length > LONGEST_BODY {
            return Err(FileError::damaged(&self.path, self.offset, format!("a record of {length} bytes")));
        }
        let mut bytes = vec![0; length + 4];
        read += read_up_to(&mut self.input, &mut bytes).map_err(FileError::io(&self.path))?;
        if read < length + 8 {
            self.torn = read as u64;
            return Ok(None);
        }
        let (body, checksum) = bytes.split_at(length);
        if checksum != crc32fast::hash(body).to_le_bytes() {
            return Err(FileError::damaged(&self.path, self.offset, "wrong checksum"));
        }
        let record = Record::from_body(body)
            .ok_or_else(|| FileError::damaged(&self.path, self.offset, "unreadable record"))?;
        self.offset += read as u64;
        Ok(Some(record))
    }
}

impl Iterator for Reader {
    type Item = Result<Record, FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let next = self.read();
        self.ended = !matches!(next, Ok(Some(_)));
        next.transpose()
    }
}

/// Fills the buffer as far as the input goes and says how far.
pub(crate) fn read_up_to(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match input.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// Appends games to a file.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    output: File,
}

impl Writer {
    /// Makes a file, or goes on with one of the same header: a torn end is cut off. Also gives the number
    /// of games that it holds already.
    ///
    /// # Errors
    /// When the file cannot be written, or is damaged, or was made otherwise.
    pub fn open(path: &Path, header: &Header) -> Result<(Writer, usize), FileError> {
        let mut options = File::options();
        options.create(true).append(true).read(true);
        let mut output = options.open(path).map_err(FileError::io(path))?;
        let length = output.metadata().map_err(FileError::io(path))?.len();
        let mut games = 0;
        if length < HEADER_SIZE as u64 {
            output.set_len(0).map_err(FileError::io(path))?;
            output.write_all(&header.to_bytes()).map_err(FileError::io(path))?;
        } else {
            let mut reader = Reader::open(path)?;
            if reader.header.to_bytes() != header.to_bytes() {
                return Err(FileError::damaged(path, 0, "made with other settings or by another version"));
            }
            for record in &mut reader {
                record?;
                games += 1;
            }
            output.set_len(reader.offset()).map_err(FileError::io(path))?;
        }
        Ok((Writer { path: path.into(), output }, games))
    }

    /// Appends a game by one write.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn append(&mut self, record: &Record) -> Result<(), FileError> {
        self.output.write_all(&record.to_bytes()).map_err(FileError::io(&self.path))
    }
}
