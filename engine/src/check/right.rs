//! The versions of a server's state by which an answer may be right.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use super::lookup::Lookup;

/// What is right between two changes of state: the bodies of each `lookup` check.
#[derive(Debug, Clone)]
pub struct Version {
    pub(super) lookups: Vec<Lookup>,
}

/// Counts that were set in the server's state; a counter may go on from each, once.
#[derive(Debug, Default)]
pub struct SetCounts {
    open: Mutex<HashSet<i64>>,
    followed: AtomicU64,
}

impl SetCounts {
    /// One is about to be set to `value`.
    pub fn set(&self, value: i64) {
        self.open.lock().expect("threads do not panic").insert(value);
    }

    /// How many counters have gone on from one.
    pub fn followed(&self) -> u64 {
        self.followed.load(Ordering::SeqCst)
    }

    fn take(&self, value: i64) -> bool {
        let took = self.open.lock().expect("threads do not panic").remove(&value);
        if took {
            self.followed.fetch_add(1, Ordering::SeqCst);
        }
        took
    }
}

/// By what an answer may be right: `versions` from the one that was settled when its request was sent
/// to the last that has begun.
#[derive(Debug, Clone, Copy)]
pub struct Right<'a> {
    versions: &'a [Arc<Version>],
    settled: usize,
    begun: usize,
    counts: &'a SetCounts,
}

impl<'a> Right<'a> {
    /// `versions` are all from the first on; `settled` and `begun` are places in it.
    pub fn new(
        versions: &'a [Arc<Version>],
        settled: usize,
        begun: usize,
        counts: &'a SetCounts,
    ) -> Right<'a> {
        Right { versions, settled: settled.min(begun), begun, counts }
    }

    /// What is right by the newest.
    #[inline]
    pub(super) fn newest(&self, lookup: usize, value: i64) -> Option<&'a [u8]> {
        self.versions[self.begun].lookups[lookup].get(value)
    }

    /// Whether `body` is right by any of them.
    pub(super) fn holds(&self, lookup: usize, value: i64, body: &[u8]) -> bool {
        Self::any(&self.versions[self.settled..=self.begun], lookup, value, body)
    }

    /// Whether `body` was right before.
    pub(super) fn held(&self, lookup: usize, value: i64, body: &[u8]) -> bool {
        Self::any(&self.versions[..self.settled], lookup, value, body)
    }

    fn any(versions: &[Arc<Version>], lookup: usize, value: i64, body: &[u8]) -> bool {
        versions.iter().any(|version| version.lookups[lookup].get(value) == Some(body))
    }

    /// Whether a counter goes on from a number that was set and that no other has gone on from.
    pub(super) fn goes_on_from(&self, value: i64) -> bool {
        self.begun > 0 && self.counts.take(value)
    }
}
