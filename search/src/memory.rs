//! Large zeroed memory, and prefetching: what safe Rust does not offer.
#![allow(unsafe_code, reason = "see each block")]

use std::mem::MaybeUninit;
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, PoisonError};

/// A cache line of words that all threads may read and write.
#[repr(align(64))]
#[derive(Debug, Default)]
pub(crate) struct CacheLine(pub(crate) [AtomicU64; 8]);

/// Memory that this machine could still give, in bytes, where the system tells.
pub(crate) fn available() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kib * 1024)
}

/// Zeroed cache lines, written by up to `threads` threads so that no later write waits for the system.
/// `None` when there is not so much memory.
pub(crate) fn allocate_lines(count: usize, threads: usize) -> Option<Vec<CacheLine>> {
    let bytes = count.checked_mul(size_of::<CacheLine>())?;
    if available().is_some_and(|available| bytes as u64 > available) {
        return None;
    }
    let mut lines: Vec<CacheLine> = Vec::new();
    lines.try_reserve_exact(count).ok()?;
    let spare = &mut lines.spare_capacity_mut()[..count];
    advise_huge_pages(spare);
    in_chunks(spare, threads, |line| {
        line.write(CacheLine::default());
    });
    // SAFETY: the capacity is at least `count`, and the first `count` elements have just been written.
    unsafe { lines.set_len(count) };
    Some(lines)
}

/// Zeroes all lines, on up to `threads` threads.
pub(crate) fn clear_lines(lines: &mut [CacheLine], threads: usize) {
    in_chunks(lines, threads, |line| *line = CacheLine::default());
}

/// Applies a function to every item, on up to `threads` threads.
fn in_chunks<T: Send>(items: &mut [T], threads: usize, apply: impl Fn(&mut T) + Sync) {
    /// Below this a thread costs more than it saves.
    const SMALLEST: usize = 1 << 16;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let size = items.len().div_ceil(threads.clamp(1, cores)).max(SMALLEST);
    let chunks = Mutex::new(items.chunks_mut(size));
    // Whoever is free takes the next chunk, so that a thread that cannot be had leaves nothing undone.
    let next = || chunks.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        while let Some(chunk) = next() {
            chunk.iter_mut().for_each(&apply);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.clamp(1, cores) {
            if std::thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
}

/// Asks for pages of 2 MiB, which spare most misses of the address cache. A refusal changes nothing.
#[cfg(target_os = "linux")]
fn advise_huge_pages(memory: &mut [MaybeUninit<CacheLine>]) {
    const HUGE_PAGE: usize = 2 << 20;
    let bytes = size_of_val(memory);
    let start = memory.as_mut_ptr().cast::<u8>();
    let skip = start.align_offset(HUGE_PAGE);
    if skip < bytes {
        // SAFETY: the range begins in memory that we own; the advice is about paging and changes no contents,
        // also of what else may lie on its last page.
        unsafe { libc::madvise(start.add(skip).cast(), bytes - skip, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(target_os = "linux"))]
fn advise_huge_pages(_memory: &mut [MaybeUninit<CacheLine>]) {}

/// Asks the CPU to bring a line near. Never faults, whatever the address.
#[inline]
pub(crate) fn prefetch(line: &CacheLine) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing that the program can observe, and the pointer is valid anyway.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(line).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = line;
}
