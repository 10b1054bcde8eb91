//! The open load: requests fall due by the clock, whatever the server does.
//!
//! A due request takes a free connection; until one is free it waits, and its latency runs.
//! The queue is never written down: it is what lies between the schedule's position and now. A
//! request that waits longer than the timeout is given up, as its user would; and after the end
//! of the schedule the queue gets [`GRACE`] to empty, so that a stall at the very end is measured
//! like any other, while an overloaded server cannot prolong the load for long.

use super::schedule::Schedule;
use super::{End, NextSend, Pace};
use crate::plan::spec::{Arrivals, Phase};

/// How long after the end of the schedule waiting requests may still be sent, in nanoseconds.
pub const GRACE: u64 = 1_000_000_000;

/// An open load.
#[derive(Debug)]
pub struct Open {
    /// Gives the next request to be sent.
    schedule: Schedule,
    /// The same schedule, read by the clock, for the series of what was offered.
    offered: std::iter::Peekable<Schedule>,
    /// When the next request is due; `u64::MAX` when there is none.
    next: u64,
    start: u64,
    duration: u64,
    patience: u64,
    given_up: u64,
}

impl Open {
    /// A thread's share, given by its number and how many threads there are; requests that wait
    /// longer than `patience` nanoseconds are given up.
    pub fn new(
        phases: &[Phase],
        arrivals: Arrivals,
        seed: u64,
        (thread, threads): (usize, usize),
        patience: u64,
    ) -> Open {
        let schedule = Schedule::new(phases, arrivals, seed, thread, threads);
        let seconds: f64 = phases.iter().map(|phase| phase.duration_s).sum();
        Open {
            offered: schedule.clone().peekable(),
            schedule,
            next: u64::MAX,
            start: 0,
            duration: super::nanoseconds(seconds),
            patience,
            given_up: 0,
        }
    }

    fn advance(&mut self) {
        self.next = match self.schedule.next() {
            Some(time) => self.start + time,
            None => u64::MAX,
        };
    }

    /// Gives up the requests that have waited too long, and after the grace all that are left.
    fn lose_patience(&mut self, now: u64) {
        let over = self.is_over(now);
        while self.next <= now && (over || now - self.next > self.patience) {
            self.given_up += 1;
            self.advance();
        }
    }
}

impl Pace for Open {
    fn start(&mut self, start: u64) {
        self.start = start;
        self.advance();
    }

    fn next_send(&mut self, _slot: usize, _ready_since: u64, now: u64) -> NextSend {
        self.lose_patience(now);
        if self.next > now {
            return NextSend::Wait;
        }
        let intended = self.next;
        self.advance();
        NextSend::Send(intended)
    }

    fn refuse(&mut self, slot: usize, now: u64) -> bool {
        matches!(self.next_send(slot, now, now), NextSend::Send(_))
    }

    fn next_due(&self) -> u64 {
        self.next
    }

    fn due_behind(&self, ahead: usize) -> u64 {
        match ahead.checked_sub(1) {
            None => self.next,
            Some(skipped) => {
                self.schedule.clone().nth(skipped).map_or(u64::MAX, |time| self.start + time)
            }
        }
    }

    fn deadline(&self) -> u64 {
        let end = self.start + self.duration;
        if self.next == u64::MAX { end } else { end + GRACE }
    }

    fn is_over(&self, now: u64) -> bool {
        now >= self.deadline()
    }

    fn drains(&self) -> bool {
        true
    }

    fn given_up(&mut self) -> u64 {
        std::mem::take(&mut self.given_up)
    }

    fn end(&mut self, now: u64, end: End) -> u64 {
        let mut unsent = self.given_up();
        while self.next <= now || (end == End::Regular && self.next != u64::MAX) {
            if self.next == u64::MAX {
                break;
            }
            unsent += 1;
            self.advance();
        }
        self.next = u64::MAX;
        unsent
    }

    fn offered_until(&mut self, time: u64) -> u64 {
        let time = time.saturating_sub(self.start);
        let mut offered = 0;
        while self.offered.next_if(|due| *due <= time).is_some() {
            offered += 1;
        }
        offered
    }

    fn elapsed(&self, ended: u64, last_sent: u64, end: End) -> u64 {
        match end {
            End::Early => ended - self.start,
            End::Regular => self.duration.max(last_sent.saturating_sub(self.start)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: u64 = 1_000_000_000;
    const MS: u64 = 1_000_000;

    /// 100 requests in a second, at 5 ms, 15 ms, 25 ms …
    fn open(patience: u64) -> Open {
        let phase = Phase { rate: 100.0, to_rate: None, duration_s: 1.0 };
        let mut open = Open::new(&[phase], Arrivals::Uniform, 1, (0, 1), patience);
        open.start(START);
        open
    }

    #[test]
    fn a_late_request_keeps_the_time_it_was_due() {
        let mut open = open(1000 * MS);
        assert_eq!(open.next_send(0, 0, START + 4 * MS), NextSend::Wait);
        assert_eq!(open.next_due(), START + 5 * MS);
        assert_eq!(open.next_send(0, 0, START + 30 * MS), NextSend::Send(START + 5 * MS));
        assert_eq!(open.next_send(0, 0, START + 30 * MS), NextSend::Send(START + 15 * MS));
        assert_eq!(open.next_send(0, 0, START + 30 * MS), NextSend::Send(START + 25 * MS));
        assert_eq!(open.next_send(0, 0, START + 30 * MS), NextSend::Wait);
    }

    #[test]
    fn what_falls_due_behind_others_is_foreseen() {
        let mut open = open(1000 * MS);
        let due = |open: &Open| [0, 1, 2, 99, 100].map(|ahead| open.due_behind(ahead));
        let at = |ms: u64| START + ms * MS;
        assert_eq!(due(&open), [at(5), at(15), at(25), at(995), u64::MAX]);
        assert_eq!(open.next_send(0, 0, at(30)), NextSend::Send(at(5)));
        assert_eq!(due(&open), [at(15), at(25), at(35), u64::MAX, u64::MAX]);
    }

    #[test]
    fn requests_that_wait_too_long_are_given_up() {
        let mut open = open(20 * MS);
        assert_eq!(open.next_send(0, 0, START + 40 * MS), NextSend::Send(START + 25 * MS));
        assert_eq!((open.given_up(), open.given_up()), (2, 0));
    }

    #[test]
    fn what_is_left_after_the_grace_was_not_sent() {
        let mut open = open(10_000 * MS);
        for _ in 0..60 {
            open.next_send(0, 0, START + 1000 * MS);
        }
        assert!(!open.is_over(START + 1999 * MS));
        let late = START + 2000 * MS;
        assert!(open.is_over(late));
        assert_eq!(open.next_send(0, 0, late), NextSend::Wait);
        assert_eq!(open.end(late, End::Regular), 40);
    }

    #[test]
    fn ended_early_only_what_was_due_counts() {
        let mut open = open(10_000 * MS);
        let now = START + 50 * MS;
        assert_eq!(open.end(now, End::Early), 5);
        assert_eq!(open.offered_until(now), 5);
    }

    #[test]
    fn a_schedule_sent_in_time_ends_on_time() {
        let mut open = open(10_000 * MS);
        while open.next_send(0, 0, START + 996 * MS) != NextSend::Wait {}
        assert!(!open.is_over(START + 999 * MS));
        assert!(open.is_over(START + 1000 * MS));
        let elapsed = open.elapsed(START + 1005 * MS, START + 995 * MS, End::Regular);
        assert_eq!(elapsed, 1000 * MS);
    }
}
