//! Standard input, read on a thread of its own so that commands come through during a search.

use std::io::{self, BufRead, BufReader, Read};

use crossbeam_channel::{Receiver, bounded};

/// What comes from standard input.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// A line without its end. Bytes that are no UTF-8 are replaced; NUL and byte order marks are blanks.
    Line(String),
    /// A line longer than [`LONGEST`] was thrown away.
    TooLong,
    /// Nothing more will come.
    End,
}

/// The longest line that is read, in bytes: a game of 100 000 moves is far shorter.
const LONGEST: u64 = 16 << 20;

/// What some shells and editors put before the first line.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Lines that may wait to be looked at before the reader waits too.
const QUEUE: usize = 1024;

/// Starts the reading thread.
pub(crate) fn read_stdin() -> Receiver<Input> {
    let (sender, receiver) = bounded(QUEUE);
    let body = move || {
        let mut reader = BufReader::new(io::stdin());
        loop {
            let input = next(&mut reader);
            let is_end = input == Input::End;
            if sender.send(input).is_err() || is_end {
                return;
            }
        }
    };
    if let Err(error) = std::thread::Builder::new().name("input".into()).spawn(body) {
        // Without its sender the receiver is at its end at once.
        log::error!("cannot read standard input: {error}");
    }
    receiver
}

/// Reads one line. A read error is an end.
fn next(reader: &mut impl BufRead) -> Input {
    let mut bytes = Vec::new();
    match reader.by_ref().take(LONGEST).read_until(b'\n', &mut bytes) {
        Ok(0) | Err(_) => Input::End,
        Ok(_) if bytes.len() as u64 == LONGEST && bytes.last() != Some(&b'\n') => match skip_line(reader) {
            Ok(()) => Input::TooLong,
            Err(_) => Input::End,
        },
        Ok(_) => {
            while matches!(bytes.last(), Some(b'\n' | b'\r')) {
                bytes.pop();
            }
            Input::Line(String::from_utf8_lossy(&bytes).replace(['\0', BYTE_ORDER_MARK], " "))
        }
    }
}

/// Reads to the end of the line and keeps nothing.
fn skip_line(reader: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = reader.fill_buf()?;
        let (used, done) = match buffer.iter().position(|&byte| byte == b'\n') {
            Some(at) => (at + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        reader.consume(used);
        if done {
            return Ok(());
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_every_kind() {
        let mut reader = &b"\xef\xbb\xbfuci\r\n\n\xff\x00go\nlast"[..];
        let line = |text: &str| Input::Line(text.into());
        assert_eq!(next(&mut reader), line(" uci"));
        assert_eq!(next(&mut reader), line(""));
        assert_eq!(next(&mut reader), line("\u{fffd} go"));
        assert_eq!(next(&mut reader), line("last"));
        assert_eq!(next(&mut reader), Input::End);
        let mut long = vec![b'x'; LONGEST as usize + 5];
        long.extend_from_slice(b"\nquit\n");
        let mut reader = &long[..];
        assert_eq!(next(&mut reader), Input::TooLong);
        assert_eq!(next(&mut reader), line("quit"));
    }
}
