//! What one thread records of its requests: counts, latencies, time series, error details.

use std::sync::Mutex;

use hdrhistogram::Histogram;

use crate::counts::{Counts, Outcome};
use crate::details::Details;
use crate::timeline::{TICK, TICKS_PER_SECOND, Tally, Timeline, second_histogram};

/// The longest latency that is told apart, in nanoseconds: an hour.
pub const HIGHEST: u64 = 3_600_000_000_000;

/// A send later than this after its time is late, in nanoseconds.
pub const LATE: u64 = 1_000_000;

/// Requests that were sent late, by why.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Late {
    /// Every connection was busy: they waited for the server.
    pub waited: u64,
    /// A connection was free: they waited for the load's own thread.
    pub own: u64,
}

/// An empty histogram of nanoseconds with three significant digits.
pub fn histogram() -> Histogram<u64> {
    Histogram::new_with_bounds(1, HIGHEST, 3).expect("valid bounds")
}

/// One thread's record.
#[derive(Debug)]
pub struct Recorder {
    thread: usize,
    /// Requests by what became of them; `offered` is filled by [`Recorder::counts`].
    counts: Counts,
    /// Latencies of ok answers from the intended send.
    pub from_intended: Histogram<u64>,
    /// Latencies of ok answers from the actual send.
    pub from_send: Histogram<u64>,
    /// How long after its intended time each request was sent.
    pub send_lag: Histogram<u64>,
    /// Requests sent late.
    pub late: Late,
    /// Why requests failed.
    pub details: Details,
    /// Bytes received.
    pub bytes_received: u64,
    /// Bytes sent.
    pub bytes_sent: u64,
    second: Histogram<u32>,
    /// Ticks and seconds are differences between the totals now and those at their start.
    second_start: Tally,
    tick_start: Tally,
    next_tick: u64,
    ticks: u64,
    closed: bool,
}

impl Recorder {
    /// A record for thread number `thread`; nothing rolls before [`Recorder::start`].
    pub fn new(thread: usize) -> Recorder {
        Recorder {
            thread,
            counts: Counts::default(),
            from_intended: histogram(),
            from_send: histogram(),
            send_lag: histogram(),
            late: Late::default(),
            details: Details::default(),
            bytes_received: 0,
            bytes_sent: 0,
            second: second_histogram(),
            second_start: Tally::default(),
            tick_start: Tally::default(),
            next_tick: u64::MAX,
            ticks: 0,
            closed: false,
        }
    }

    /// The load starts at `start`.
    pub fn start(&mut self, start: u64) {
        self.next_tick = start + TICK;
    }

    /// The load is over: right answers that still come are `unfinished`, and not measured.
    pub fn close(&mut self) {
        self.closed = true;
    }

    /// A request that was due at `intended` is being sent; `waited` if no connection was free before.
    #[inline]
    pub fn sent(&mut self, intended: u64, sent: u64, bytes: usize, waited: bool) {
        self.counts.sent += 1;
        self.bytes_sent += bytes as u64;
        let lag = sent.saturating_sub(intended);
        self.send_lag.saturating_record(lag);
        if lag > LATE {
            if waited {
                self.late.waited += 1;
            } else {
                self.late.own += 1;
            }
        }
    }

    /// An answer that passed its checks was complete at `now`; whether that was in time.
    #[inline]
    pub fn ok(&mut self, intended: u64, sent: u64, now: u64) -> bool {
        if self.closed {
            self.counts.add(Outcome::Unfinished);
            return false;
        }
        self.counts.ok += 1;
        let latency = now.saturating_sub(intended);
        self.from_intended.saturating_record(latency);
        self.from_send.saturating_record(now.saturating_sub(sent));
        self.second.saturating_record(latency);
        true
    }

    /// A sent request did not end as ok.
    pub fn failed(&mut self, outcome: Outcome) {
        self.counts.add(outcome);
    }

    /// A request found that no connection could be opened.
    pub fn refused(&mut self) {
        self.counts.refused += 1;
    }

    /// Requests found no free connection in time.
    pub fn not_sent(&mut self, requests: u64) {
        self.counts.not_sent += requests;
    }

    /// The counts so far.
    pub fn counts(&self) -> Counts {
        Counts {
            offered: self.counts.sent + self.counts.not_sent + self.counts.refused,
            ..self.counts
        }
    }

    /// When the next tick ends.
    #[inline]
    pub fn next_tick(&self) -> u64 {
        self.next_tick
    }

    /// Reports the ticks and seconds that have ended by `now`. `offered_until` tells how many
    /// requests were due by a time since it was last asked.
    pub fn roll(
        &mut self,
        now: u64,
        timeline: &Mutex<Timeline>,
        mut offered_until: impl FnMut(u64) -> u64,
    ) {
        while self.next_tick <= now {
            let end = self.next_tick;
            self.next_tick += TICK;
            self.ticks += 1;
            let totals = self.totals();
            let mut timeline = timeline.lock().expect("no thread panics while reporting");
            let ok = totals.ok - self.tick_start.ok;
            let errors = totals.errors - self.tick_start.errors;
            timeline.report_tick(self.thread, ok, errors);
            self.tick_start = totals;
            if self.ticks.is_multiple_of(TICKS_PER_SECOND) {
                self.report_second(&mut timeline, offered_until(end));
            }
        }
    }

    /// Reports the last, incomplete second. `offered` is how many requests were due in it.
    pub fn finish(&mut self, timeline: &Mutex<Timeline>, offered: u64) {
        let mut timeline = timeline.lock().expect("no thread panics while reporting");
        // A load that lasts whole seconds would otherwise end with an empty row.
        if offered > 0 || self.totals() != self.second_start {
            self.report_second(&mut timeline, offered);
        }
        timeline.finish(self.thread);
    }

    fn report_second(&mut self, timeline: &mut Timeline, offered: u64) {
        let totals = self.totals();
        let start = self.second_start;
        let tally = Tally {
            offered,
            sent: totals.sent - start.sent,
            ok: totals.ok - start.ok,
            errors: totals.errors - start.errors,
            bytes: totals.bytes - start.bytes,
        };
        timeline.report_second(self.thread, tally, &self.second);
        self.second.reset();
        self.second_start = totals;
    }

    fn totals(&self) -> Tally {
        Tally {
            offered: 0,
            sent: self.counts.sent,
            ok: self.counts.ok,
            errors: self.counts.failed(),
            bytes: self.bytes_received,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: u64 = 5_000_000_000;

    #[test]
    fn latencies_run_from_both_starts_and_lag_between_them() {
        let mut recorder = Recorder::new(0);
        recorder.sent(1_000_000, 3_000_000, 100, false);
        recorder.ok(1_000_000, 3_000_000, 8_000_000);
        let near = |histogram: &Histogram<u64>, value: u64| {
            histogram.len() == 1 && histogram.equivalent(histogram.max(), value)
        };
        assert!(near(&recorder.from_intended, 7_000_000));
        assert!(near(&recorder.from_send, 5_000_000));
        assert!(near(&recorder.send_lag, 2_000_000));
        assert_eq!((recorder.counts().offered, recorder.bytes_sent), (1, 100));
    }

    #[test]
    fn a_late_send_has_waited_for_a_connection_or_for_its_thread() {
        let mut recorder = Recorder::new(0);
        for (lag, waited) in [(LATE, true), (LATE + 1, true), (2 * LATE, false), (3 * LATE, false)]
        {
            recorder.sent(START, START + lag, 1, waited);
        }
        assert_eq!(recorder.late, Late { waited: 1, own: 2 });
    }

    #[test]
    fn silence_rolls_as_empty_ticks_and_seconds() {
        let timeline = Mutex::new(Timeline::new(1));
        let mut recorder = Recorder::new(0);
        recorder.start(START);
        recorder.sent(START, START, 1, false);
        recorder.ok(START, START, START + 50_000_000);
        recorder.roll(START + 2_250_000_000, &timeline, |_| 3);
        recorder.finish(&timeline, 1);
        let mut timeline = timeline.into_inner().unwrap();
        let ticks = timeline.take_ticks();
        assert_eq!(ticks.len(), 22);
        assert_eq!(ticks[0], (0.1, 1, 0));
        assert!(ticks[1..].iter().all(|tick| tick.1 == 0));
        let rows: Vec<_> =
            timeline.rows().iter().map(|row| (row.second, row.offered, row.ok)).collect();
        assert_eq!(rows, [(0, 3, 1), (1, 3, 0), (2, 1, 0)]);
    }
}
