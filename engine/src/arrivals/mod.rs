//! When a connection may send its next request: one file for each shape of load, and the schedule
//! of open loads.

mod closed;
mod iterations;
mod open;
pub mod schedule;

use crate::plan::spec::{Shape, Spec};

pub use closed::Closed;
pub use iterations::Iterations;
pub use open::Open;

/// What a free connection does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextSend {
    /// It sends a request that was due at this time.
    Send(u64),
    /// It waits until a request is due.
    Wait,
    /// It has nothing left to do.
    Done,
}

/// How one thread's load ends when it is over, or is ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// As the specification says.
    Regular,
    /// By request.
    Early,
}

/// The pace of one thread. Times are nanoseconds on the monotonic clock.
pub trait Pace {
    /// The load starts at `start`.
    fn start(&mut self, start: u64);

    /// What the connection in `slot`, which is free now, does next. Its user has been ready
    /// to send since `ready_since`, which is earlier than now if the connection had to be reopened.
    fn next_send(&mut self, slot: usize, ready_since: u64, now: u64) -> NextSend;

    /// No connection could be opened in `slot`: whether a request was due there and is now refused.
    fn refuse(&mut self, slot: usize, now: u64) -> bool;

    /// Whether the connection in `slot` has, or may yet have, something to send.
    fn wants(&self, slot: usize, now: u64) -> bool {
        let _ = slot;
        !self.is_over(now)
    }

    /// When a waiting connection gets a request; `u64::MAX` if none ever waits.
    fn next_due(&self) -> u64 {
        u64::MAX
    }

    /// When the request is due that has `ahead` others before it, all waiting for a connection.
    fn due_behind(&self, ahead: usize) -> u64 {
        if ahead == 0 { self.next_due() } else { u64::MAX }
    }

    /// When the load ends by the clock; `u64::MAX` if it does not.
    fn deadline(&self) -> u64 {
        u64::MAX
    }

    /// Whether nothing more will be sent.
    fn is_over(&self, now: u64) -> bool;

    /// Whether, then, the answers under way are still waited for.
    fn drains(&self) -> bool;

    /// Requests given up since last asked, because they found no free connection in time.
    fn given_up(&mut self) -> u64 {
        0
    }

    /// Ends the load: how many requests that were due are left unsent.
    fn end(&mut self, now: u64, end: End) -> u64 {
        let _ = (now, end);
        0
    }

    /// How many requests were due before `time`, since last asked: by the clock, or in loads driven by
    /// users, as often as one wanted to send.
    fn offered_until(&mut self, time: u64) -> u64;

    /// How long the load lasted, in nanoseconds, given when the thread `ended` and last sent.
    fn elapsed(&self, ended: u64, last_sent: u64, end: End) -> u64;
}

/// The pace of a thread, given by its number and how many there are, with so many `connections`.
pub fn pace(spec: &Spec, share: (usize, usize), connections: usize) -> Box<dyn Pace> {
    match &spec.load {
        Shape::Closed { duration_s, .. } => Box::new(Closed::new(nanoseconds(*duration_s))),
        Shape::Open { phases, arrivals, .. } => Box::new(Open::new(
            phases,
            *arrivals,
            spec.shown_seed(),
            share,
            nanoseconds(spec.timeout_s),
        )),
        Shape::Iterations { iterations, .. } => Box::new(Iterations::new(connections, *iterations)),
    }
}

/// Seconds as nanoseconds.
pub fn nanoseconds(seconds: f64) -> u64 {
    (seconds * 1e9).round() as u64
}
