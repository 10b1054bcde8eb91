//! What a thread records of HTTP/2.

use serde::Serialize;

/// What HTTP/2 did, those things before the start of the load included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Http2Record {
    /// Connections whose settings were exchanged.
    pub connections: u64,
    /// Connections that the server asked to leave (GOAWAY).
    pub goaways: u64,
    /// Requests sent again, because the server had said that it did not process them.
    pub resent: u64,
    /// Streams that the server reset.
    pub resets: u64,
    /// Connections that were left because nothing had come on them for a whole timeout.
    pub abandoned: u64,
    /// Connections that the server closed while no request was under way.
    #[serde(skip)]
    pub closed_idle: u64,
    /// Bytes given to the connections, frames and compressed headers as they are.
    #[serde(skip)]
    pub bytes_sent: u64,
}

impl Http2Record {
    /// Takes over another thread's.
    pub fn add(&mut self, other: &Http2Record) {
        self.connections += other.connections;
        self.goaways += other.goaways;
        self.resent += other.resent;
        self.resets += other.resets;
        self.abandoned += other.abandoned;
        self.closed_idle += other.closed_idle;
        self.bytes_sent += other.bytes_sent;
    }
}
