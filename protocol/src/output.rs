//! Standard output, one line at a time, that survives a reader who goes away.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};

/// The most letters of a client's line that a message repeats.
pub(crate) const QUOTED: usize = 100;

/// A text of at most so many letters, with an ellipsis where it was longer.
pub(crate) fn shortened(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        None => text.into(),
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
    }
}

/// Writes a line to standard error. Unlike `eprintln!` it does not panic when nobody reads that.
pub(crate) fn complain(message: &str) {
    let _ = writeln!(io::stderr(), "{message}");
}

/// Writes lines and notes when nobody reads them any more.
#[derive(Debug)]
pub(crate) struct Output {
    stdout: io::Stdout,
    closed: bool,
    failed: bool,
    /// Where all lines in and out are kept, if anywhere.
    journal: Option<File>,
}

impl Output {
    pub(crate) fn stdout() -> Output {
        Output { stdout: io::stdout(), closed: false, failed: false, journal: None }
    }

    /// Writes a line and flushes it at once.
    pub(crate) fn line(&mut self, line: &str) {
        if self.closed {
            return;
        }
        log::debug!("> {line}");
        self.note("> ", line);
        let mut stdout = self.stdout.lock();
        let written = stdout
            .write_all(line.as_bytes())
            .and_then(|()| stdout.write_all(b"\n"))
            .and_then(|()| stdout.flush());
        if let Err(error) = written {
            log::warn!("standard output is closed: {error}");
            self.closed = true;
            // A reader may leave when it has seen enough; a full disk is another matter.
            self.failed = error.kind() != io::ErrorKind::BrokenPipe;
        }
    }

    /// Keeps all lines from now on at the end of a file too; with an empty name nowhere.
    ///
    /// # Errors
    /// When the file cannot be opened; lines go where they went before.
    pub(crate) fn keep_journal(&mut self, path: &str) -> io::Result<()> {
        self.journal = match path {
            "" => None,
            path => Some(OpenOptions::new().create(true).append(true).open(path)?),
        };
        Ok(())
    }

    /// Notes a line that came in.
    pub(crate) fn received(&mut self, line: &str) {
        log::debug!("< {line}");
        self.note("< ", line);
    }

    /// Writes a line to the journal, which is closed when it cannot be written.
    fn note(&mut self, direction: &str, line: &str) {
        let Some(file) = &mut self.journal else { return };
        if let Err(error) = file.write_all(format!("{direction}{line}\n").as_bytes()) {
            log::warn!("the log file is closed: {error}");
            self.journal = None;
        }
    }

    /// True once something could not be written though somebody wanted it.
    pub(crate) const fn has_failed(&self) -> bool {
        self.failed
    }

    /// True once a write has failed.
    pub(crate) const fn is_closed(&self) -> bool {
        self.closed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_between_letters() {
        assert_eq!(shortened("žluť", 4), "žluť");
        assert_eq!(shortened("žluťoučký", 4), "žluť…");
        assert_eq!(shortened("", 0), "");
    }
}
