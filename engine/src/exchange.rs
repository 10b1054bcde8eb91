//! Reads the answer to a request and judges it.

use std::ops::Range;

use crate::audit::{Reservoir, Sample};
use crate::changes::View;
use crate::checks::FailureKind;
use crate::connection::Connection;
use crate::counts::Outcome;
use crate::distinct::Seen;
use crate::engine::{Plan, Shared};
use crate::http1::{Event, ParseError};
use crate::http2::Part;
use crate::os;
use crate::reactor::Failure;
use crate::recorder::{Recorder, Times};
use crate::request_log::{Entry, RequestLog};

/// The longest body that is held for checks; a longer one fails them.
const LONGEST_CHECKED: usize = 64 * 1024 * 1024;

/// Body buffers kept for reuse by each thread, and the largest of them.
const SPARES: usize = 64;
const LARGEST_SPARE: usize = 1024 * 1024;

/// Where an exchange stands after some bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// The answer goes on.
    Pending,
    /// It ended, and the connection can carry another.
    Reusable,
    /// It ended, and the connection with it.
    Spent,
}

/// Reads and judges answers for one thread.
#[derive(Debug)]
pub struct Exchange<'a> {
    plan: &'a Plan,
    /// What is recorded of them.
    pub recorder: Recorder,
    /// The answers kept in full.
    pub audit: Reservoir,
    /// By which state they are judged.
    view: View<'a>,
    /// Whether they were distinct.
    pub seen: Seen,
    /// Where each request is written, if that was asked for.
    pub log: Option<RequestLog>,
    /// When the load started.
    pub start: u64,
    buffers: Vec<Vec<u8>>,
}

impl<'a> Exchange<'a> {
    /// Records into `recorder` and `audit`.
    pub fn new(
        plan: &'a Plan,
        shared: &'a Shared,
        recorder: Recorder,
        audit: Reservoir,
    ) -> Exchange<'a> {
        let seen = Seen::new(&plan.tellings);
        let view = View::new(&shared.changes);
        Exchange { plan, recorder, audit, view, seen, log: None, start: 0, buffers: Vec::new() }
    }

    /// `bytes` came in at `now` on a connection with a request under way.
    pub fn receive(&mut self, connection: &mut Connection, bytes: &[u8], now: u64) -> Progress {
        if connection.received_bytes == 0 {
            connection.first_byte = now;
        }
        connection.received_bytes += bytes.len() as u64;
        let mut at = 0;
        // The body, as long as all of it lies in one piece in `bytes`.
        let mut direct: Option<Range<usize>> = None;
        loop {
            let step = match connection.parser.advance(&bytes[at..]) {
                Ok(step) => step,
                Err(error) => return self.malformed(connection, error),
            };
            match step.event {
                Event::NeedMore => {
                    if let Some(range) = direct {
                        self.hold(connection, &bytes[range]);
                    }
                    return Progress::Pending;
                }
                Event::Head => {
                    if self.plan.requests.keeps_cookies() {
                        let headers = connection.parser.headers(&bytes[at..]);
                        connection.user.see_headers(headers);
                    }
                    if self.audit.is_due() {
                        let headers = connection.parser.headers(&bytes[at..]);
                        connection.kept_headers = Some(headers.map(text).collect());
                    }
                }
                Event::Body { start, end } => {
                    connection.body_length += (end - start) as u64;
                    let limit = self.body_limit(connection);
                    if limit > 0 {
                        if direct.is_none() && connection.body.is_empty() {
                            direct = Some(at + start..at + end);
                        } else {
                            if let Some(range) = direct.take() {
                                self.hold(connection, &bytes[range]);
                            }
                            let room = limit.saturating_sub(connection.body.len());
                            let end = end.min(start + room);
                            self.hold(connection, &bytes[at + start..at + end]);
                        }
                    }
                }
                Event::Complete => {
                    at += step.consumed;
                    if at < bytes.len() {
                        return self.malformed(connection, ParseError::Unsolicited);
                    }
                    let head = *connection.parser.head();
                    match direct {
                        Some(range) => self.complete(connection, head.status, &bytes[range], now),
                        None => {
                            let body = std::mem::take(&mut connection.body);
                            self.complete(connection, head.status, &body, now);
                            self.spare(body);
                        }
                    }
                    // Whoever of the two said so: a server that goes on all the same is not asked to.
                    let ends = !head.keep_alive || connection.rendered.closes();
                    return if ends { Progress::Spent } else { Progress::Reusable };
                }
            }
            at += step.consumed;
        }
    }

    /// A part of an answer came in at `now` that was read elsewhere.
    pub fn take(&mut self, connection: &mut Connection, part: Part<'_>, now: u64) -> Progress {
        match part {
            Part::Head { status, headers } => {
                connection.status = status;
                connection.first_byte = now;
                let headers =
                    || headers.iter().map(|(name, value)| (name.as_ref(), value.as_ref()));
                if self.plan.requests.keeps_cookies() {
                    connection.user.see_headers(headers());
                }
                if self.audit.is_due() {
                    connection.kept_headers = Some(headers().map(text).collect());
                }
                Progress::Pending
            }
            Part::Body(piece) => {
                connection.body_length += piece.len() as u64;
                let room = self.body_limit(connection).saturating_sub(connection.body.len());
                if room > 0 {
                    self.hold(connection, &piece[..piece.len().min(room)]);
                }
                Progress::Pending
            }
            Part::End => {
                let body = std::mem::take(&mut connection.body);
                let status = connection.status;
                self.complete(connection, status, &body, now);
                self.spare(body);
                Progress::Reusable
            }
        }
    }

    /// The connection ended at `now`, in order unless there was an `error`.
    pub fn ended(&mut self, connection: &mut Connection, error: Option<&Failure>, now: u64) {
        let detail = match error {
            // Without a goodbye the end of the connection does not tell the end of a body.
            Some(Failure::Unannounced) => match connection.parser.eof() {
                Ok(true) => "TLS: the body ended with the connection, but without close_notify",
                Ok(false) => "closed without an answer",
                Err(error) => error.name(),
            },
            Some(error) => {
                connection.user.lose_answer();
                self.failed(connection, 0, error.outcome(), &error.to_string());
                return;
            }
            None => match connection.parser.eof() {
                Ok(true) => {
                    let body = std::mem::take(&mut connection.body);
                    let status = connection.parser.head().status;
                    self.complete(connection, status, &body, now);
                    return;
                }
                Ok(false) => "closed without an answer",
                Err(error) => error.name(),
            },
        };
        connection.user.lose_answer();
        self.failed(connection, 0, Outcome::Reset, detail);
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
        let request = connection.rendered.request_index();
        self.recorder.failed(request, Outcome::Unfinished);
    }

    fn malformed(&mut self, connection: &mut Connection, error: ParseError) -> Progress {
        connection.user.lose_answer();
        self.failed(connection, 0, Outcome::Malformed, error.name());
        Progress::Spent
    }

    /// No connection could be opened for a request, since `since`. That is the server's doing, or
    /// that of this machine, which had no file or port left.
    pub fn refused(&mut self, since: u64, now: u64, error: &Failure) {
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
                start: since,
                end: now,
                request: 0,
                status: 0,
                failure,
                received: 0,
                sent: 0,
            });
        }
    }

    fn failed(&mut self, connection: &Connection, status: u16, outcome: Outcome, detail: &str) {
        let request = connection.rendered.request_index();
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
                start: connection.since,
                end: now,
                request: connection.rendered.request_index(),
                status,
                failure,
                received: connection.received_bytes.max(connection.body_length),
                sent: connection.sent_bytes,
            });
        }
    }

    /// Keeps a piece of the body until the rest has come.
    fn hold(&mut self, connection: &mut Connection, piece: &[u8]) {
        if connection.body.capacity() == 0 {
            connection.body = self.buffers.pop().unwrap_or_default();
        }
        connection.body.extend_from_slice(piece);
    }

    /// Keeps a buffer for the next body that comes in pieces, whichever connection's it is.
    fn spare(&mut self, mut buffer: Vec<u8>) {
        if (1..=LARGEST_SPARE).contains(&buffer.capacity()) && self.buffers.len() < SPARES {
            buffer.clear();
            self.buffers.push(buffer);
        }
    }

    /// How much of the body must be held.
    fn body_limit(&self, connection: &Connection) -> usize {
        if self.plan.checks.needs_body(&connection.rendered) {
            LONGEST_CHECKED
        } else if connection.kept_headers.is_some() {
            self.plan.spec.audit.max_body_bytes
        } else {
            0
        }
    }

    /// The answer is whole: `body` is what was held of it.
    fn complete(&mut self, connection: &mut Connection, status: u16, body: &[u8], now: u64) {
        let checks = &self.plan.checks;
        let verdict = checks.verify(
            status,
            body,
            connection.body_length,
            &connection.rendered,
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
        self.seen.see(&self.plan.tellings, connection.rendered.request_index(), body);
        let times = Times {
            intended: connection.intended,
            sent: connection.since,
            first_byte: connection.first_byte,
            answered: now,
        };
        if self.recorder.ok(connection.rendered.request_index(), times) {
            self.write(connection, status, now, None);
        }
        let (plan, start, view) = (self.plan, self.start, &self.view);
        self.audit.offer(|| {
            let cut = body.len().min(plan.spec.audit.max_body_bytes);
            Some(Sample {
                request: connection.rendered.request_index(),
                variables: plan.requests.values(&connection.rendered),
                status,
                headers: connection.kept_headers.take()?,
                body: body[..cut].to_vec(),
                at: now.saturating_sub(start),
                state_from: view.settled_at(connection.settled),
                answered_by: os::system_now(),
            })
        });
    }
}

fn text((name, value): (&[u8], &[u8])) -> (String, String) {
    (String::from_utf8_lossy(name).into_owned(), String::from_utf8_lossy(value).into_owned())
}
