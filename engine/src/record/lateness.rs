//! Who is to blame for a request that is sent late: the server, or this thread.
//!
//! A due request waits for a free connection, which is the server's doing, or for the thread, which
//! is late to notice one. A thread that was held up finds, when it comes round, a backlog of requests
//! and answers that lie unread. What the backlog waits for from then on looks like waiting for
//! connections, but would not have been without the delay: until a request is sent in time again,
//! the thread owes what it was held up for.

/// A send later than this after its time is late, and a thread that leaves a free connection alone
/// for longer was held up; in nanoseconds.
pub const LATE: u64 = 1_000_000;

/// Requests that were sent late, by why.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Late {
    /// They waited for the server: every connection was busy.
    pub waited: u64,
    /// They waited for the load's own thread.
    pub own: u64,
}

/// Tells the two apart for one thread. Times are nanoseconds.
#[derive(Debug, Default)]
pub struct Lateness {
    late: Late,
    /// For how long the thread was held up in the backlog under way.
    owed: u64,
    /// The last of these delays.
    from: u64,
    until: u64,
}

impl Lateness {
    /// What was found so far.
    pub fn found(&self) -> Late {
        self.late
    }

    /// A request that was due at `intended` is sent at `now`, on a connection that has been free
    /// since `free`, as far as is known.
    #[inline]
    pub fn sent(&mut self, intended: u64, free: u64, now: u64) {
        if now.saturating_sub(intended) <= LATE {
            self.owed = 0;
        } else {
            self.blame(intended, free, now);
        }
    }

    /// The thread was to look at its connections at `due`, and did at `now`. It is told where
    /// nothing else tells how long answers have lain unread.
    #[inline]
    pub fn looked(&mut self, due: u64, now: u64) {
        if now.saturating_sub(due) > LATE {
            self.held_up(due, now);
        }
    }

    #[cold]
    fn blame(&mut self, intended: u64, free: u64, now: u64) {
        let ready = intended.max(free).min(now);
        if now - ready > LATE {
            self.held_up(ready, now);
        }
        let lag = now - intended;
        if 2 * self.owed.min(lag) >= lag {
            self.late.own += 1;
        } else {
            self.late.waited += 1;
        }
    }

    /// Many requests tell of the same delay: together they are as long as what they cover.
    fn held_up(&mut self, from: u64, until: u64) {
        if self.owed > 0 && from <= self.until {
            self.owed += until.saturating_sub(self.until) + self.from.saturating_sub(from);
            self.from = self.from.min(from);
            self.until = self.until.max(until);
        } else {
            self.owed += until - from;
            (self.from, self.until) = (from, until);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    fn found(sends: impl IntoIterator<Item = (u64, u64, u64)>) -> Late {
        let mut lateness = Lateness::default();
        for (intended, free, now) in sends {
            lateness.sent(intended * MS, free * MS, now * MS);
        }
        lateness.found()
    }

    #[test]
    fn a_millisecond_is_not_late() {
        assert_eq!(found([(10, 0, 10), (10, 10, 11)]), Late::default());
    }

    #[test]
    fn a_connection_that_was_free_all_the_time_is_the_threads_own() {
        assert_eq!(found([(10, 0, 30)]), Late { waited: 0, own: 1 });
    }

    #[test]
    fn a_connection_that_became_free_just_now_is_the_servers() {
        assert_eq!(found([(10, 30, 30), (12, 31, 31)]), Late { waited: 2, own: 0 });
    }

    #[test]
    fn an_answer_that_lay_unread_is_the_threads_own() {
        // It came 1 ms after the request was due, and was read 200 ms later.
        assert_eq!(found([(10, 11, 211)]), Late { waited: 0, own: 1 });
    }

    #[test]
    fn so_is_the_backlog_of_a_stall_until_it_is_gone() {
        // One connection, one request due a millisecond; the thread stands still from 10 to 210.
        // Then each answer takes half a millisecond and is read at once.
        let mut sends = vec![(10, 9, 210)];
        sends.extend((11..300).map(|due| (due, 210 + (due - 10) / 2, 210 + (due - 10) / 2)));
        assert_eq!(found(sends), Late { waited: 0, own: 290 });
    }

    #[test]
    fn delays_add_up_but_each_counts_once() {
        // Two stalls of 100 ms, told by eight requests each, in one backlog of 200 ms.
        let first = (0..8).map(|due| (due, 0, 100));
        let second = (60..68).map(|due| (due, 101, 201));
        let after = [(80, 202, 202)];
        let late = found(first.chain(second).chain(after));
        assert_eq!(late, Late { waited: 0, own: 17 });
    }

    #[test]
    fn a_server_that_stands_still_for_longer_is_to_blame_all_the_same() {
        // 5 ms of the thread's, then 300 ms of the server's.
        let sends = [(10, 0, 15), (12, 315, 315), (13, 316, 316)];
        assert_eq!(found(sends), Late { waited: 2, own: 1 });
    }

    #[test]
    fn what_was_owed_is_forgotten_once_a_request_is_sent_in_time() {
        let sends = [(10, 0, 210), (220, 0, 220), (230, 430, 430)];
        assert_eq!(found(sends), Late { waited: 1, own: 1 });
    }

    #[test]
    fn a_thread_that_was_late_to_look_owes_that() {
        let mut lateness = Lateness::default();
        lateness.looked(10 * MS, 11 * MS);
        lateness.looked(20 * MS, 220 * MS);
        lateness.sent(30 * MS, 220 * MS, 220 * MS);
        assert_eq!(lateness.found(), Late { waited: 0, own: 1 });
    }
}
