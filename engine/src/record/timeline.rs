//! The load over time: ticks of 100 ms while it runs, rows of a second for the result.
//!
//! Every thread reports each tick and each second in order, the empty ones too. What all threads
//! have reported is complete: a second's histogram is then reduced to its row, so that memory
//! grows by a row a second and no more.

use std::collections::VecDeque;

use hdrhistogram::Histogram;
use serde::Serialize;

use super::histogram::{raw, second_histogram};

/// Nanoseconds of a tick.
pub const TICK: u64 = 100_000_000;
/// Ticks in a second.
pub const TICKS_PER_SECOND: u64 = 10;
/// Ticks kept while nobody asks for them: an hour's.
const TICKS_KEPT: usize = 36_000;

/// A tick as handed out: its end in seconds, ok answers, errors.
pub type Tick = (f64, u64, u64);

/// One second of the load. Requests are counted when they were due or sent, answers when they came.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Second {
    /// Since the start of the load; the last one may be cut short.
    pub second: u64,
    /// Requests due.
    pub offered: u64,
    /// Requests sent.
    pub sent: u64,
    /// Answers that were right.
    pub ok: u64,
    /// Requests that failed.
    pub errors: u64,
    /// Median latency of the ok answers, from the intended send, in microseconds.
    pub p50_us: f64,
    /// The 90th percentile.
    pub p90_us: f64,
    /// The 95th.
    pub p95_us: f64,
    /// The 99th.
    pub p99_us: f64,
    /// The longest.
    pub max_us: f64,
    /// Bytes received.
    pub bytes: u64,
    /// The latencies themselves as [`raw`] writes them, where they are kept.
    #[serde(skip)]
    pub latencies: Vec<u8>,
}

/// What one thread counted within a second, or a tick.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Requests due.
    pub offered: u64,
    /// Requests sent.
    pub sent: u64,
    /// Right answers.
    pub ok: u64,
    /// Failed requests.
    pub errors: u64,
    /// Bytes received.
    pub bytes: u64,
}

/// What the threads of a load reported so far.
#[derive(Debug)]
pub struct Timeline {
    ticks: Window<(u64, u64)>,
    /// What was counted, the latencies, and the longest of them, which a histogram rounds.
    seconds: Window<(Tally, Option<Histogram<u32>>, u64)>,
    rows: Vec<Second>,
    keeps: bool,
}

impl Timeline {
    /// A timeline to which `threads` threads will report.
    pub fn new(threads: usize) -> Timeline {
        let (ticks, seconds) = (Window::new(threads), Window::new(threads));
        Timeline { ticks, seconds, rows: Vec::new(), keeps: false }
    }

    /// Keeps the latencies of each second as well, if `keeps`: a few hundred bytes.
    pub fn keeping(self, keeps: bool) -> Timeline {
        Timeline { keeps, ..self }
    }

    /// Thread number `thread` reports its next tick.
    pub fn report_tick(&mut self, thread: usize, ok: u64, errors: u64) {
        let slot = self.ticks.slot(thread);
        slot.0 += ok;
        slot.1 += errors;
        self.ticks.limit(TICKS_KEPT);
    }

    /// Thread number `thread` reports its next second; `longest` is that of its `latencies`.
    pub fn report_second(
        &mut self,
        thread: usize,
        tally: Tally,
        latencies: &Histogram<u32>,
        longest: u64,
    ) {
        let (sum, histogram, most) = self.seconds.slot(thread);
        *most = longest.max(*most);
        sum.offered += tally.offered;
        sum.sent += tally.sent;
        sum.ok += tally.ok;
        sum.errors += tally.errors;
        sum.bytes += tally.bytes;
        match histogram {
            None => *histogram = Some(latencies.clone()),
            Some(histogram) => histogram.add(latencies).expect("the same bounds"),
        }
        self.complete_rows();
    }

    /// Thread number `thread` will report nothing more.
    pub fn finish(&mut self, thread: usize) {
        self.ticks.finish(thread);
        self.seconds.finish(thread);
        self.complete_rows();
    }

    /// The complete ticks since the last call.
    pub fn take_ticks(&mut self) -> Vec<Tick> {
        let mut taken = Vec::new();
        while let Some((index, (ok, errors))) = self.ticks.take() {
            let end_s = (index + 1) as f64 / TICKS_PER_SECOND as f64;
            taken.push((end_s, ok, errors));
        }
        taken
    }

    /// The seconds that all threads have reported.
    pub fn rows(&self) -> &[Second] {
        &self.rows
    }

    fn complete_rows(&mut self) {
        while let Some((second, (tally, latencies, longest))) = self.seconds.take() {
            let quantile = |q: f64| match &latencies {
                Some(latencies) if !latencies.is_empty() => {
                    let value = latencies.value_at_quantile(q).min(longest);
                    value as f64 / 1000.0
                }
                _ => 0.0,
            };
            self.rows.push(Second {
                second,
                offered: tally.offered,
                sent: tally.sent,
                ok: tally.ok,
                errors: tally.errors,
                p50_us: quantile(0.50),
                p90_us: quantile(0.90),
                p95_us: quantile(0.95),
                p99_us: quantile(0.99),
                max_us: quantile(1.0),
                bytes: tally.bytes,
                latencies: if self.keeps {
                    raw(&latencies.unwrap_or_else(second_histogram))
                } else {
                    Vec::new()
                },
            });
        }
    }
}

/// Entries that several threads add to in order, given out once all have.
#[derive(Debug)]
struct Window<T> {
    entries: VecDeque<T>,
    /// The index of the first entry.
    first: u64,
    /// How many entries each thread has reported; `u64::MAX` when it is done.
    reported: Vec<u64>,
}

impl<T: Default> Window<T> {
    fn new(threads: usize) -> Window<T> {
        Window { entries: VecDeque::new(), first: 0, reported: vec![0; threads] }
    }

    /// The next entry of a thread.
    fn slot(&mut self, thread: usize) -> &mut T {
        let index = self.reported[thread].max(self.first);
        self.reported[thread] = index + 1;
        let place = (index - self.first) as usize;
        if self.entries.len() <= place {
            self.entries.resize_with(place + 1, T::default);
        }
        &mut self.entries[place]
    }

    fn finish(&mut self, thread: usize) {
        self.reported[thread] = u64::MAX;
    }

    fn take(&mut self) -> Option<(u64, T)> {
        let complete = self.reported.iter().copied().min().unwrap_or(0);
        if self.first >= complete {
            return None;
        }
        let entry = self.entries.pop_front()?;
        self.first += 1;
        Some((self.first - 1, entry))
    }

    fn limit(&mut self, kept: usize) {
        while self.entries.len() > kept {
            self.entries.pop_front();
            self.first += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tick_is_given_once_all_threads_have_reported_it() {
        let mut timeline = Timeline::new(2);
        timeline.report_tick(0, 5, 1);
        timeline.report_tick(0, 7, 0);
        assert_eq!(timeline.take_ticks(), []);
        timeline.report_tick(1, 10, 0);
        assert_eq!(timeline.take_ticks(), [(0.1, 15, 1)]);
        timeline.finish(1);
        assert_eq!(timeline.take_ticks(), [(0.2, 7, 0)]);
        assert_eq!(timeline.take_ticks(), []);
    }

    #[test]
    fn a_second_merges_the_latencies_of_all_threads() {
        let mut timeline = Timeline::new(2);
        let tally = Tally { offered: 2, sent: 2, ok: 1, errors: 1, bytes: 10 };
        for (thread, latency) in [1_000_000, 3_000_000].into_iter().enumerate() {
            let mut latencies = second_histogram();
            latencies.saturating_record(latency);
            timeline.report_second(thread, tally, &latencies, latency);
        }
        let [row] = timeline.rows() else { panic!("one row, not {:?}", timeline.rows()) };
        assert_eq!((row.offered, row.ok, row.errors, row.bytes), (4, 2, 2, 20));
        assert!((row.p50_us / 1000.0 - 1.0).abs() < 0.01, "{row:?}");
        assert!((row.p90_us / 3000.0 - 1.0).abs() < 0.01, "{row:?}");
        assert_eq!(row.p95_us, row.p90_us);
        assert_eq!(row.max_us, 3000.0, "rounded up, it might exceed that of the whole load");
    }

    #[test]
    fn unread_ticks_are_limited() {
        let mut timeline = Timeline::new(1);
        for _ in 0..TICKS_KEPT + 10 {
            timeline.report_tick(0, 1, 0);
        }
        let ticks = timeline.take_ticks();
        assert_eq!(ticks.len(), TICKS_KEPT);
        assert_eq!(ticks[0].0, 1.1);
    }
}
