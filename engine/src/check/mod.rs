//! What an answer must be: the checks that every answer under load must pass, also while the
//! server's state changes, and whether answers differ where they must.

mod body;
pub mod changes;
mod detail;
pub(crate) mod distinct;
mod lookup;
mod pattern;
mod right;

use std::collections::BTreeMap;

use crate::plan::spec::{CheckSpec, Spec};
use crate::plan::template::{Compiled, Drawn, User};
use body::{Check, Compiling};
pub use right::{Right, SetCounts, Version};

/// `101 Switching Protocols`, the status of every answer over WebSocket.
pub(crate) const SWITCHING: u16 = 101;

/// The longest body that is held for checks, in bytes; a longer one fails them.
pub(crate) const LONGEST_CHECKED: usize = 64 * 1024 * 1024;

/// How an answer was wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    /// Another status than the one that was asked for.
    WrongStatus,
    /// The right status with the wrong body.
    FailedCheck,
}

/// Why an answer is not ok.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckFailure {
    /// How it is counted.
    pub kind: FailureKind,
    /// What was expected and what came, in at most 200 characters.
    pub detail: String,
}

/// The checks of all requests of a load.
#[derive(Debug)]
pub struct Checks {
    requests: Vec<RequestChecks>,
    /// The variable of each `lookup` check.
    lookups: Vec<String>,
    /// What is right before any change of state.
    first: Version,
    /// Knows the values that an answer is to be compared with.
    compiled: Compiled,
}

#[derive(Debug)]
struct RequestChecks {
    /// The right status; any 2xx without one.
    status: Option<u16>,
    body: Vec<Check>,
    needs_body: bool,
}

impl Checks {
    /// Compiles the checks of a load's requests.
    ///
    /// # Errors
    /// One line that names the request, the check, and the remedy.
    pub fn new(spec: &Spec, compiled: &Compiled) -> Result<Checks, String> {
        let mut compiling = Compiling::default();
        let mut requests = Vec::new();
        for (index, request) in spec.requests.iter().enumerate() {
            let needs_body = request.distinct.is_some();
            // A message has no status of its own: it is told that of the upgrade.
            let status = request.websocket.then_some(SWITCHING);
            let mut checks = RequestChecks { status, body: Vec::new(), needs_body };
            for check in &request.checks {
                if let CheckSpec::Status { equals } = check {
                    if checks.status.replace(*equals).is_some() {
                        return Err(format!(
                            "request '{}': check status: there are two; keep one",
                            request.name
                        ));
                    }
                    continue;
                }
                let check = Check::compile(check, index, compiled, &mut compiling)
                    .map_err(|error| format!("request '{}': check {error}", request.name))?;
                checks.needs_body |= check.needs_body();
                checks.body.push(check);
            }
            requests.push(checks);
        }
        let Compiling { lookups, variables, .. } = compiling;
        let first = Version { lookups };
        Ok(Checks { requests, lookups: variables, first, compiled: compiled.clone() })
    }

    /// What is right before any change of state.
    pub fn first(&self) -> &Version {
        &self.first
    }

    /// `version` with other bodies for values of a variable.
    ///
    /// # Errors
    /// One line where no `lookup` check names the variable, or it has no such value.
    pub fn changed(
        &self,
        version: &Version,
        variable: &str,
        expected: &BTreeMap<String, String>,
    ) -> Result<Version, String> {
        let mut next = version.clone();
        let mut known = false;
        for (lookup, name) in next.lookups.iter_mut().zip(&self.lookups) {
            if name == variable {
                known = true;
                lookup.change(self.compiled.choices(variable), expected)?;
            }
        }
        if known { Ok(next) } else { Err(format!("no check is a lookup of '{variable}'; add one")) }
    }

    /// Whether the body must be held for [`verify`](Self::verify); its length is always needed.
    #[inline]
    pub fn needs_body(&self, drawn: &Drawn) -> bool {
        self.requests[drawn.request_index()].needs_body
    }

    /// Judges a whole answer, by the versions of the server's state of which each may be `right`.
    /// `body` may be empty unless it is needed; `body_length` is its true length in bytes.
    ///
    /// # Errors
    /// The first check that fails, the status before all others.
    pub fn verify(
        &self,
        status: u16,
        body: &[u8],
        body_length: u64,
        drawn: &Drawn,
        user: &mut User,
        right: Right<'_>,
    ) -> Result<(), CheckFailure> {
        let checks = &self.requests[drawn.request_index()];
        let is_right = match checks.status {
            Some(expected) => status == expected,
            None => (200..300).contains(&status),
        };
        if !is_right {
            let expected = checks.status.map_or("2xx".to_owned(), |status| status.to_string());
            // An answer that was not judged may or may not have moved a counter.
            user.lose_answer();
            return Err(CheckFailure {
                kind: FailureKind::WrongStatus,
                detail: format!("status: expected {expected}, got {status}"),
            });
        }
        let slots = self.compiled.slots(drawn);
        let mut verdict = Ok(());
        for check in &checks.body {
            // After a failure only counters are still read, so that each goes on from this answer.
            if verdict.is_err() && !check.is_counter() {
                continue;
            }
            let judged = if check.needs_body() && (body.len() as u64) < body_length {
                user.lose_answer();
                Err(format!("body: {body_length} bytes are too many to check"))
            } else {
                check.run(body, body_length, slots, user, right)
            };
            verdict = verdict.and(judged);
        }
        verdict.map_err(|detail| CheckFailure { kind: FailureKind::FailedCheck, detail })
    }
}

#[cfg(test)]
mod tests;
