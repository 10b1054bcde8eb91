//! The closed load: each connection sends as soon as its last request was answered, for a time.
//!
//! What is under way when the time is up is not measured, as with wrk: the time until its end is
//! one in which less than the full load runs.

use super::{End, NextSend, Pace};

/// A closed load.
#[derive(Debug)]
pub struct Closed {
    duration: u64,
    start: u64,
    /// Requests that users wanted to send since last asked.
    due: u64,
}

impl Closed {
    /// A load of `duration` nanoseconds.
    pub fn new(duration: u64) -> Closed {
        Closed { duration, start: 0, due: 0 }
    }
}

impl Pace for Closed {
    fn start(&mut self, start: u64) {
        self.start = start;
    }

    #[inline]
    fn next_send(&mut self, _slot: usize, ready_since: u64, now: u64) -> NextSend {
        if self.is_over(now) {
            return NextSend::Done;
        }
        self.due += 1;
        NextSend::Send(ready_since.max(self.start))
    }

    fn refuse(&mut self, _slot: usize, now: u64) -> bool {
        let is_due = !self.is_over(now);
        self.due += u64::from(is_due);
        is_due
    }

    fn deadline(&self) -> u64 {
        self.start + self.duration
    }

    #[inline]
    fn is_over(&self, now: u64) -> bool {
        now >= self.start + self.duration
    }

    fn drains(&self) -> bool {
        false
    }

    fn offered_until(&mut self, _time: u64) -> u64 {
        std::mem::take(&mut self.due)
    }

    fn elapsed(&self, ended: u64, _last_sent: u64, _end: End) -> u64 {
        ended - self.start
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_free_connection_sends_at_once_until_the_time_is_up() {
        let mut closed = Closed::new(100);
        closed.start(1000);
        assert_eq!(closed.next_send(0, 1099, 1099), NextSend::Send(1099));
        assert!(closed.refuse(0, 1099));
        assert_eq!(closed.next_send(0, 1100, 1100), NextSend::Done);
        assert!(!closed.refuse(0, 1100));
        assert_eq!((closed.offered_until(1100), closed.offered_until(1100)), (2, 0));
        assert!(closed.is_over(1100) && !closed.drains());
    }

    #[test]
    fn a_user_whose_connection_was_opened_anew_has_wanted_to_send_before() {
        let mut closed = Closed::new(100);
        closed.start(1000);
        assert_eq!(closed.next_send(0, 1010, 1050), NextSend::Send(1010));
        assert_eq!(closed.next_send(0, 900, 1050), NextSend::Send(1000), "but not before the load");
    }
}
