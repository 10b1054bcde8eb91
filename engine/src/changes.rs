//! State that changes while the load runs: which answers are right meanwhile, and after.
//!
//! Whoever alters the state says so before and after. A request for which the change is under way may
//! be answered by the old state or by the new one; a request that is sent after it, only by the new.
//! Time plays no part: a request remembers how many changes were complete when it was sent, and its
//! answer is judged by how many have begun, so that a load may stand still in between.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use serde::{Deserialize, Serialize};

use crate::checks::{Checks, Right, SetCounts, Version};
use crate::os;

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
    /// What no check of an answer tells: it is for the audit to see by which state one was made.
    State,
}

/// What became of the changes of a load.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ChangesReport {
    /// Changes that were announced.
    pub changes: usize,
    /// Those of them by which every answer was judged.
    pub lookups: usize,
    /// Counts that were to be set.
    pub counts_set: usize,
    /// Counters that went on from a number that was set.
    pub counts_followed: u64,
}

/// The changes of a load, seen by all of its threads.
#[derive(Debug)]
pub struct Changes {
    begun: AtomicUsize,
    settled: AtomicUsize,
    versions: Mutex<Vec<Arc<Version>>>,
    /// When each was complete, on the clock of the system; the first is when there were none yet.
    ended: Mutex<Vec<u64>>,
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
            ended: Mutex::new(vec![os::system_now()]),
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
        let mut ended = self.ended.lock().expect("threads do not panic");
        if ended.len() <= begun {
            ended.push(os::system_now());
        }
        self.settled.store(begun, Ordering::SeqCst);
    }

    /// How many are complete. What is sent after this was read must be answered by them.
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

    /// What may be answered by now to a request that was sent when so many were `settled`.
    #[inline]
    pub fn right(&mut self, settled: usize) -> Right<'_> {
        let begun = self.changes.begun.load(Ordering::Acquire);
        if begun >= self.versions.len() {
            self.versions.clone_from(&self.changes.versions());
        }
        Right::new(&self.versions, settled, begun, &self.changes.counts)
    }

    /// When the last of so many that were `settled` was complete, on the clock of the system: what
    /// was sent when they were had to be answered by all that was complete by then.
    pub fn settled_at(&self, settled: usize) -> u64 {
        self.changes.ended.lock().expect("threads do not panic")[settled]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::Spec;
    use crate::template::{Compiled, User};

    /// Judges answers to the one value of a variable, or counts, while their state changes.
    struct Judge {
        compiled: Compiled,
        checks: Checks,
        changes: Changes,
        user: User,
    }

    impl Judge {
        fn new(check: &str) -> Judge {
            let spec = format!(
                r#"{{"target": {{"host": "127.0.0.1", "port": 80}},
                    "load": {{"kind": "iterations", "users": 1, "iterations": 1}},
                    "variables": {{"v": {{"kind": "choice", "values": ["a"]}}}},
                    "requests": [{{"name": "r", "path": "/{{v}}", "checks": [{check}]}}]}}"#
            );
            let spec = Spec::parse(&spec).unwrap();
            let compiled = Compiled::new(&spec).unwrap();
            let checks = Checks::new(&spec, &compiled).unwrap();
            let (changes, user) = (Changes::new(&checks), compiled.user(0));
            Judge { compiled, checks, changes, user }
        }

        fn lookup() -> Judge {
            Judge::new(r#"{"kind": "lookup", "variable": "v", "expected": {"a": "old"}}"#)
        }

        fn begin(&self, body: &str) {
            let change =
                format!(r#"{{"kind": "lookup", "variable": "v", "expected": {{"a": "{body}"}}}}"#);
            self.changes.begin(&change, &self.checks).unwrap();
        }

        /// What is wrong with the answer `body` to a request sent when so many were `settled`.
        fn judge(&mut self, settled: usize, body: &str) -> Result<(), String> {
            let rendered = self.compiled.render(&mut self.user, &mut Vec::new());
            let mut view = View::new(&self.changes);
            let (right, length) = (view.right(settled), body.len() as u64);
            let (checks, user) = (&self.checks, &mut self.user);
            let verdict = checks.verify(200, body.as_bytes(), length, &rendered, user, right);
            verdict.map_err(|failure| failure.detail)
        }
    }

    #[test]
    fn old_and_new_are_right_while_the_state_changes_and_only_new_after() {
        let mut judge = Judge::lookup();
        assert_eq!(judge.judge(0, "old"), Ok(()));
        assert!(judge.judge(0, "new").is_err());
        judge.begin("new");
        let sent = judge.changes.settled();
        assert_eq!((sent, judge.judge(sent, "old"), judge.judge(sent, "new")), (0, Ok(()), Ok(())));
        judge.changes.end();
        // Sent before the end, answered after it: the server may have looked at any time between.
        assert_eq!((judge.judge(sent, "old"), judge.judge(sent, "new")), (Ok(()), Ok(())));
        let sent = judge.changes.settled();
        assert_eq!(judge.judge(sent, "new"), Ok(()));
        let expected = r#"out of date, the state had changed: body: expected "new", got "old""#;
        assert_eq!(judge.judge(sent, "old").unwrap_err(), expected);
        let expected = r#"body: expected "new", got "other""#;
        assert_eq!(judge.judge(sent, "other").unwrap_err(), expected);
    }

    #[test]
    fn a_slow_answer_may_have_seen_any_state_since_it_was_asked() {
        let mut judge = Judge::lookup();
        for body in ["one", "two", "three"] {
            judge.begin(body);
            judge.changes.end();
        }
        for (settled, right) in [(0, 4), (1, 3), (2, 2), (3, 1)] {
            let bodies = ["three", "two", "one", "old"];
            let passed = bodies.map(|body| judge.judge(settled, body).is_ok());
            assert_eq!(passed, std::array::from_fn(|place| place < right), "{settled}");
        }
    }

    #[test]
    fn a_view_learns_of_changes_that_begin_after_it() {
        let judge = Judge::lookup();
        let mut view = View::new(&judge.changes);
        assert_eq!(view.versions.len(), 1);
        judge.begin("new");
        view.right(0);
        assert_eq!(view.versions.len(), 2);
    }

    #[test]
    fn a_counter_goes_on_from_a_number_that_was_set_once() {
        let mut judge = Judge::new(r#"{"kind": "counter", "pattern": "^(\\d+)$", "step": 1}"#);
        assert_eq!((judge.judge(0, "1"), judge.judge(0, "2")), (Ok(()), Ok(())));
        let change = r#"{"kind": "count", "values": [500, 700, 900]}"#;
        judge.changes.begin(change, &judge.checks).unwrap();
        judge.changes.end();
        // A count that was overwritten, by a visit that had been read before, goes on as it was.
        assert_eq!((judge.judge(0, "3"), judge.judge(0, "701")), (Ok(()), Ok(())));
        assert_eq!((judge.judge(0, "702"), judge.judge(0, "501")), (Ok(()), Ok(())));
        assert_eq!(judge.judge(0, "701").unwrap_err(), "counter: expected 502, got 701");
        let expected = ChangesReport { changes: 1, lookups: 0, counts_set: 3, counts_followed: 2 };
        assert_eq!(judge.changes.report(), expected);
    }

    #[test]
    fn what_no_check_tells_is_told_by_the_clock() {
        let mut judge = Judge::lookup();
        let before = os::system_now();
        judge.changes.begin(r#"{"kind": "state"}"#, &judge.checks).unwrap();
        let between = os::system_now();
        judge.changes.end();
        assert_eq!((judge.judge(0, "old"), judge.judge(1, "old")), (Ok(()), Ok(())));
        let view = View::new(&judge.changes);
        assert!(view.settled_at(0) <= before);
        assert!((between..=os::system_now()).contains(&view.settled_at(1)));
    }

    #[test]
    fn a_change_that_makes_no_sense_is_refused() {
        let judge = Judge::lookup();
        let error = |change: &str| judge.changes.begin(change, &judge.checks).unwrap_err();
        let lookup = |variable: &str, value: &str| {
            format!(
                r#"{{"kind": "lookup", "variable": "{variable}", "expected": {{"{value}": "x"}}}}"#
            )
        };
        assert_eq!(error(&lookup("w", "a")), "change: no check is a lookup of 'w'");
        let unknown = r#"change: expected: the variable has no value "b""#;
        assert_eq!(error(&lookup("v", "b")), unknown);
        assert!(error("{}").starts_with("change: missing field `kind`"));
        judge.begin("new");
        assert_eq!(error(&lookup("v", "a")), "change: one is under way; end it first");
        assert_eq!(judge.changes.report().changes, 1);
    }
}
