//! Batches from position files, read ahead by a thread of its own.

use std::path::PathBuf;

use crossbeam_channel::{Receiver, bounded};

use crate::error::FileError;
use crate::packed::{Packed, PackedReader};

/// Batches that wait for the trainer.
const AHEAD: usize = 4;

/// An endless stream of batches.
#[derive(Debug)]
pub(super) struct Stream {
    batches: Receiver<Result<Vec<Packed>, FileError>>,
}

impl Stream {
    /// Starts to read at the position with this number, files one after another and again and again.
    pub(super) fn start(paths: Vec<PathBuf>, first: u64, batch: usize) -> Result<Stream, FileError> {
        let mut readers = paths.iter().map(|path| PackedReader::open(path)).collect::<Result<Vec<_>, _>>()?;
        let all: u64 = readers.iter().map(PackedReader::count).sum();
        if all == 0 {
            let path = paths.first().cloned().unwrap_or_default();
            return Err(FileError::damaged(&path, 0, "no positions to train on"));
        }
        let mut skip = first % all;
        let mut current = 0;
        while let Some(reader) = readers.get(current)
            && skip >= reader.count()
        {
            skip -= reader.count();
            current += 1;
        }
        if let Some(reader) = readers.get_mut(current) {
            reader.seek(skip)?;
        }
        let (sender, batches) = bounded(AHEAD);
        let mut fill = move || -> Result<Vec<Packed>, FileError> {
            let mut positions = Vec::with_capacity(batch);
            while positions.len() < batch {
                let wanted = batch - positions.len();
                if readers[current].read(&mut positions, wanted)? == 0 {
                    current = (current + 1) % readers.len();
                    readers[current].seek(0)?;
                }
            }
            Ok(positions)
        };
        let body = move || {
            loop {
                let batch = fill();
                let failed = batch.is_err();
                // The trainer has ended when nobody takes the batch.
                if sender.send(batch).is_err() || failed {
                    return;
                }
            }
        };
        std::thread::Builder::new()
            .name("reader".into())
            .spawn(body)
            .map_err(FileError::io("reader".as_ref()))?;
        Ok(Stream { batches })
    }

    /// The next batch.
    pub(super) fn next(&self) -> Result<Vec<Packed>, FileError> {
        let lost = || FileError::damaged("reader".as_ref(), 0, "the reading thread was lost");
        self.batches.recv().unwrap_or_else(|_| Err(lost()))
    }
}
