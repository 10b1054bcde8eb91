//! The closed load: each connection sends as soon as its last request was answered, for a time.
//!
//! What is under way when the time is up is not measured, as with wrk: the time until its end is
//! one in which less than the full load runs.

use super::{End, Pace, Turn, newly};

/// A closed load.
#[derive(Debug)]
pub struct Closed {
    duration: u64,
    start: u64,
    begun: u64,
}

impl Closed {
    /// A load of `duration` nanoseconds.
    pub fn new(duration: u64) -> Closed {
        Closed { duration, start: 0, begun: 0 }
    }
}

impl Pace for Closed {
    fn start(&mut self, start: u64) {
        self.start = start;
    }

    #[inline]
    fn turn(&mut self, _slot: usize, now: u64) -> Turn {
        if self.is_over(now) { Turn::Done } else { Turn::Send(now) }
    }

    fn refuse(&mut self, _slot: usize, now: u64) -> bool {
        !self.is_over(now)
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

    fn offered_until(&mut self, _time: u64, begun: u64) -> u64 {
        newly(begun, &mut self.begun)
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
        assert_eq!(closed.turn(0, 1099), Turn::Send(1099));
        assert!(closed.refuse(0, 1099));
        assert_eq!(closed.turn(0, 1100), Turn::Done);
        assert!(!closed.refuse(0, 1100));
        assert!(closed.is_over(1100) && !closed.drains());
    }
}
