//! Rows, and what is done with them.

use std::thread;

use serde_json::{Value, json};

use crate::run::{counts, reactors, run, spec};
use crate::server::{self, Peer};

/// Requests of a row's load: two users, three each.
pub const REQUESTS: u64 = 6;
/// Enough for every server that does answer, however busy the machine.
const PATIENT_S: f64 = 60.0;
/// For servers that never finish.
const IMPATIENT_S: f64 = 0.25;

/// A hostile server and what a load of it must count.
pub struct Row {
    name: &'static str,
    server: fn(&mut Peer),
    outcomes: Vec<(&'static str, u64)>,
    detail: Option<&'static str>,
    timeout_s: f64,
    change: Option<fn(&mut Value)>,
}

/// A server all of whose answers end as `outcome`, for the reason `detail`.
pub fn row(
    name: &'static str,
    outcome: &'static str,
    detail: &'static str,
    server: fn(&mut Peer),
) -> Row {
    Row {
        name,
        server,
        outcomes: vec![(outcome, REQUESTS)],
        detail: Some(detail),
        timeout_s: if outcome == "timed_out" { IMPATIENT_S } else { PATIENT_S },
        change: None,
    }
}

/// A server that is odd, but whose answers are right.
pub fn fine(name: &'static str, server: fn(&mut Peer)) -> Row {
    Row { detail: None, ..row(name, "ok", "", server) }
}

impl Row {
    /// With other counts than all alike.
    pub fn counting(self, outcomes: &[(&'static str, u64)]) -> Row {
        Row { outcomes: outcomes.to_vec(), ..self }
    }

    /// With another load, request or checks.
    pub fn with(self, change: fn(&mut Value)) -> Row {
        Row { change: Some(change), ..self }
    }

    fn check(&self, reactor: &str) -> Result<(), String> {
        let load = json!({"kind": "iterations", "users": 2, "iterations": REQUESTS / 2});
        let spec = spec(server::start(self.server), load, |spec| {
            spec["timeout_s"] = json!(self.timeout_s);
            spec["reactor"] = json!(reactor);
            if let Some(change) = self.change {
                change(spec);
            }
        });
        let result = run(&spec);
        let of = |wanted: fn(&str) -> bool| -> u64 {
            let outcomes = self.outcomes.iter().filter(|(kind, _)| wanted(kind));
            outcomes.map(|(_, count)| count).sum()
        };
        let mut wanted = vec![("offered".to_owned(), of(|_| true))];
        // What found no connection was not sent.
        wanted.push(("sent".to_owned(), of(|kind| kind != "refused")));
        wanted.retain(|(_, count)| *count > 0);
        wanted.extend(self.outcomes.iter().map(|(kind, count)| ((*kind).to_owned(), *count)));
        wanted.sort();
        let mut found = counts(&result);
        found.sort();
        let details = &result["errors_detail"];
        if found != wanted {
            return Err(format!("counted {found:?}, not {wanted:?}; {details}"));
        }
        let lines = details.as_array().unwrap();
        let has = |detail: &str| lines.iter().any(|line| line["detail"] == detail);
        match self.detail {
            Some(detail) if !has(detail) => Err(format!("{details}, not {detail:?}")),
            None if !lines.is_empty() => Err(details.to_string()),
            _ => Ok(()),
        }
    }
}

/// Runs the rows side by side, with every reactor, and tells all that came out wrong.
pub fn check(rows: &[Row]) {
    let reactors = reactors();
    let each = rows.iter().flat_map(|row| reactors.iter().map(move |reactor| (row, *reactor)));
    let wrong: Vec<String> = thread::scope(|scope| {
        let started: Vec<_> =
            each.map(|(row, by)| (row.name, by, scope.spawn(move || row.check(by)))).collect();
        let ended = started.into_iter().filter_map(|(name, by, thread)| match thread.join() {
            Ok(Ok(())) => None,
            Ok(Err(wrong)) => Some(format!("{name}, {by}: {wrong}")),
            Err(_) => Some(format!("{name}, {by}: panicked")),
        });
        ended.collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Replaces the checks by one of the status, so that no body need be held.
pub fn status_only(spec: &mut Value) {
    spec["requests"][0]["checks"] = json!([{"kind": "status", "equals": 200}]);
}
