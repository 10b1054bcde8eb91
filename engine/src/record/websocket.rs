//! What a thread records of WebSocket.

use serde::Serialize;

/// How an upgrade failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UpgradeFailure {
    /// The server answered with another status than 101.
    Status,
    /// The answer's `Sec-WebSocket-Accept` is not that of the key.
    Accept,
    /// Another header of the answer is missing, or grants what was not asked for.
    Headers,
    /// The answer is not HTTP/1.1.
    Malformed,
    /// The connection ended first.
    Closed,
    /// It took longer than the timeout, or the load ended first.
    Unfinished,
}

/// Upgrades that failed, by [`UpgradeFailure`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct FailedUpgrades {
    /// See [`UpgradeFailure::Status`].
    pub status: u64,
    /// See [`UpgradeFailure::Accept`].
    pub accept: u64,
    /// See [`UpgradeFailure::Headers`].
    pub headers: u64,
    /// See [`UpgradeFailure::Malformed`].
    pub malformed: u64,
    /// See [`UpgradeFailure::Closed`].
    pub closed: u64,
    /// See [`UpgradeFailure::Unfinished`].
    pub unfinished: u64,
}

/// What WebSocket did, those things before the start of the load included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct WebSocketRecord {
    /// Connections that were upgraded.
    pub upgrades: u64,
    /// Connections that were not, though they were open.
    pub failed_upgrades: FailedUpgrades,
    /// Pings of the server; of those that come together, the last is answered.
    pub pings: u64,
    /// Connections that the server ended by a close, rather than without a word.
    pub closes: u64,
    /// Bytes sent beside messages: upgrades, pongs and closes.
    #[serde(skip)]
    pub bytes_beside: u64,
}

impl WebSocketRecord {
    /// An upgrade has failed.
    pub fn failed(&mut self, kind: UpgradeFailure) {
        let failed = &mut self.failed_upgrades;
        *match kind {
            UpgradeFailure::Status => &mut failed.status,
            UpgradeFailure::Accept => &mut failed.accept,
            UpgradeFailure::Headers => &mut failed.headers,
            UpgradeFailure::Malformed => &mut failed.malformed,
            UpgradeFailure::Closed => &mut failed.closed,
            UpgradeFailure::Unfinished => &mut failed.unfinished,
        } += 1;
    }

    /// Takes over another thread's.
    pub fn add(&mut self, other: &WebSocketRecord) {
        let (own, more) = (&mut self.failed_upgrades, &other.failed_upgrades);
        own.status += more.status;
        own.accept += more.accept;
        own.headers += more.headers;
        own.malformed += more.malformed;
        own.closed += more.closed;
        own.unfinished += more.unfinished;
        self.upgrades += other.upgrades;
        self.pings += other.pings;
        self.closes += other.closes;
        self.bytes_beside += other.bytes_beside;
    }
}
