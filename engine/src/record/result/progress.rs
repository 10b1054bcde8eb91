//! What is said of a load while it runs.

use serde::Serialize;

use crate::record::counts::Counts;
use crate::record::timeline::Tick;

/// Where a load stands.
///
/// | from | when | to |
/// |---|---|---|
/// | `Connecting` | every thread has opened its connections, and it is held | `Ready` |
/// | `Connecting` | every thread has opened its connections | `Loading` |
/// | `Ready` | it is told to begin, and the agreed instant has come | `Loading` |
/// | `Loading` | no thread sends anything more | `Draining` |
/// | any | every thread has ended | `Done` |
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LoadPhase {
    /// It has not begun: connections are being opened.
    Connecting,
    /// Connections are open, and it waits to be told when to begin.
    Ready,
    /// It is on.
    Loading,
    /// Nothing more is sent.
    Draining,
    /// It has ended.
    Done,
}

/// How far a load is.
#[derive(Debug, Clone, Serialize)]
pub struct Progress {
    /// Seconds since the start; 0 while connections are being opened.
    pub elapsed_s: f64,
    /// Where it stands.
    pub phase: LoadPhase,
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
    pub fn new(elapsed: u64, phase: LoadPhase, counts: Counts, ticks: Vec<Tick>) -> Progress {
        Progress {
            elapsed_s: elapsed as f64 / 1e9,
            phase,
            done: phase == LoadPhase::Done,
            counts,
            ok_total: counts.ok,
            in_flight: counts.sent.saturating_sub(counts.settled()),
            ticks,
        }
    }
}
