//! What the outside tells a running search.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, PoisonError};

/// Stop and ponder-hit, read by the threads of one search.
#[derive(Debug, Default)]
pub(crate) struct Signals {
    stop: AtomicBool,
    /// The answer must wait for `stop` (or for the end of pondering).
    holding: AtomicBool,
    pondering: AtomicBool,
    lock: Mutex<()>,
    changed: Condvar,
}

impl Signals {
    pub(crate) fn new(infinite: bool, ponder: bool) -> Signals {
        Signals {
            holding: AtomicBool::new(infinite || ponder),
            pondering: AtomicBool::new(ponder),
            ..Signals::default()
        }
    }

    fn change(&self, change: impl FnOnce()) {
        let _guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        change();
        self.changed.notify_all();
    }

    /// Ends the search, and with it any waiting.
    pub(crate) fn stop(&self) {
        self.change(|| {
            self.stop.store(true, Relaxed);
            self.holding.store(false, Relaxed);
            self.pondering.store(false, Relaxed);
        });
    }

    /// A pondering search goes on by its clock.
    pub(crate) fn ponder_hit(&self) {
        self.change(|| {
            if self.pondering.swap(false, Relaxed) {
                self.holding.store(false, Relaxed);
            }
        });
    }

    /// The search itself has found its end; the answer may still have to wait.
    #[inline]
    pub(crate) fn end(&self) {
        self.stop.store(true, Relaxed);
    }

    #[inline]
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    #[inline]
    pub(crate) fn is_pondering(&self) -> bool {
        self.pondering.load(Relaxed)
    }

    /// Sleeps until the answer may be given.
    pub(crate) fn wait_for_release(&self) {
        let mut guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        while self.holding.load(Relaxed) {
            guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
