//! Position files, version 1: what the trainer reads. All numbers are little endian.
//!
//! The header has 32 bytes: magic `MKRP`, version 1 (u32), zeros. Positions of 32 bytes follow, to the end
//! of the file, in random order:
//!
//! | bytes | contents |
//! |---|---|
//! | 0..8 | the occupied squares, a1 the lowest bit, h8 the highest |
//! | 8..24 | the men on them in that order, four bits each, the low half of a byte first: 0 to 5 White's pawn, met, khon, knight, rook, king, 6 to 11 Black's |
//! | 24..26 | score from the mover (i16): centipawns |
//! | 26 | result from the mover: 0 lost, 1 drawn, 2 won |
//! | 27 | 1 when Black is to move |
//! | 28 | plies since the last capture or pawn move, at most 255 |
//! | 29 | plies left of a running count, 255 when none runs |
//! | 30..32 | ply of the game (u16) |

use std::fs::File;
use std::io::{BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use makara_engine::{Bitboard, Color, Piece, Position};

use crate::error::FileError;
use crate::format::{GameResult, read_up_to};

const MAGIC: [u8; 4] = *b"MKRP";
const VERSION: u32 = 1;
/// Bytes of the header.
pub const HEADER_SIZE: usize = 32;
/// Bytes of a position.
pub const PACKED_SIZE: usize = 32;
const NO_COUNT: u8 = 255;

/// A position with what is to be learned about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Packed(pub [u8; PACKED_SIZE]);

impl Packed {
    /// Packs a position with a score in centipawns from the mover and the game's result.
    pub fn new(position: &Position, score: i32, result: GameResult, ply: usize) -> Packed {
        let mut bytes = [0; PACKED_SIZE];
        let occupied = position.occupied();
        bytes[..8].copy_from_slice(&occupied.0.to_le_bytes());
        for (place, square) in occupied.into_iter().take(32).enumerate() {
            let piece = position.piece_at(square).map_or(0, Piece::index) as u8;
            bytes[8 + place / 2] |= piece << (4 * (place % 2));
        }
        let score = score.clamp(-32_000, 32_000) as i16;
        bytes[24..26].copy_from_slice(&score.to_le_bytes());
        let white = position.turn().is_white();
        bytes[26] = if white { result as u8 } else { 2 - result as u8 };
        bytes[27] = u8::from(!white);
        bytes[28] = position.clock().min(255) as u8;
        bytes[29] = position.count().map_or(NO_COUNT, |count| count.plies_left().unwrap_or(0).min(254) as u8);
        bytes[30..].copy_from_slice(&(ply.min(u16::MAX.into()) as u16).to_le_bytes());
        Packed(bytes)
    }

    /// The occupied squares.
    pub fn occupied(&self) -> Bitboard {
        let [a, b, c, d, e, f, g, h, ..] = self.0;
        Bitboard(u64::from_le_bytes([a, b, c, d, e, f, g, h]))
    }

    /// The men with their squares (0 to 63): the man's index in [`Piece::ALL`], at most 32.
    pub fn men(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let mut occupied = self.occupied().0;
        (0..32).map_while(move |place| {
            let square = occupied.trailing_zeros() as usize;
            let piece = self.0[8 + place / 2] >> (4 * (place % 2)) & 15;
            (occupied != 0).then(|| {
                occupied &= occupied - 1;
                (usize::from(piece), square)
            })
        })
    }

    /// Score from the mover in centipawns.
    pub fn score(&self) -> i32 {
        i16::from_le_bytes([self.0[24], self.0[25]]).into()
    }

    /// The mover's points: 0, ½ or 1.
    pub fn result(&self) -> f32 {
        f32::from(self.0[26]) / 2.0
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        if self.0[27] == 0 { Color::White } else { Color::Black }
    }

    /// Plies since the last capture or pawn move, at most 255.
    pub fn clock(&self) -> u8 {
        self.0[28]
    }

    /// Plies left of a running count.
    pub fn count_left(&self) -> Option<u8> {
        (self.0[29] != NO_COUNT).then_some(self.0[29])
    }

    /// The ply of the game.
    pub fn ply(&self) -> u16 {
        u16::from_le_bytes([self.0[30], self.0[31]])
    }

    /// True when every man is one of the twelve, each side has one king, and the rest is in range: what
    /// the trainer relies on.
    pub fn is_sound(&self) -> bool {
        let (mut white_kings, mut black_kings, mut known) = (0, 0, true);
        for (man, _) in self.men() {
            white_kings += usize::from(man == Piece::WhiteKing.index());
            black_kings += usize::from(man == Piece::BlackKing.index());
            known &= man < Piece::ALL.len();
        }
        let few = self.occupied().count() <= 32;
        few && known && white_kings == 1 && black_kings == 1 && self.0[26] <= 2 && self.0[27] <= 1
    }
}

/// Writes the header of a position file.
pub(crate) fn write_header(output: &mut impl Write) -> std::io::Result<()> {
    let mut header = [0; HEADER_SIZE];
    header[..4].copy_from_slice(&MAGIC);
    header[4..8].copy_from_slice(&VERSION.to_le_bytes());
    output.write_all(&header)
}

/// Reads a position file.
#[derive(Debug)]
pub struct PackedReader {
    path: PathBuf,
    input: BufReader<File>,
    count: u64,
}

impl PackedReader {
    /// Opens a file.
    ///
    /// # Errors
    /// When it cannot be read or is no position file.
    pub fn open(path: &Path) -> Result<PackedReader, FileError> {
        let file = File::open(path).map_err(FileError::io(path))?;
        let length = file.metadata().map_err(FileError::io(path))?.len();
        let mut input = BufReader::with_capacity(1 << 20, file);
        let mut header = [0; HEADER_SIZE];
        let read = read_up_to(&mut input, &mut header).map_err(FileError::io(path))?;
        if read < HEADER_SIZE || header[..4] != MAGIC {
            return Err(FileError::WrongKind { path: path.into(), expected: "position file" });
        }
        let version = u32::from_le_bytes([header[4], header[5], header[6], header[7]]);
        if version != VERSION {
            return Err(FileError::Version { path: path.into(), version });
        }
        let count = (length - HEADER_SIZE as u64) / PACKED_SIZE as u64;
        Ok(PackedReader { path: path.into(), input, count })
    }

    /// Positions in the file.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Goes to the position with this number, from 0.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn seek(&mut self, number: u64) -> Result<(), FileError> {
        let offset = HEADER_SIZE as u64 + number * PACKED_SIZE as u64;
        self.input.seek(SeekFrom::Start(offset)).map(|_| ()).map_err(FileError::io(&self.path))
    }

    /// Appends up to `most` positions to `batch` and says how many; 0 at the end.
    ///
    /// # Errors
    /// When the file cannot be read or holds an impossible position.
    pub fn read(&mut self, batch: &mut Vec<Packed>, most: usize) -> Result<usize, FileError> {
        let mut bytes = vec![0; most * PACKED_SIZE];
        let read = read_up_to(&mut self.input, &mut bytes).map_err(FileError::io(&self.path))?;
        let (positions, _) = bytes.get(..read).unwrap_or_default().as_chunks::<PACKED_SIZE>();
        for &bytes in positions {
            let packed = Packed(bytes);
            if !packed.is_sound() {
                let offset = self.input.stream_position().map_err(FileError::io(&self.path))?;
                return Err(FileError::damaged(
                    &self.path,
                    offset,
                    "an impossible position before this byte",
                ));
            }
            batch.push(packed);
        }
        Ok(positions.len())
    }
}

#[cfg(test)]
mod tests {
    use makara_engine::PromotionRule;

    use super::*;

    #[test]
    fn packing_keeps_everything() {
        for (fen, turn, clock, count) in [
            ("rnbqkbnr/8/pppppppp/8/8/PPPPPPPP/8/RNBQKBNR w - - 0 1", Color::White, 0, None),
            ("rnbqkbnr/8/pppppppp/8/8/PPPPPPPP/8/RNBQKBNR b - - 7 9", Color::Black, 7, None),
            ("8/8/8/8/8/2k5/1R6/4K2N b - 32 4 1", Color::Black, 0, Some(28)),
        ] {
            let position = Position::from_fen(fen, PromotionRule::Any).expect(fen);
            let packed = Packed::new(&position, -123, GameResult::BlackWon, 300);
            assert!(packed.is_sound());
            assert_eq!(packed.occupied(), position.occupied());
            let men: Vec<_> = position
                .occupied()
                .into_iter()
                .map(|square| (position.piece_at(square).expect("a man").index(), square.index()))
                .collect();
            assert_eq!(packed.men().collect::<Vec<_>>(), men);
            assert_eq!((packed.turn(), packed.clock(), packed.count_left()), (turn, clock, count));
            assert_eq!((packed.score(), packed.ply()), (-123, 300));
            assert_eq!(packed.result(), if turn == Color::White { 0.0 } else { 1.0 });
        }
    }
}
