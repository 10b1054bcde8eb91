//! Answers to requests that were sent before, during and after changes of state.

use super::*;
use crate::plan::spec::Spec;
use crate::plan::template::{Compiled, User};

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
        let drawn = self.compiled.draw(&mut self.user);
        let mut view = View::new(&self.changes);
        let (right, length) = (view.right(settled), body.len() as u64);
        let (checks, user) = (&self.checks, &mut self.user);
        let verdict = checks.verify(200, body.as_bytes(), length, &drawn, user, right);
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
fn a_change_that_no_check_tells_leaves_what_is_right_as_it_was() {
    let mut judge = Judge::lookup();
    judge.changes.begin(r#"{"kind": "state"}"#, &judge.checks).unwrap();
    judge.changes.end();
    assert_eq!((judge.judge(0, "old"), judge.judge(1, "old")), (Ok(()), Ok(())));
}

#[test]
fn a_change_that_makes_no_sense_is_refused() {
    let judge = Judge::lookup();
    let error = |change: &str| judge.changes.begin(change, &judge.checks).unwrap_err();
    let lookup = |variable: &str, value: &str| {
        format!(r#"{{"kind": "lookup", "variable": "{variable}", "expected": {{"{value}": "x"}}}}"#)
    };
    assert_eq!(error(&lookup("w", "a")), "change: no check is a lookup of 'w'; add one");
    let unknown = r#"change: expected: the variable has no value "b"; leave it out"#;
    assert_eq!(error(&lookup("v", "b")), unknown);
    assert!(error("{}").starts_with("change: missing field `kind`"));
    judge.begin("new");
    assert_eq!(error(&lookup("v", "a")), "change: one is under way; end it first");
    assert_eq!(judge.changes.report().changes, 1);
}
