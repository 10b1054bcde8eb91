//! What is said of a load while it runs.

use serde::Serialize;

use crate::record::counts::Counts;
use crate::record::timeline::Tick;

/// How far a load is.
#[derive(Debug, Clone, Serialize)]
pub struct Progress {
    /// Seconds since the start; 0 while connections are being opened.
    pub elapsed_s: f64,
    /// `connecting`, `loading`, `draining` or `done`.
    pub phase: &'static str,
    /// Whether the load has ended.
    pub done: bool,
    /// The counts so far.
    pub counts: Counts,
    /// Right answers so far.
    pub ok_total: u64,
    /// Requests that were sent and not yet answered.
    pub in_flight: u64,
    /// Windows of 100 ms since the last look: end in seconds, right answers, errors.
    pub ticks: Vec<Tick>,
}

impl Progress {
    /// `elapsed` is in nanoseconds.
    pub fn new(
        elapsed: u64,
        phase: &'static str,
        done: bool,
        counts: Counts,
        ticks: Vec<Tick>,
    ) -> Progress {
        Progress {
            elapsed_s: elapsed as f64 / 1e9,
            phase,
            done,
            counts,
            ok_total: counts.ok,
            in_flight: counts.sent.saturating_sub(counts.settled()),
            ticks,
        }
    }
}
