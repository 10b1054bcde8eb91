//! What became of the requests, by kind.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use serde::Serialize;

/// What became of a request that was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Answered, and every check passed.
    Ok,
    /// Answered with another status than asked for.
    WrongStatus,
    /// Answered, but a check of the body failed.
    FailedCheck,
    /// The connection ended before the answer was complete.
    Reset,
    /// No complete answer within the timeout.
    TimedOut,
    /// What came was not HTTP.
    Malformed,
    /// The load ended while the answer was awaited.
    Unfinished,
}

impl Outcome {
    /// The name counts and details carry.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Ok => "ok",
            Outcome::WrongStatus => "wrong_status",
            Outcome::FailedCheck => "failed_check",
            Outcome::Reset => "reset",
            Outcome::TimedOut => "timed_out",
            Outcome::Malformed => "malformed",
            Outcome::Unfinished => "unfinished",
        }
    }
}

/// Requests by what became of them.
///
/// What was offered is told by the schedule, the rest by what was done about it. Always: offered =
/// sent + not sent + refused + client limit, and sent is the sum of the outcomes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Requests that were due.
    pub offered: u64,
    /// Requests of which at least the first byte was given to the kernel.
    pub sent: u64,
    /// See [`Outcome::Ok`].
    pub ok: u64,
    /// See [`Outcome::WrongStatus`].
    pub wrong_status: u64,
    /// See [`Outcome::FailedCheck`].
    pub failed_check: u64,
    /// Requests that found no connection because one could not be opened.
    pub refused: u64,
    /// See [`Outcome::Reset`].
    pub reset: u64,
    /// See [`Outcome::TimedOut`].
    pub timed_out: u64,
    /// See [`Outcome::Malformed`].
    pub malformed: u64,
    /// Requests of an open load that were due but found no free connection in time.
    pub not_sent: u64,
    /// See [`Outcome::Unfinished`].
    pub unfinished: u64,
    /// Requests that found no connection because this machine had no file or port left for one.
    pub client_limit: u64,
}

impl Counts {
    const KINDS: usize = 12;

    /// Counts one request's outcome.
    pub fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Ok => self.ok += 1,
            Outcome::WrongStatus => self.wrong_status += 1,
            Outcome::FailedCheck => self.failed_check += 1,
            Outcome::Reset => self.reset += 1,
            Outcome::TimedOut => self.timed_out += 1,
            Outcome::Malformed => self.malformed += 1,
            Outcome::Unfinished => self.unfinished += 1,
        }
    }

    /// Requests whose outcome is known.
    pub fn settled(&self) -> u64 {
        self.ok + self.failed() - self.refused - self.client_limit + self.unfinished
    }

    /// Requests that failed, those included that found no connection.
    pub fn failed(&self) -> u64 {
        self.wrong_status
            + self.failed_check
            + self.refused
            + self.reset
            + self.timed_out
            + self.malformed
            + self.client_limit
    }

    fn fields(&mut self) -> [&mut u64; Self::KINDS] {
        [
            &mut self.offered,
            &mut self.sent,
            &mut self.ok,
            &mut self.wrong_status,
            &mut self.failed_check,
            &mut self.refused,
            &mut self.reset,
            &mut self.timed_out,
            &mut self.malformed,
            &mut self.not_sent,
            &mut self.unfinished,
            &mut self.client_limit,
        ]
    }
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, mut other: Counts) {
        for (own, more) in self.fields().into_iter().zip(other.fields()) {
            *own += *more;
        }
    }
}

/// Counts that one thread publishes and others may read at any time.
///
/// Aligned so that no two threads write to the same cache line.
#[derive(Debug, Default)]
#[repr(align(128))]
pub struct SharedCounts([AtomicU64; Counts::KINDS]);

impl SharedCounts {
    /// Publishes; plain stores on the usual processors.
    pub fn publish(&self, mut counts: Counts) {
        for (shared, own) in self.0.iter().zip(counts.fields()) {
            shared.store(*own, Relaxed);
        }
    }

    /// What was published last; kinds may be a few requests apart.
    pub fn read(&self) -> Counts {
        let mut counts = Counts::default();
        for (shared, own) in self.0.iter().zip(counts.fields()) {
            *own = shared.load(Relaxed);
        }
        counts
    }
}
