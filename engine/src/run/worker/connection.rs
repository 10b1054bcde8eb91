//! What a thread knows of each of its connections.

use crate::plan::template::{Drawn, User};
use crate::record::audit::Ticket;

/// Where a connection stands, a stream of HTTP/2 being one as well.
///
/// | from | when | to |
/// |---|---|---|
/// | `Down` | the load begins, or a retry is due | `Connecting` |
/// | `Connecting` | it is open | `Idle` |
/// | `Connecting` | the attempt failed, or took too long | `Down` |
/// | `Idle` | a request is due | `Busy` |
/// | `Idle` | it ended after use | `Connecting` |
/// | `Idle` | it ended unused, or was closed so that the server can serve others | `Dormant` |
/// | `Busy` | the answer came, and the next request is due | `Busy` |
/// | `Busy` | the answer came, and none is due | `Idle` |
/// | `Busy` | the exchange failed, or its answer was the connection's last | `Connecting` |
/// | `Busy` | its answer was the connection's only one, in an open load | `Dormant` |
/// | `Dormant` | it is needed | `Connecting` |
/// | any | its user has nothing left to send | `Finished` |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConnectionState {
    /// Not open; a retry may be planned.
    Down,
    /// Being opened.
    Connecting,
    /// Open, with nothing to do yet.
    Idle,
    /// A request is under way.
    Busy,
    /// It is closed; it is opened again when it is needed.
    Dormant,
    /// Its work is done.
    Finished,
}

/// A connection and the user behind it.
#[derive(Debug)]
pub struct Connection {
    /// Where it stands.
    pub state: ConnectionState,
    /// Makes its requests; stays the same when the connection is opened anew.
    pub user: User,
    /// The request under way.
    pub drawn: Drawn,
    /// Changes of the server's state that were complete when it was sent.
    pub settled: usize,
    /// When it was sent, on the system's monotonic clock.
    pub sent_at: u64,
    /// When the request under way was due.
    pub intended: u64,
    /// When it came into its state, where that is `Connecting`, `Idle` or `Busy`.
    pub since: u64,
    /// When the first byte of its answer came; 0 until then.
    pub first_byte: u64,
    /// The answer's status, once its head has come; 0 until then.
    pub status: u16,
    /// Bytes of the request under way, and of its answer so far.
    pub sent_bytes: u32,
    /// See `sent_bytes`.
    pub received_bytes: u64,
    /// The answer's body so far, where it is needed and did not come in one piece.
    pub body: Vec<u8>,
    /// The body's length so far.
    pub body_length: u64,
    /// Pieces of the body so far that held something; each chunk makes one at least.
    pub pieces: u32,
    /// Whether the answer was chosen to be kept.
    pub chosen: Option<Box<Chosen>>,
    /// Requests that it has carried since it was opened.
    pub carried: u32,
    /// Right answers that it has had, however often it was opened.
    pub answers: u64,
    /// Whether the request under way is its first after it idled through a pause.
    pub rested: bool,
    /// Whether the request under way is to be sent again, once the connection is open anew.
    pub again: bool,
    /// Whether it is in the queue of idle connections.
    pub queued: bool,
    /// Attempts to open it that failed, one after the other.
    pub failures: u32,
}

/// An answer that was chosen to be kept, if it turns out right.
#[derive(Debug)]
pub struct Chosen {
    /// Its ticket.
    pub ticket: Ticket,
    /// Its headers.
    pub headers: Vec<(String, String)>,
}

impl Connection {
    /// A connection that is not open.
    pub fn new(user: User) -> Connection {
        Connection {
            state: ConnectionState::Down,
            user,
            drawn: Drawn::default(),
            settled: 0,
            sent_at: 0,
            intended: 0,
            since: 0,
            first_byte: 0,
            status: 0,
            sent_bytes: 0,
            received_bytes: 0,
            body: Vec::new(),
            body_length: 0,
            pieces: 0,
            chosen: None,
            carried: 0,
            answers: 0,
            rested: false,
            again: false,
            queued: false,
            failures: 0,
        }
    }

    /// When the request under way was sent.
    pub fn sent(&self) -> u64 {
        self.since
    }

    /// A request is about to be sent, at `now`.
    pub fn begin(&mut self, drawn: Drawn, intended: u64, now: u64) {
        self.drawn = drawn;
        self.intended = intended;
        self.first_byte = 0;
        self.status = 0;
        self.received_bytes = 0;
        self.body_length = 0;
        self.pieces = 0;
        self.chosen = None;
        self.carried = self.carried.saturating_add(1);
        self.state = ConnectionState::Busy;
        self.since = now;
        if self.body.capacity() > 0 {
            // Large answers that come in pieces would otherwise hold memory for every connection.
            self.body = Vec::new();
        }
    }
}

/// How long to wait after `failures` failed attempts, in nanoseconds, with `connections` of them
/// on this thread: 10 ms, doubling up to 100 ms, and more where many would retry together.
pub fn backoff(failures: u32, connections: usize) -> u64 {
    const FIRST: u64 = 10_000_000;
    const PER_CONNECTION: u64 = 100_000;
    let longest = (10 * FIRST).max(connections as u64 * PER_CONNECTION);
    (FIRST << failures.saturating_sub(1).min(10)).min(longest)
}

#[cfg(test)]
mod tests {
    use super::backoff;

    #[test]
    fn retries_slow_down_to_ten_a_second() {
        let waits: Vec<u64> = (1..7).map(|n| backoff(n, 64) / 1_000_000).collect();
        assert_eq!(waits, [10, 20, 40, 80, 100, 100]);
        assert_eq!(backoff(40, 64) / 1_000_000, 100);
    }

    #[test]
    fn ten_thousand_connections_retry_once_a_second() {
        assert_eq!(backoff(30, 10_000), 1_000_000_000);
    }
}
