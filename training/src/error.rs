//! What can go wrong with files.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// A fault of a file, with its path.
#[derive(Debug)]
pub enum FileError {
    /// The system refused.
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file begins otherwise than a file of this kind.
    WrongKind {
        /// The file.
        path: PathBuf,
        /// The kind that was expected.
        expected: &'static str,
    },
    /// The file is of a version that this program does not know.
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u32,
    },
    /// The contents contradict themselves.
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where, in bytes from the start.
        offset: u64,
        /// What is wrong.
        what: String,
    },
}

impl FileError {
    /// For `map_err`: an error of the system with the file's path.
    pub fn io(path: &Path) -> impl FnOnce(io::Error) -> FileError + '_ {
        move |source| FileError::Io { path: path.into(), source }
    }

    /// Contents that contradict themselves.
    pub fn damaged(path: &Path, offset: u64, what: impl Into<String>) -> FileError {
        FileError::Damaged { path: path.into(), offset, what: what.into() }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileError::Io { path, source } => write!(f, "{}: {source}", path.display()),
            FileError::WrongKind { path, expected } => write!(f, "{}: no {expected}", path.display()),
            FileError::Version { path, version } => {
                write!(f, "{}: version {version} is not known here", path.display())
            }
            FileError::Damaged { path, offset, what } => {
                write!(f, "{}: damaged at byte {offset}: {what}", path.display())
            }
        }
    }
}

impl std::error::Error for FileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            FileError::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}
