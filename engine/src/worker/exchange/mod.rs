//! Reads the answer to a request, from whatever pieces it comes in.

mod outcomes;

use std::ops::Range;

use super::connection::Connection;
use crate::audit::Reservoir;
use crate::changes::View;
use crate::distinct::Seen;
use crate::http1::{Event, ParseError};
use crate::http2::Part;
use crate::plan::{Plan, Shared};
use crate::record::recorder::Recorder;
use crate::record::request_log::RequestLog;

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
    /// The changes of state by which they are judged.
    view: View<'a>,
    /// Whether the answers were distinct.
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
        let seen = Seen::new(&plan.fingerprinters);
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
                    // Either side may end it, even if the other one would go on.
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
}

fn text((name, value): (&[u8], &[u8])) -> (String, String) {
    (String::from_utf8_lossy(name).into_owned(), String::from_utf8_lossy(value).into_owned())
}
