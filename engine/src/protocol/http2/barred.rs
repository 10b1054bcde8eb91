//! Connections on which the server allows no stream: it may soon, so it is waited for a while.

/// How long it is waited for at most, in nanoseconds: it should allow none for a short time only
/// (RFC 9113, section 6.5.2).
const PATIENCE: u64 = 1_000_000_000;

/// A thread's connections on which the server has allowed no stream so far.
#[derive(Debug)]
pub(super) struct Barred {
    pub(super) links: Vec<usize>,
    patience: u64,
    /// Whether one was waited for in vain: then none is, until the server allows a stream.
    in_vain: bool,
}

impl Barred {
    /// None yet; whoever waits for a connection gives up after `timeout` nanoseconds.
    pub(super) fn none(timeout: u64) -> Barred {
        Barred { links: Vec::new(), patience: PATIENCE.min(timeout / 2), in_vain: false }
    }

    /// The server allows streams.
    pub(super) fn lifted(&mut self) {
        self.in_vain = false;
    }

    /// Whether a connection that has been barred `since` is waited for no longer.
    pub(super) fn is_in_vain(&mut self, since: u64, now: u64) -> bool {
        self.in_vain |= now.saturating_sub(since) >= self.patience;
        self.in_vain
    }
}
