//! One thread's record over time: what it reports at the end of each tick and each second.

use hdrhistogram::Histogram;

use super::histogram::second_histogram;
use super::timeline::{TICK, TICKS_PER_SECOND, Tally, Timeline};

/// Where a thread stands in time. A tick or a second is the difference between the totals at its end
/// and those at its start.
#[derive(Debug)]
pub struct Series {
    thread: usize,
    /// Latencies of this second's ok answers.
    second: Histogram<u32>,
    longest: u64,
    second_start: Tally,
    tick_start: Tally,
    next_tick: u64,
    ticks: u64,
}

impl Series {
    /// That of thread number `thread`; no tick ends before [`Series::start`].
    pub fn new(thread: usize) -> Series {
        Series {
            thread,
            second: second_histogram(),
            longest: 0,
            second_start: Tally::default(),
            tick_start: Tally::default(),
            next_tick: u64::MAX,
            ticks: 0,
        }
    }

    /// The load starts at `start`.
    pub fn start(&mut self, start: u64) {
        self.next_tick = start + TICK;
    }

    /// An answer was ok, `latency` nanoseconds after its request was due.
    #[inline]
    pub fn answered(&mut self, latency: u64) {
        self.second.saturating_record(latency);
        self.longest = self.longest.max(latency);
    }

    /// When the next tick ends.
    #[inline]
    pub fn next_tick(&self) -> u64 {
        self.next_tick
    }

    /// The tick has ended, and perhaps the second with it; `totals` are the thread's so far.
    pub fn end_tick(&mut self, totals: Tally, timeline: &mut Timeline) {
        self.next_tick += TICK;
        self.ticks += 1;
        let ok = totals.ok - self.tick_start.ok;
        let errors = totals.errors - self.tick_start.errors;
        timeline.report_tick(self.thread, ok, errors);
        self.tick_start = totals;
        if self.ticks.is_multiple_of(TICKS_PER_SECOND) {
            self.end_second(totals, timeline);
        }
    }

    /// The load has ended, perhaps within a second.
    pub fn finish(&mut self, totals: Tally, timeline: &mut Timeline) {
        // A load that lasts whole seconds would otherwise end with an empty row.
        if totals != self.second_start {
            self.end_second(totals, timeline);
        }
        timeline.finish(self.thread);
    }

    fn end_second(&mut self, totals: Tally, timeline: &mut Timeline) {
        let start = self.second_start;
        let tally = Tally {
            offered: totals.offered - start.offered,
            sent: totals.sent - start.sent,
            ok: totals.ok - start.ok,
            errors: totals.errors - start.errors,
            bytes: totals.bytes - start.bytes,
        };
        timeline.report_second(self.thread, tally, &self.second, self.longest);
        self.second.reset();
        self.longest = 0;
        self.second_start = totals;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silence_is_reported_as_empty_ticks_and_seconds() {
        let mut timeline = Timeline::new(1);
        let mut series = Series::new(0);
        series.start(5_000_000_000);
        series.answered(50_000_000);
        let mut totals = Tally { sent: 1, ok: 1, ..Tally::default() };
        for tick in 1..=22 {
            totals.offered += if tick % 10 == 0 { 3 } else { 0 };
            series.end_tick(totals, &mut timeline);
        }
        assert_eq!(series.next_tick(), 5_000_000_000 + 23 * TICK);
        totals.offered += 1;
        series.finish(totals, &mut timeline);
        let ticks = timeline.take_ticks();
        assert_eq!(ticks.len(), 22);
        assert_eq!(ticks[0], (0.1, 1, 0));
        assert!(ticks[1..].iter().all(|tick| tick.1 == 0));
        let rows: Vec<_> =
            timeline.rows().iter().map(|row| (row.second, row.offered, row.ok)).collect();
        assert_eq!(rows, [(0, 3, 1), (1, 3, 0), (2, 1, 0)]);
        assert_eq!(timeline.rows()[0].max_us, 50_000.0);
        assert_eq!(timeline.rows()[1].max_us, 0.0);
    }
}
