//! The learned evaluation: a small perspective network in integers.
//!
//! For each side the men on the board, seen from that side, switch on some of 768 inputs (2 colours × 6
//! roles × 64 squares; the board is mirrored so that the side's own king stands on files a to d). They feed
//! a hidden layer that both sides share. The mover's hidden layer and then the other's, each through a
//! squared clipped ReLU, feed one of several outputs, chosen by how many men are left.
//!
//! | part | type | scale |
//! |---|---|---|
//! | hidden layer and its weights | `i16` | [`QA`] is 1.0 |
//! | output weights | `i16` | [`QB`] is 1.0 |
//! | output biases | `i32` | `QA` × `QB` is 1.0 |
//! | output | centipawns | 1.0 is [`SCALE`] |

mod accumulator;
mod kernel;

use std::fmt;
use std::io::Read;
use std::path::Path;

use makara_engine::{Color, Piece, Position, Square};

pub(crate) use accumulator::Accumulators;

/// Inputs of each side.
const INPUTS: usize = 768;
/// Hidden units of each side.
pub(crate) const HIDDEN: usize = 256;
/// Outputs to choose from.
const BUCKETS: usize = 8;
/// What stands for 1.0 in the hidden layer.
const QA: i32 = 255;
/// What stands for 1.0 in the output weights.
const QB: i32 = 64;
/// Centipawns of an output of 1.0.
const SCALE: i32 = 400;

/// No score is greater, in centipawns.
const MOST: i64 = 20_000;
/// The greatest output weight: times [`QA`] it still fits 16 bits.
const LARGEST_WEIGHT: u16 = 128;

const MAGIC: &[u8; 8] = b"MakaraNN";
const VERSION: u32 = 1;
const HEADER: usize = 64;
const PAYLOAD: usize = 2 * (INPUTS * HIDDEN + HIDDEN + BUCKETS * 2 * HIDDEN) + 4 * BUCKETS;

/// The network inside the binary, as a file of the format that `training/README.md` describes.
pub const BUILT_IN_NETWORK: &[u8] = include_bytes!("../../networks/makara.nn");

/// One side's hidden layer before its activation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(crate) struct Hidden([i16; HIDDEN]);

/// A network, about 400 KiB.
pub(crate) struct Network {
    features: Vec<Hidden>,
    biases: Hidden,
    output: [[Hidden; 2]; BUCKETS],
    output_biases: [i32; BUCKETS],
}

/// Why a file is no network for this engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NetworkError {
    /// The file cannot be read.
    Unreadable(String),
    /// The file is not a network of this engine.
    Foreign,
    /// The network has another version, shape or scale: its name, what the file has, what is needed.
    Shape(&'static str, u32, u32),
    /// The file has so many bytes instead of so many.
    Length(usize, usize),
    /// The contents do not fit their checksum.
    Damaged,
    /// Output weights are too large for the arithmetic.
    Range,
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetworkError::Unreadable(cause) => write!(f, "cannot read the network: {cause}"),
            NetworkError::Foreign => f.write_str("not a Makara network"),
            NetworkError::Shape(what, found, needed) => {
                write!(f, "the network has {what} {found}, this engine needs {needed}")
            }
            NetworkError::Length(found, needed) => {
                write!(f, "the network has {found} bytes instead of {needed}")
            }
            NetworkError::Range => f.write_str("the network's output weights are too large"),
            NetworkError::Damaged => f.write_str("the network is damaged: its checksum does not fit"),
        }
    }
}

impl std::error::Error for NetworkError {}

/// FNV-1a, 64 bits.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Reads little-endian numbers one after another; the caller has checked the length.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        if let Some((head, tail)) = self.0.split_at_checked(N) {
            bytes.copy_from_slice(head);
            self.0 = tail;
        }
        bytes
    }

    fn hidden(&mut self) -> Hidden {
        Hidden(std::array::from_fn(|_| i16::from_le_bytes(self.take())))
    }
}

impl Network {
    /// The network inside the binary.
    ///
    /// # Errors
    /// As [`from_bytes`](Network::from_bytes).
    pub(crate) fn embedded() -> Result<Network, NetworkError> {
        Network::from_bytes(BUILT_IN_NETWORK)
    }

    /// Reads a file, of which no more is looked at than a network has.
    ///
    /// # Errors
    /// When the file cannot be read, and as [`from_bytes`](Network::from_bytes).
    pub(crate) fn from_file(path: &Path) -> Result<Network, NetworkError> {
        let unreadable = |error: std::io::Error| NetworkError::Unreadable(error.to_string());
        // A pipe or a device might never end, or never begin.
        if !std::fs::metadata(path).map_err(unreadable)?.is_file() {
            return Err(NetworkError::Unreadable("not a regular file".into()));
        }
        let file = std::fs::File::open(path).map_err(unreadable)?;
        let mut bytes = Vec::new();
        file.take((HEADER + PAYLOAD + 1) as u64).read_to_end(&mut bytes).map_err(unreadable)?;
        Network::from_bytes(&bytes)
    }

    /// Reads the file format that `training/README.md` describes.
    ///
    /// # Errors
    /// For anything that is not a whole, undamaged network of this shape.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        let mut reader = Reader(bytes);
        if bytes.len() < HEADER || reader.take() != *MAGIC {
            return Err(NetworkError::Foreign);
        }
        let expected = [
            ("version", VERSION),
            ("inputs", INPUTS as u32),
            ("hidden units", HIDDEN as u32),
            ("output buckets", BUCKETS as u32),
            ("hidden scale", QA as u32),
            ("output scale", QB as u32),
            ("score scale", SCALE as u32),
        ];
        for (what, needed) in expected {
            let found = u32::from_le_bytes(reader.take());
            if found != needed {
                return Err(NetworkError::Shape(what, found, needed));
            }
        }
        if bytes.len() != HEADER + PAYLOAD {
            return Err(NetworkError::Length(bytes.len(), HEADER + PAYLOAD));
        }
        let sum = u64::from_le_bytes(Reader(&bytes[HEADER - 8..]).take());
        if checksum(&bytes[HEADER..]) != sum {
            return Err(NetworkError::Damaged);
        }
        let mut reader = Reader(&bytes[HEADER..]);
        let network = Network {
            features: (0..INPUTS).map(|_| reader.hidden()).collect(),
            biases: reader.hidden(),
            output: std::array::from_fn(|_| [reader.hidden(), reader.hidden()]),
            output_biases: std::array::from_fn(|_| i32::from_le_bytes(reader.take())),
        };
        if network.fits() { Ok(network) } else { Err(NetworkError::Range) }
    }

    /// True when no product or sum of the output layer can leave its type.
    fn fits(&self) -> bool {
        self.output.iter().all(|halves| {
            let sizes = || halves.iter().flat_map(|half| &half.0).map(|weight| weight.unsigned_abs());
            let sum: i64 = sizes().map(i64::from).sum();
            sizes().all(|size| size <= LARGEST_WEIGHT) && sum * i64::from(QA * QA) <= i64::from(i32::MAX)
        })
    }

    /// The network's score in centipawns, given both hidden layers, the mover's first.
    #[inline]
    fn output(&self, position: &Position, mover: &Hidden, other: &Hidden) -> i32 {
        self.output_of(bucket(position), mover, other)
    }

    /// The score by one of the outputs.
    #[inline]
    fn output_of(&self, bucket: usize, mover: &Hidden, other: &Hidden) -> i32 {
        let [mover_weights, other_weights] = &self.output[bucket];
        let sum = kernel::activate(&mover.0, &mover_weights.0) + kernel::activate(&other.0, &other_weights.0);
        let scaled = (i64::from(sum / QA) + i64::from(self.output_biases[bucket])) * i64::from(SCALE);
        (scaled / i64::from(QA * QB)).clamp(-MOST, MOST) as i32
    }
}

/// The output for a position.
#[inline]
fn bucket(position: &Position) -> usize {
    ((position.occupied().count() - 2) / 4).min(BUCKETS - 1)
}

/// How a side looks at the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct View {
    side: Color,
    mirrored: bool,
}

impl View {
    fn new(side: Color, king: Square) -> View {
        View { side, mirrored: king.file().index() >= 4 }
    }

    /// The input that a man on a square switches on.
    #[inline]
    fn input(self, piece: Piece, square: Square) -> usize {
        let square = square.relative_to(self.side).index() ^ if self.mirrored { 7 } else { 0 };
        let whose = if piece.color() == self.side { 0 } else { 384 };
        whose + piece.role().index() * 64 + square
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A network of pseudo-random weights, in the file format.
    pub(super) fn random_bytes() -> Vec<u8> {
        let mut random = 0x1234_5678_9abc_def1_u64;
        let mut next = |range: i64| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            (random % (2 * range as u64 + 1)) as i64 - range
        };
        let mut payload = Vec::with_capacity(PAYLOAD);
        let mut push = |count: usize, range: i64| {
            for _ in 0..count {
                payload.extend_from_slice(&(next(range) as i16).to_le_bytes());
            }
        };
        push(INPUTS * HIDDEN, 60);
        push(HIDDEN, 100);
        push(BUCKETS * 2 * HIDDEN, 60);
        for bucket in 0..BUCKETS as i32 {
            payload.extend_from_slice(&(bucket * 1000).to_le_bytes());
        }
        let mut bytes = MAGIC.to_vec();
        for number in
            [VERSION, INPUTS as u32, HIDDEN as u32, BUCKETS as u32, QA as u32, QB as u32, SCALE as u32]
        {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        bytes.resize(HEADER - 8, 0);
        bytes.extend_from_slice(&checksum(&payload).to_le_bytes());
        bytes.extend_from_slice(&payload);
        bytes
    }

    #[test]
    fn bad_files_are_refused() {
        let good = random_bytes();
        assert!(Network::from_bytes(&good).is_ok());
        let error = |bytes: &[u8]| Network::from_bytes(bytes).err();
        assert_eq!(error(&[]), Some(NetworkError::Foreign));
        assert_eq!(error(&good[..40]), Some(NetworkError::Foreign));
        assert_eq!(error(&good[..5000]), Some(NetworkError::Length(5000, good.len())));
        let mut longer = good.clone();
        longer.push(0);
        assert_eq!(error(&longer), Some(NetworkError::Length(good.len() + 1, good.len())));
        let change = |at: usize| {
            let mut bytes = good.clone();
            bytes[at] ^= 1;
            error(&bytes)
        };
        assert_eq!(change(0), Some(NetworkError::Foreign));
        assert_eq!(change(8), Some(NetworkError::Shape("version", 0, 1)));
        assert_eq!(change(16), Some(NetworkError::Shape("hidden units", HIDDEN as u32 ^ 1, HIDDEN as u32)));
        assert_eq!(change(HEADER + 12345), Some(NetworkError::Damaged));
        assert_eq!(change(HEADER - 1), Some(NetworkError::Damaged));
    }
}
