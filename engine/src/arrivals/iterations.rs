//! The load of iterations: each user sends a number of requests, one after the other.
//!
//! A refused connection spends an iteration: the user tried, and did not get an answer.

use super::{End, NextSend, Pace};

/// A load of iterations; a user is a connection's slot.
#[derive(Debug)]
pub struct Iterations {
    left: Vec<u64>,
    users_left: usize,
    start: u64,
    /// Requests that users wanted to send since last asked.
    due: u64,
}

impl Iterations {
    /// A load of `users` users with `iterations` requests each.
    pub fn new(users: usize, iterations: u64) -> Iterations {
        Iterations {
            left: vec![iterations; users],
            users_left: if iterations == 0 { 0 } else { users },
            start: 0,
            due: 0,
        }
    }

    fn spend(&mut self, slot: usize) -> bool {
        let left = &mut self.left[slot];
        if *left == 0 {
            return false;
        }
        *left -= 1;
        self.due += 1;
        if *left == 0 {
            self.users_left -= 1;
        }
        true
    }
}

impl Pace for Iterations {
    fn start(&mut self, start: u64) {
        self.start = start;
    }

    fn next_send(&mut self, slot: usize, ready_since: u64, _now: u64) -> NextSend {
        if self.spend(slot) { NextSend::Send(ready_since.max(self.start)) } else { NextSend::Done }
    }

    fn refuse(&mut self, slot: usize, _now: u64) -> bool {
        self.spend(slot)
    }

    fn wants(&self, slot: usize, _now: u64) -> bool {
        self.left[slot] > 0
    }

    fn is_over(&self, _now: u64) -> bool {
        self.users_left == 0
    }

    fn drains(&self) -> bool {
        true
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
    fn each_user_has_its_own_number_of_requests() {
        let mut iterations = Iterations::new(2, 2);
        assert_eq!(iterations.next_send(0, 5, 5), NextSend::Send(5));
        assert!(iterations.refuse(0, 6));
        assert_eq!(iterations.next_send(0, 7, 7), NextSend::Done);
        assert!(!iterations.is_over(7));
        assert_eq!(iterations.next_send(1, 8, 8), NextSend::Send(8));
        assert_eq!(iterations.next_send(1, 8, 9), NextSend::Send(8));
        assert_eq!((iterations.offered_until(9), iterations.offered_until(9)), (4, 0));
        assert!(iterations.is_over(9) && iterations.drains());
    }
}
