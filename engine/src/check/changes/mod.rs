//! State that changes while the load runs: which answers are right meanwhile, and after.
//!
//! Whoever changes the state announces it before and after. A request in flight between the two may be
//! answered from the old state or from the new one; a request sent after it only from the new one. No
//! clock is involved, so that a load may be paused in between: a request remembers how many changes
//! were complete when it was sent, and its answer is judged by those that had begun when it arrived.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use serde::{Deserialize, Serialize};

use crate::check::{Checks, Right, SetCounts, Version};

/// A change of state, as it is announced.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
enum Change {
    /// Values of a variable that a `lookup` check names get other bodies.
    Lookup {
        variable: String,
        /// Value to body; the others stay as they are.
        expected: BTreeMap<String, String>,
    },
    /// Counts of some users are set to numbers that no counter reaches by itself, and that no two
    /// of them share.
    Count { values: Vec<i64> },
    /// A change that no check can see: the audit judges each sample by the states it may have seen.
    State,
}

/// The changes of a load, as its result tells them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ChangesReport {
    /// Changes that were announced.
    pub changes: usize,
    /// Those of them that changed what a `lookup` expects.
    pub lookups: usize,
    /// Counts that were to be set.
    pub counts_set: usize,
    /// Counters that continued from a number that was set.
    pub counts_followed: u64,
}

/// The changes of a load, seen by all of its threads.
#[derive(Debug)]
pub struct Changes {
    begun: AtomicUsize,
    settled: AtomicUsize,
    versions: Mutex<Vec<Arc<Version>>>,
    lookups: AtomicUsize,
    counts: SetCounts,
    counts_set: AtomicUsize,
}

impl Changes {
    /// None yet.
    pub fn new(checks: &Checks) -> Changes {
        Changes {
            begun: AtomicUsize::new(0),
            settled: AtomicUsize::new(0),
            versions: Mutex::new(vec![Arc::new(checks.first().clone())]),
            lookups: AtomicUsize::new(0),
            counts: SetCounts::default(),
            counts_set: AtomicUsize::new(0),
        }
    }

    /// A change is about to be made; from now on either state is right.
    ///
    /// # Errors
    /// One line that says what is wrong with the specification, or that one is under way.
    pub fn begin(&self, spec: &str, checks: &Checks) -> Result<(), String> {
        let change = serde_json::from_str(spec).map_err(|error| format!("change: {error}"))?;
        let mut versions = self.versions();
        let begun = self.begun.load(Ordering::SeqCst);
        if self.settled.load(Ordering::SeqCst) != begun {
            return Err("change: one is under way; end it first".to_owned());
        }
        let last = &versions[begun];
        let next = match change {
            Change::Lookup { variable, expected } => {
                let next = checks.changed(last, &variable, &expected);
                let next = next.map_err(|error| format!("change: {error}"))?;
                self.lookups.fetch_add(1, Ordering::SeqCst);
                Arc::new(next)
            }
            Change::Count { values } => {
                values.iter().for_each(|value| self.counts.set(*value));
                self.counts_set.fetch_add(values.len(), Ordering::SeqCst);
                Arc::clone(last)
            }
            Change::State => Arc::clone(last),
        };
        versions.push(next);
        self.begun.store(begun + 1, Ordering::SeqCst);
        Ok(())
    }

    /// The change is made: whatever is sent from now on must be answered by the new state.
    pub fn end(&self) {
        let begun = self.begun.load(Ordering::SeqCst);
        self.settled.store(begun, Ordering::SeqCst);
    }

    /// How many are complete. A request sent after this was read must be answered from that state or
    /// a newer one.
    #[inline]
    pub fn settled(&self) -> usize {
        self.settled.load(Ordering::Acquire)
    }

    /// What became of them.
    pub fn report(&self) -> ChangesReport {
        ChangesReport {
            changes: self.begun.load(Ordering::SeqCst),
            lookups: self.lookups.load(Ordering::SeqCst),
            counts_set: self.counts_set.load(Ordering::SeqCst),
            counts_followed: self.counts.followed(),
        }
    }

    fn versions(&self) -> MutexGuard<'_, Vec<Arc<Version>>> {
        self.versions.lock().expect("threads do not panic")
    }
}

/// What one thread knows of the changes.
#[derive(Debug)]
pub struct View<'a> {
    changes: &'a Changes,
    versions: Vec<Arc<Version>>,
}

impl<'a> View<'a> {
    /// All so far.
    pub fn new(changes: &'a Changes) -> View<'a> {
        View { changes, versions: changes.versions().clone() }
    }

    /// What may be answered by now to a request that was sent when `settled` changes were complete.
    #[inline]
    pub fn right(&mut self, settled: usize) -> Right<'_> {
        let begun = self.changes.begun.load(Ordering::Acquire);
        if begun >= self.versions.len() {
            self.versions.clone_from(&self.changes.versions());
        }
        Right::new(&self.versions, settled, begun, &self.changes.counts)
    }
}

#[cfg(test)]
mod tests;
