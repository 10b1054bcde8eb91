//! Checks as a load states them, against right and wrong answers.

use std::sync::Arc;

use super::*;

/// A load of one request, whose answers are judged.
struct Judge {
    compiled: Compiled,
    checks: Checks,
    user: User,
}

fn load(path: &str, checks: &str) -> String {
    format!(
        r#"{{"target": {{"host": "127.0.0.1", "port": 80}},
            "load": {{"kind": "iterations", "users": 1, "iterations": 1}},
            "variables": {{"n": {{"kind": "sequence", "start": 7, "step": 1}},
                           "c": {{"kind": "choice", "values": ["a b"]}}}},
            "requests": [{{"name": "r", "path": "{path}", "headers": [["C", "{{c}}"]],
                           "checks": {checks}}}]}}"#
    )
}

fn judge(checks: &str) -> Result<Judge, String> {
    let spec = Spec::parse(&load("/{n}", checks))?;
    let compiled = Compiled::new(&spec)?;
    let checks = Checks::new(&spec, &compiled)?;
    Ok(Judge { user: compiled.user(0), checks, compiled })
}

impl Judge {
    fn verify(
        &mut self,
        status: u16,
        body: &[u8],
        length: u64,
        drawn: &Drawn,
    ) -> Result<(), CheckFailure> {
        let (versions, counts) = ([Arc::new(self.checks.first().clone())], SetCounts::default());
        let right = Right::new(&versions, 0, 0, &counts);
        self.checks.verify(status, body, length, drawn, &mut self.user, right)
    }

    /// Sends the next request and judges `body` as its answer.
    fn see(&mut self, status: u16, body: &[u8]) -> Result<(), CheckFailure> {
        let drawn = self.compiled.draw(&mut self.user);
        self.verify(status, body, body.len() as u64, &drawn)
    }

    fn detail(&mut self, body: &[u8]) -> String {
        let failure = self.see(200, body).unwrap_err();
        assert_eq!(failure.kind, FailureKind::FailedCheck);
        assert!(failure.detail.chars().count() <= 200);
        failure.detail
    }
}

fn error(checks: &str) -> String {
    let error = judge(checks).err().expect("these checks must not compile");
    assert!(!error.contains('\n'), "{error}");
    error
}

#[test]
fn without_a_check_any_success_is_right() {
    let mut judge = judge("[]").unwrap();
    for status in [200, 201, 204, 299] {
        assert_eq!(judge.see(status, b"anything"), Ok(()));
    }
    for status in [199, 302, 404, 500] {
        let failure = judge.see(status, b"").unwrap_err();
        assert_eq!(failure.kind, FailureKind::WrongStatus);
        assert_eq!(failure.detail, format!("status: expected 2xx, got {status}"));
    }
}

#[test]
fn the_status_is_judged_before_the_body() {
    let mut judge =
        judge(r#"[{"kind": "equals", "text": "x"}, {"kind": "status", "equals": 404}]"#).unwrap();
    assert_eq!(judge.see(404, b"x"), Ok(()));
    assert_eq!(judge.see(200, b"y").unwrap_err().detail, "status: expected 404, got 200");
    assert_eq!(judge.see(404, b"y").unwrap_err().kind, FailureKind::FailedCheck);
}

#[test]
fn equals_compares_the_whole_body_with_the_drawn_values() {
    let mut judge = judge(r#"[{"kind": "equals", "text": "{{{n}: {c}}}"}]"#).unwrap();
    assert_eq!(judge.see(200, b"{7: a b}"), Ok(()));
    assert_eq!(judge.see(200, b"{8: a b}"), Ok(()));
    assert_eq!(judge.detail(b"{8: a b}"), r#"body: expected "{9: a b}", got "{8: a b}""#);
    assert_eq!(judge.detail(b"{10: a b}x"), r#"body: expected "{10: a b}", got "{10: a b}x""#);
    assert_eq!(judge.detail(b""), r#"body: expected "{11: a b}", got """#);
}

#[test]
fn contains_finds_constant_and_drawn_parts() {
    let mut fixed = judge(r#"[{"kind": "contains", "text": "<h1>"}]"#).unwrap();
    assert_eq!(fixed.see(200, b"<html><h1>x"), Ok(()));
    assert_eq!(fixed.detail(b"<html>"), r#"body: expected "<h1>" in it, got "<html>""#);
    let mut drawn = judge(r#"[{"kind": "contains", "text": "n={n};"}]"#).unwrap();
    assert_eq!(drawn.see(200, b"m=1;n=7;"), Ok(()));
    assert_eq!(drawn.detail(b"m=1;n=7;"), r#"body: expected "n=8;" in it, got "m=1;n=7;""#);
}

#[test]
fn matches_searches_unless_anchored() {
    let mut judge = judge(r#"[{"kind": "matches", "pattern": "^[0-9a-f]{4}$"}]"#).unwrap();
    assert_eq!(judge.see(200, b"09af"), Ok(()));
    let expected = r#"body: expected to match "^[0-9a-f]{4}$", got "09afx\xff""#;
    assert_eq!(judge.detail(b"09afx\xff").replace('\u{fffd}', "\\xff"), expected);
}

#[test]
fn length_needs_no_body() {
    let mut judge = judge(r#"[{"kind": "length", "min": 2, "max": 3}]"#).unwrap();
    let drawn = judge.compiled.draw(&mut judge.user);
    assert!(!judge.checks.needs_body(&drawn));
    let mut verify = |length| judge.verify(200, b"", length, &drawn);
    assert_eq!((verify(2), verify(3)), (Ok(()), Ok(())));
    assert_eq!(verify(4).unwrap_err().detail, "length: expected 2 to 3 bytes, got 4");
    assert_eq!(verify(1).unwrap_err().detail, "length: expected 2 to 3 bytes, got 1");
}

#[test]
fn a_body_that_was_too_long_to_hold_fails() {
    let mut judge = judge(r#"[{"kind": "contains", "text": ""}]"#).unwrap();
    let drawn = judge.compiled.draw(&mut judge.user);
    assert!(judge.checks.needs_body(&drawn));
    let failure = judge.verify(200, b"abc", 4, &drawn).unwrap_err();
    assert_eq!(failure.detail, "body: 4 bytes are too many to check");
}

#[test]
fn lookup_knows_the_body_of_each_value() {
    let table = r#"{"7": "seven", "8": "eight"}"#;
    let checks = format!(r#"[{{"kind": "lookup", "variable": "n", "expected": {table}}}]"#);
    let mut numbers = judge(&checks).unwrap();
    assert_eq!(numbers.see(200, b"seven"), Ok(()));
    assert_eq!(numbers.detail(b"seven"), r#"body: expected "eight", got "seven""#);
    assert_eq!(numbers.detail(b"nine"), r#"lookup: no body is known for "9"; add it to expected"#);
    let mut texts =
        judge(r#"[{"kind": "lookup", "variable": "c", "expected": {"a b": "x"}}]"#).unwrap();
    assert_eq!(texts.see(200, b"x"), Ok(()));
    assert_eq!(texts.detail(b"y"), r#"body: expected "x", got "y""#);
}

#[test]
fn a_counter_grows_by_its_step_with_each_answer_of_a_user() {
    let checks = r#"[{"kind": "counter", "pattern": "Count is (\\d+)", "step": 2}]"#;
    let mut judge = judge(checks).unwrap();
    assert_eq!(judge.see(200, b"Count is 2"), Ok(()));
    assert_eq!(judge.see(200, b"Count is 4"), Ok(()));
    assert_eq!(judge.detail(b"Count is 4"), "counter: expected 6, got 4");
    assert_eq!(judge.see(200, b"Count is 6"), Ok(()), "one failure must not make all others fail");
    judge.user.lose_answer();
    assert_eq!(judge.see(200, b"Count is 10"), Ok(()), "the lost request may have counted");
    assert_eq!(judge.detail(b"Count is 14"), "counter: expected 12, got 14");
    assert!(judge.detail(b"Count is lost").starts_with("body: expected to match"));
    assert_eq!(judge.see(200, b"Count is 18"), Ok(()), "no number was there to count on from");
    assert_eq!(judge.see(500, b"").unwrap_err().kind, FailureKind::WrongStatus);
    assert_eq!(judge.see(200, b"Count is 20"), Ok(()));
    assert_eq!(judge.detail(b"Count is 20"), "counter: expected 22, got 20");
}

#[test]
fn another_check_that_fails_does_not_stop_the_counting() {
    let counter = r#"{"kind": "counter", "pattern": "(\\d+)", "step": 1}"#;
    let mut judge =
        judge(&format!(r#"[{{"kind": "contains", "text": "ok"}}, {counter}]"#)).unwrap();
    assert_eq!(judge.see(200, b"ok 1"), Ok(()));
    assert_eq!(judge.detail(b"no 2"), r#"body: expected "ok" in it, got "no 2""#);
    assert_eq!(judge.see(200, b"ok 3"), Ok(()));
}

#[test]
fn a_counter_begins_with_its_step_for_each_user() {
    let mut judge = judge(r#"[{"kind": "counter", "pattern": "(\\d+)", "step": 1}]"#).unwrap();
    assert_eq!(judge.detail(b"5"), "counter: expected 1, got 5");
    judge.user = judge.compiled.user(1);
    assert_eq!(judge.see(200, b"1"), Ok(()));
    judge.user = judge.compiled.user(2);
    judge.user.lose_answer();
    assert_eq!(judge.see(200, b"2"), Ok(()), "the first answer was lost");
}

#[test]
fn checks_that_cannot_be_meant_are_refused_in_one_line() {
    for (checks, expected) in [
        (
            r#"[{"kind": "equals", "text": "{x}"}]"#,
            "request 'r': check equals: text: unknown variable {x} (known: c, n); write {{ for a brace",
        ),
        (
            r#"[{"kind": "matches", "pattern": "a("}]"#,
            "request 'r': check matches: pattern 'a(': error: unclosed group",
        ),
        (
            r#"[{"kind": "counter", "pattern": "\\d+", "step": 1}]"#,
            r"request 'r': check counter: pattern '\d+' captures nothing; write (\d+) for the number",
        ),
        (
            r#"[{"kind": "length", "min": 3, "max": 2}]"#,
            "request 'r': check length: min 3 is above max 2; swap them",
        ),
        (
            r#"[{"kind": "lookup", "variable": "c", "expected": {}}]"#,
            r#"request 'r': check lookup: no body is given for value "a b"; add it to expected"#,
        ),
        (
            r#"[{"kind": "lookup", "variable": "n", "expected": {"x": ""}}]"#,
            "request 'r': check lookup: expected: \"x\" is not an integer, but the variable's values \
             are; write it as it is drawn",
        ),
        (
            r#"[{"kind": "status", "equals": 200}, {"kind": "status", "equals": 200}]"#,
            "request 'r': check status: there are two; keep one",
        ),
    ] {
        assert_eq!(error(checks), expected);
    }
}
