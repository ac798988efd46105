//! Standard output, one line at a time, that survives a reader who goes away.

use std::io::{self, Write};

/// Writes lines and notes when nobody reads them any more.
#[derive(Debug)]
pub(crate) struct Output {
    stdout: io::Stdout,
    closed: bool,
}

impl Output {
    pub(crate) fn stdout() -> Output {
        Output { stdout: io::stdout(), closed: false }
    }

    /// Writes a line and flushes it at once.
    pub(crate) fn line(&mut self, line: &str) {
        if self.closed {
            return;
        }
        log::debug!("> {line}");
        let mut stdout = self.stdout.lock();
        let written = stdout
            .write_all(line.as_bytes())
            .and_then(|()| stdout.write_all(b"\n"))
            .and_then(|()| stdout.flush());
        if let Err(error) = written {
            log::warn!("standard output is closed: {error}");
            self.closed = true;
        }
    }

    /// True once a write has failed.
    pub(crate) const fn is_closed(&self) -> bool {
        self.closed
    }
}
