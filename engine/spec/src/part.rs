//! A part of a load that several engines make together.
//!
//! The threads of all parts are numbered as those of one engine would be, and everything that a
//! thread does follows from its number: its arrivals, its users and connections, its draws. So the
//! parts of a load together are the load that one engine makes with as many threads as all have.

use serde::Deserialize;

use super::Spec;

/// Which part of a load this engine makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Its number, from 0.
    pub index: usize,
    /// How many parts there are.
    pub of: usize,
}

impl Part {
    const WHOLE: Part = Part { index: 0, of: 1 };

    /// The number that this part's thread number `thread` has among those of all parts. Parts take
    /// turns, so that whatever does not divide evenly is spread over them.
    pub fn number(self, thread: usize) -> usize {
        thread * self.of + self.index
    }
}

impl Spec {
    /// The part of the load that is made here; all of it, where nothing was said.
    pub fn part(&self) -> Part {
        self.part.unwrap_or(Part::WHOLE)
    }

    /// How many threads make the load, those of all parts together: no more than there are
    /// connections for.
    pub fn threads_in_all(&self) -> usize {
        self.threads.saturating_mul(self.part().of).min(self.connections_in_all())
    }

    /// How many threads make this part.
    pub fn threads_used(&self) -> usize {
        let Part { index, of } = self.part();
        (index..self.threads_in_all()).step_by(of).len()
    }

    /// How many of the users are those of thread number `number` of all parts. Those who share a
    /// connection stay together.
    pub fn users_of(&self, number: usize) -> usize {
        let (connections, threads) = (self.connections_in_all(), self.threads_in_all());
        let own = connections / threads + usize::from(number < connections % threads);
        // Where users do not fill the last connection, the last thread has it.
        let unfilled = connections * self.streams() - self.users();
        own * self.streams() - if number + 1 == threads { unfilled } else { 0 }
    }

    /// Connections of this part that are open at once, at most.
    pub fn sockets(&self) -> usize {
        let of = |thread| self.users_of(self.part().number(thread)).div_ceil(self.streams());
        let connections: usize = (0..self.threads_used()).map(of).sum();
        // HTTP/2 opens a second connection before the first has ended.
        if self.http2.is_some() { 2 * connections } else { connections }
    }

    pub(super) fn connections_in_all(&self) -> usize {
        self.users().div_ceil(self.streams())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn spec(users: usize, streams: usize, threads: usize, part: Option<Part>) -> Spec {
        let text = format!(
            r#"{{"target": {{"host": "127.0.0.1", "port": 80}}, "threads": {threads},
                "load": {{"kind": "iterations", "users": {users}, "iterations": 1}},
                "http2": {{"streams": {streams}}}, "requests": [{{"name": "r", "path": "/"}}]}}"#
        );
        Spec { part, ..Spec::parse(&text).unwrap() }
    }

    proptest! {
        #[test]
        fn the_parts_are_one_engine_with_the_threads_of_all(
            users in 1usize..200,
            streams in 1usize..5,
            threads in 1usize..5,
            of in 1usize..6,
        ) {
            prop_assume!(users.div_ceil(streams) >= of);
            let whole = spec(users, streams, threads * of, None);
            let mut seen = vec![None; whole.threads_used()];
            let mut sockets = 0;
            for index in 0..of {
                let part = spec(users, streams, threads, Some(Part { index, of }));
                prop_assert!((1..=threads).contains(&part.threads_used()));
                sockets += part.sockets();
                for thread in 0..part.threads_used() {
                    let number = part.part().number(thread);
                    prop_assert!(seen[number].replace(part.users_of(number)).is_none());
                }
            }
            let alone: Vec<_> = (0..seen.len()).map(|number| Some(whole.users_of(number))).collect();
            prop_assert_eq!(&seen, &alone);
            prop_assert_eq!(seen.into_iter().flatten().sum::<usize>(), users);
            prop_assert_eq!(sockets, whole.sockets());
        }
    }
}
