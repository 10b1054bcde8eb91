//! Which of a load's users, connections and arrivals are a thread's: the one place that numbers them.

use crate::plan::spec::Spec;

/// A thread's share of a load, which may be a part of one that several engines make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// The thread's number in this engine.
    pub thread: usize,
    /// Its number among the threads of all parts: what it does, it does as that one.
    pub place: usize,
    /// How many threads share the load, those of all parts.
    pub threads: usize,
    /// How many users are this thread's; those of a connection stay together.
    pub users: usize,
}

impl Share {
    /// The share of this engine's thread number `thread`.
    pub fn new(spec: &Spec, thread: usize) -> Share {
        let place = spec.part().number(thread);
        Share { thread, place, threads: spec.threads_in_all(), users: spec.users_of(place) }
    }

    /// The number, within the whole load, of the user and the connection in this thread's `slot`.
    pub fn number(&self, slot: usize) -> usize {
        slot * self.threads + self.place
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn shares(users: usize, streams: usize, threads: usize) -> Vec<Share> {
        let spec = format!(
            r#"{{"target": {{"host": "127.0.0.1", "port": 80}}, "threads": {threads},
                "http2": {{"streams": {streams}}},
                "load": {{"kind": "iterations", "users": {users}, "iterations": 1}},
                "requests": [{{"name": "r", "path": "/"}}]}}"#
        );
        let spec = Spec::parse(&spec).unwrap();
        (0..spec.threads_used()).map(|thread| Share::new(&spec, thread)).collect()
    }

    #[test]
    fn every_user_is_one_threads() {
        for (users, streams, threads) in [(1, 1, 4), (7, 1, 3), (64, 8, 3), (10, 4, 2), (9, 4, 9)] {
            let shares = shares(users, streams, threads);
            assert_eq!(shares.iter().map(|share| share.users).sum::<usize>(), users);
            let numbers: HashSet<usize> = shares
                .iter()
                .flat_map(|share| (0..share.users).map(|slot| share.number(slot)))
                .collect();
            assert_eq!(numbers.len(), users);
        }
    }
}
