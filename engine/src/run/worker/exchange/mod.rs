//! Reads the answer to a request, from whatever pieces it comes in.

mod outcomes;

use super::connection::{Chosen, Connection};
use crate::check::LONGEST_CHECKED;
use crate::check::changes::View;
use crate::check::distinct::Seen;
use crate::protocol::{AnswerPart, Fields, Parts};
use crate::record::audit::Reservoir;
use crate::record::recorder::Recorder;
use crate::record::request_log::RequestLog;
use crate::run::shared::{Plan, Shared};

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
    /// It ended, and the connection with it, as the request, the answer or its framing said.
    Ended,
    /// It failed, and the connection with it.
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

    /// `parts` of the answer to the request under way came in at `now`, of which `own` bytes are known
    /// to be this answer's.
    #[inline]
    pub fn receive(
        &mut self,
        connection: &mut Connection,
        mut parts: impl Parts,
        own: usize,
        now: u64,
    ) -> Progress {
        if connection.first_byte == 0 {
            connection.first_byte = now;
        }
        connection.received_bytes += own as u64;
        while let Some(part) = parts.next() {
            match part {
                Err(error) => return self.malformed(connection, error),
                Ok(AnswerPart::Head { status, fields }) => self.head(connection, status, fields),
                Ok(AnswerPart::Piece(piece)) => {
                    count_piece(connection, piece);
                    self.hold(connection, piece);
                }
                Ok(AnswerPart::Last { piece, reusable }) => {
                    count_piece(connection, piece);
                    if connection.body_length == piece.len() as u64 {
                        self.complete(connection, piece, now);
                    } else {
                        self.hold(connection, piece);
                        let body = std::mem::take(&mut connection.body);
                        self.complete(connection, &body, now);
                        self.spare(body);
                    }
                    // Either side may end it, even if the other one would go on.
                    let ends = !reusable || connection.drawn.closes();
                    return if ends { Progress::Ended } else { Progress::Reusable };
                }
            }
        }
        Progress::Pending
    }

    fn head(&mut self, connection: &mut Connection, status: u16, fields: Fields<'_>) {
        connection.status = status;
        if self.plan.requests.keeps_cookies() {
            connection.user.see_headers(fields.iter());
        }
        if let Some(ticket) = self.audit.choose() {
            let headers = fields.iter().map(text).collect();
            connection.chosen = Some(Box::new(Chosen { ticket, headers }));
        }
    }

    /// Keeps a piece of the body until the rest has come, as far as it is needed.
    fn hold(&mut self, connection: &mut Connection, piece: &[u8]) {
        let room = self.body_limit(connection).saturating_sub(connection.body.len());
        if room == 0 || piece.is_empty() {
            return;
        }
        if connection.body.capacity() == 0 {
            connection.body = self.buffers.pop().unwrap_or_default();
        }
        connection.body.extend_from_slice(&piece[..piece.len().min(room)]);
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
        if self.plan.checks.needs_body(&connection.drawn) {
            LONGEST_CHECKED
        } else if connection.chosen.is_some() {
            self.plan.spec.audit.max_body_bytes
        } else {
            0
        }
    }
}

fn count_piece(connection: &mut Connection, piece: &[u8]) {
    connection.body_length += piece.len() as u64;
    connection.pieces += u32::from(!piece.is_empty());
}

fn text((name, value): (&[u8], &[u8])) -> (String, String) {
    (String::from_utf8_lossy(name).into_owned(), String::from_utf8_lossy(value).into_owned())
}
