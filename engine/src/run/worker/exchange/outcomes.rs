//! What becomes of a request, and what is recorded of that.

use super::{Exchange, Progress};
use crate::check::FailureKind;
use crate::os;
use crate::protocol::Malformed;
use crate::reactor::Failure;
use crate::record::audit::Sample;
use crate::record::counts::Outcome;
use crate::record::recorder::Times;
use crate::record::request_log::Entry;
use crate::run::worker::connection::Connection;

impl Exchange<'_> {
    /// The answer is whole: `body` is what was held of it.
    pub(super) fn complete(&mut self, connection: &mut Connection, body: &[u8], now: u64) {
        let status = connection.status;
        let checks = &self.plan.checks;
        let verdict = checks.verify(
            status,
            body,
            connection.body_length,
            &connection.drawn,
            &mut connection.user,
            self.view.right(connection.settled),
        );
        if let Err(failure) = verdict {
            let outcome = match failure.kind {
                FailureKind::WrongStatus => Outcome::WrongStatus,
                FailureKind::FailedCheck => Outcome::FailedCheck,
            };
            self.failed(connection, status, outcome, &failure.detail);
            return;
        }
        self.seen.see(&self.plan.fingerprinters, connection.drawn.request_index(), body);
        let times = Times {
            intended: connection.intended,
            sent: connection.sent(),
            first_byte: connection.first_byte,
            answered: now,
        };
        if self.recorder.ok(connection.drawn.request_index(), times) {
            connection.answers += 1;
            self.write(connection, status, now, None);
        }
        if let Some(chosen) = connection.chosen.take() {
            let cut = body.len().min(self.plan.spec.audit.max_body_bytes);
            let sample = Sample {
                request: connection.drawn.request_index(),
                variables: self.plan.requests.values(&connection.drawn),
                status,
                headers: chosen.headers,
                body: body[..cut].to_vec(),
                pieces: connection.pieces,
                at: now.saturating_sub(self.start),
                sent: connection.sent_at,
                answered_by: os::system_now(),
            };
            self.audit.keep(chosen.ticket, sample);
        }
    }

    /// The answer will not be whole.
    pub fn broken_off(&mut self, connection: &mut Connection, error: &Failure) {
        connection.user.lose_answer();
        self.failed(connection, 0, error.outcome(), &error.to_string());
    }

    /// No answer came in time.
    pub fn timed_out(&mut self, connection: &mut Connection) {
        let detail = if connection.body_length > 0 {
            "the answer was not complete in time"
        } else {
            "no answer in time"
        };
        connection.user.lose_answer();
        self.failed(connection, 0, Outcome::TimedOut, detail);
    }

    /// The load ended first.
    pub fn unfinished(&mut self, connection: &Connection) {
        let request = connection.drawn.request_index();
        self.recorder.unfinished(request, connection.intended, os::now());
    }

    pub(super) fn malformed(&mut self, connection: &mut Connection, error: Malformed) -> Progress {
        connection.user.lose_answer();
        self.failed(connection, 0, Outcome::Malformed, error.0);
        Progress::Spent
    }

    /// No connection could be opened for a request; the attempt was made from `began` on. Either the server
    /// refused it, or this machine had no file or port left.
    pub fn refused(&mut self, began: u64, now: u64, error: &Failure) {
        let kind = if error.is_client_limit() {
            self.recorder.client_limit();
            "client_limit"
        } else {
            self.recorder.refused();
            "refused"
        };
        let detail = error.to_string();
        self.recorder.details.add(kind, None, &detail);
        if let Some(log) = &mut self.log {
            let failure = Some((kind, detail.into()));
            log.add(Entry {
                start: began,
                end: now,
                request: None,
                status: 0,
                failure,
                received: 0,
                sent: 0,
            });
        }
    }

    fn failed(&mut self, connection: &mut Connection, status: u16, outcome: Outcome, detail: &str) {
        let request = connection.drawn.request_index();
        if connection.status > 0 {
            self.audit.failed(connection.chosen.take().map(|chosen| chosen.ticket));
        }
        self.recorder.failed(request, outcome);
        self.recorder.details.add(outcome.name(), Some(request), detail);
        if self.log.is_some() {
            self.write(connection, status, os::now(), Entry::failure(outcome, detail));
        }
    }

    fn write(
        &mut self,
        connection: &Connection,
        status: u16,
        now: u64,
        failure: Option<(&'static str, Box<str>)>,
    ) {
        if let Some(log) = &mut self.log {
            log.add(Entry {
                start: connection.sent(),
                end: now,
                request: Some(connection.drawn.request_index()),
                status,
                failure,
                received: connection.received_bytes.max(connection.body_length),
                sent: connection.sent_bytes,
            });
        }
    }
}
