//! What one thread records of its requests: counts, latencies, time series, error details.

use std::sync::Mutex;

use hdrhistogram::Histogram;

use super::counts::{Counts, Outcome};
use super::details::Details;
use super::histogram::histogram;
use super::lateness::{Late, Lateness};
use super::series::Series;
use super::timeline::{Tally, Timeline};

/// When one request was due, sent, and answered; nanoseconds.
#[derive(Debug, Clone, Copy, Default)]
pub struct Times {
    /// When it was due.
    pub intended: u64,
    /// When it was sent.
    pub sent: u64,
    /// When the first byte of its answer came.
    pub first_byte: u64,
    /// When the last one did.
    pub answered: u64,
}

/// What became of the requests of one name.
#[derive(Debug)]
pub struct OfRequest {
    /// By kind; what was due, but not sent, has no name yet.
    pub counts: Counts,
    /// Latencies of ok answers from the intended send.
    pub from_intended: Histogram<u64>,
}

/// One thread's record.
#[derive(Debug)]
pub struct Recorder {
    /// Requests by what became of them.
    counts: Counts,
    /// The same of each of the specified requests.
    by_request: Vec<OfRequest>,
    /// Latencies, from the actual send, of ok answers whose first and last byte came together.
    at_once: Histogram<u64>,
    /// The same of those that came in pieces, and how long their first byte took.
    in_pieces: Histogram<u64>,
    first_bytes: Histogram<u64>,
    /// How long connections took to open.
    pub connects: Histogram<u64>,
    /// How long after its intended time each request was sent.
    pub send_lag: Histogram<u64>,
    lateness: Lateness,
    /// Connections that the server closed while no request was under way.
    pub closed_idle: u64,
    /// Requests whose connection, which had brought answers before, ended before a byte of theirs.
    pub reset_kept_alive: u64,
    /// Connections that were given up because bytes came on them that nobody had asked for.
    pub unsolicited: u64,
    /// Why requests failed.
    pub details: Details,
    /// Bytes received before the load was over.
    pub bytes_received: u64,
    /// Bytes sent.
    pub bytes_sent: u64,
    /// The same over time.
    series: Series,
    /// Whether the load is over.
    closed: bool,
    /// Ok answers when the schedule of an open load had been sent; `None` if none was missing then.
    ok_before_drain: Option<u64>,
    /// How long the longest unfinished request took from its intended send, or had waited so far.
    pub longest_unfinished: u64,
}

impl Recorder {
    /// A record for thread number `thread` of a load of `requests` different requests; nothing
    /// rolls before [`Recorder::start`].
    pub fn new(thread: usize, requests: usize) -> Recorder {
        let of_request = || OfRequest { counts: Counts::default(), from_intended: histogram() };
        Recorder {
            counts: Counts::default(),
            by_request: (0..requests).map(|_| of_request()).collect(),
            at_once: histogram(),
            in_pieces: histogram(),
            first_bytes: histogram(),
            connects: histogram(),
            send_lag: histogram(),
            lateness: Lateness::default(),
            closed_idle: 0,
            reset_kept_alive: 0,
            unsolicited: 0,
            details: Details::default(),
            bytes_received: 0,
            bytes_sent: 0,
            series: Series::new(thread),
            closed: false,
            ok_before_drain: None,
            longest_unfinished: 0,
        }
    }

    /// The load starts at `start`.
    pub fn start(&mut self, start: u64) {
        self.series.start(start);
    }

    /// The load is over: right answers that still come are `unfinished`, and not measured.
    pub fn close(&mut self) {
        self.closed = true;
    }

    /// All requests of an open load have been sent; what follows is waited for.
    pub fn drain(&mut self) {
        self.ok_before_drain = Some(self.counts.ok);
    }

    /// Ok answers that came after [`Recorder::drain`].
    pub fn ok_after_end(&self) -> u64 {
        self.ok_before_drain.map_or(0, |before| self.counts.ok - before)
    }

    /// Request number `request` of the load, which was due at `intended`, is being sent, on a
    /// connection that has been free since `free`.
    #[inline]
    pub fn sent(&mut self, request: usize, intended: u64, free: u64, sent: u64, bytes: usize) {
        self.counts.sent += 1;
        self.by_request[request].counts.sent += 1;
        self.bytes_sent += bytes as u64;
        self.send_lag.saturating_record(sent.saturating_sub(intended));
        self.lateness.sent(intended, free, sent);
    }

    /// Bytes came in. Those that come after the end are no part of the rate at which they came.
    #[inline]
    pub fn received(&mut self, bytes: usize) {
        if !self.closed {
            self.bytes_received += bytes as u64;
        }
    }

    /// The thread was to look at its connections at `due`, and did at `now`.
    pub fn looked(&mut self, due: u64, now: u64) {
        self.lateness.looked(due, now);
    }

    /// An answer that passed its checks is complete; whether that was in time.
    #[inline]
    pub fn ok(&mut self, request: usize, times: Times) -> bool {
        let Times { intended, sent, first_byte, answered } = times;
        if self.closed {
            self.unfinished(request, intended, answered);
            return false;
        }
        let of_request = &mut self.by_request[request];
        self.counts.ok += 1;
        of_request.counts.ok += 1;
        let latency = answered.saturating_sub(intended);
        of_request.from_intended.saturating_record(latency);
        let from_send = answered.saturating_sub(sent);
        // Most answers come in one piece: for them one distribution tells both.
        if first_byte == answered {
            self.at_once.saturating_record(from_send);
        } else {
            self.in_pieces.saturating_record(from_send);
            self.first_bytes.saturating_record(first_byte.saturating_sub(sent));
        }
        self.series.answered(latency);
        true
    }

    /// A request that was due at `intended` was not answered before the load was over; its answer
    /// came, or was given up, at `until`.
    pub fn unfinished(&mut self, request: usize, intended: u64, until: u64) {
        self.failed(request, Outcome::Unfinished);
        self.longest_unfinished = self.longest_unfinished.max(until.saturating_sub(intended));
    }

    /// A sent request did not end as ok.
    pub fn failed(&mut self, request: usize, outcome: Outcome) {
        self.counts.add(outcome);
        self.by_request[request].counts.add(outcome);
    }

    /// A request found that no connection could be opened.
    pub fn refused(&mut self) {
        self.counts.refused += 1;
    }

    /// A request found that this machine had no file or port left for a connection.
    pub fn client_limit(&mut self) {
        self.counts.client_limit += 1;
    }

    /// Requests found no free connection in time.
    pub fn not_sent(&mut self, requests: u64) {
        self.counts.not_sent += requests;
    }

    /// The counts so far; requests are `offered` as the schedule told at the last tick.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// What became of each of the specified requests.
    pub fn by_request(&self) -> &[OfRequest] {
        &self.by_request
    }

    /// Latencies of ok answers from the actual send.
    pub fn latency_from_send(&self) -> [&Histogram<u64>; 2] {
        [&self.at_once, &self.in_pieces]
    }

    /// How long after the actual send the first byte of ok answers came.
    pub fn first_byte(&self) -> [&Histogram<u64>; 2] {
        [&self.at_once, &self.first_bytes]
    }

    /// Requests sent late.
    pub fn late(&self) -> Late {
        self.lateness.found()
    }

    /// When the next tick ends.
    #[inline]
    pub fn next_tick(&self) -> u64 {
        self.series.next_tick()
    }

    /// Reports the ticks and seconds that have ended by `now`. `offered_until` tells, by the
    /// schedule, how many requests were due by a time since it was last asked.
    pub fn roll(
        &mut self,
        now: u64,
        timeline: &Mutex<Timeline>,
        mut offered_until: impl FnMut(u64) -> u64,
    ) {
        while self.next_tick() <= now {
            self.counts.offered += offered_until(self.next_tick());
            let totals = self.totals();
            let mut timeline = timeline.lock().expect("no thread panics while reporting");
            self.series.end_tick(totals, &mut timeline);
        }
    }

    /// Reports the last, incomplete second. `offered` is how many requests were due since the last
    /// tick.
    pub fn finish(&mut self, timeline: &Mutex<Timeline>, offered: u64) {
        self.counts.offered += offered;
        let totals = self.totals();
        let mut timeline = timeline.lock().expect("no thread panics while reporting");
        self.series.finish(totals, &mut timeline);
    }

    fn totals(&self) -> Tally {
        Tally {
            offered: self.counts.offered,
            sent: self.counts.sent,
            ok: self.counts.ok,
            errors: self.counts.failed(),
            bytes: self.bytes_received,
        }
    }
}

#[cfg(test)]
mod tests;
