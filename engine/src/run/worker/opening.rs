//! Opens connections, and opens them again: at the start, when they are lost, after failures.

use std::cmp::Reverse;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use super::Worker;
use super::connection::{ConnectionState, backoff};
use super::exchange::Progress;
use crate::os;
use crate::protocol::Protocol;
use crate::reactor::Failure;

/// How long opening the connections may take before the load starts without the rest.
const OPENING: u64 = 3_000_000_000;
/// Connections being opened at once, so that the server's queue of new ones does not overflow.
const OPENING_AT_ONCE: usize = 128;

impl<P: Protocol> Worker<'_, P> {
    pub(super) fn open_connections(&mut self) -> Result<(), String> {
        let begun = os::now();
        let limit = begun + OPENING.min(self.timeout);
        let mut next = 0;
        while next < self.connections.len() || self.connecting > 0 {
            let now = os::now();
            if now >= limit || self.shared.stop.load(Relaxed) {
                break;
            }
            while self.connecting < OPENING_AT_ONCE && next < self.connections.len() {
                self.open(next, now);
                next += 1;
            }
            self.look(Duration::from_millis(10))?;
        }
        Ok(())
    }

    /// An open connection that carried no request has ended.
    pub(super) fn lost(&mut self, slot: usize, now: u64) {
        if self.started && self.connections[slot].carried > 0 {
            self.protocol.close(slot);
            self.open(slot, now);
        } else {
            // A server that closes unused connections would only do so again.
            self.put_by(slot, now);
        }
    }

    /// Closes the connection in `slot` until it is needed.
    pub(super) fn put_by(&mut self, slot: usize, now: u64) {
        self.protocol.close(slot);
        let connection = &mut self.connections[slot];
        connection.state = ConnectionState::Dormant;
        connection.since = now;
        self.dormant.push_back(slot);
    }

    /// Whether the connection in `slot`, of an open load, ended with its first answer. Streams of
    /// HTTP/2 share theirs.
    pub(super) fn carries_one(&self, slot: usize) -> bool {
        let spec = &self.plan.spec;
        self.connections[slot].carried == 1 && spec.load.is_open() && spec.http2.is_none()
    }

    /// A connection ended with its first answer. A server that serves one connection at a time waits
    /// for a request on the one that it accepted, even if nobody uses it. So from now on, in every
    /// thread, none is open before it is needed.
    pub(super) fn one_each(&mut self, now: u64) {
        if self.one_each {
            return;
        }
        self.one_each = true;
        self.shared.one_each.store(true, Relaxed);
        for slot in 0..self.connections.len() {
            let connection = &self.connections[slot];
            if connection.state == ConnectionState::Idle && connection.carried == 0 {
                self.put_by(slot, now);
            }
        }
    }

    /// Opens the connection in `slot`, if there is work for it.
    pub(super) fn open(&mut self, slot: usize, now: u64) {
        let connection = &mut self.connections[slot];
        if self.started && !connection.again && !self.pace.wants(slot, now) {
            connection.state = ConnectionState::Finished;
            return;
        }
        connection.state = ConnectionState::Connecting;
        connection.since = now;
        self.connect(slot, now);
    }

    fn connect(&mut self, slot: usize, now: u64) {
        let number = self.share.number(slot);
        loop {
            let error = match self.protocol.open(slot, self.routes.of(number)) {
                Ok(()) => {
                    self.connecting += 1;
                    return;
                }
                Err(error) => Failure::from(error),
            };
            if !error.is_out_of_ports() || !self.routes.pass() {
                return self.not_opened(slot, error, now);
            }
        }
    }

    /// An attempt to open a connection failed.
    pub(super) fn connect_failed(&mut self, slot: usize, error: Failure, now: u64) {
        if error.is_out_of_ports() && self.routes.pass() {
            self.protocol.close(slot);
            self.connect(slot, now);
        } else {
            self.not_opened(slot, error, now);
        }
    }

    fn not_opened(&mut self, slot: usize, error: Failure, now: u64) {
        self.protocol.close(slot);
        let waits = backoff(self.connections[slot].failures + 1, self.connections.len());
        let connection = &mut self.connections[slot];
        let began = connection.since;
        connection.failures += 1;
        connection.state = ConnectionState::Down;
        if connection.again {
            self.in_flight -= 1;
            connection.again = false;
            self.exchange.broken_off(connection, &error);
            self.retries.push(Reverse((now + waits, slot)));
            return;
        }
        // Before the start nothing is due; those connections are tried again then.
        if self.started {
            self.refusals.push((slot, began, error));
            self.retries.push(Reverse((now + waits, slot)));
        }
    }

    /// Counts the requests that were due when connections could not be opened. In an open load idle
    /// connections have had their turn by then: what they could take is not refused.
    pub(super) fn refuse(&mut self, now: u64) {
        while let Some((slot, began, error)) = self.refusals.pop() {
            if self.pace.refuse(slot, now) {
                self.exchange.refused(began, now, &error);
            }
        }
    }

    pub(super) fn retry(&mut self, now: u64) {
        while let Some(Reverse((time, slot))) = self.retries.peek().copied()
            && time <= now
        {
            self.retries.pop();
            self.open(slot, now);
        }
    }

    /// Opens connections that were put by, until one is being opened for each request that is due.
    pub(super) fn rouse(&mut self, now: u64) {
        while let Some(due) = self.due_unserved()
            && due <= now
            && let Some(slot) = self.dormant.pop_front()
        {
            if self.connections[slot].state == ConnectionState::Dormant {
                // It could have been opened before, had the thread looked.
                let openable = due.max(self.connections[slot].since);
                self.exchange.recorder.looked(openable, now);
                self.open(slot, now);
            }
        }
    }

    /// When a request is due for which no connection is being opened and one that was put by can be;
    /// None where there is no such connection.
    pub(super) fn due_unserved(&self) -> Option<u64> {
        let can = !self.dormant.is_empty() && self.connecting < OPENING_AT_ONCE;
        can.then(|| self.pace.due_behind(self.connecting))
    }

    /// Looks for requests and connection attempts that have taken too long.
    pub(super) fn scan(&mut self, now: u64) {
        // Kept in step with the ticks, so that an idle thread wakes for both at once.
        self.next_scan = now.max(self.next_scan + self.scan_every);
        if self.shared.one_each.load(Relaxed) {
            self.one_each(now);
        }
        for slot in 0..self.connections.len() {
            let connection = &mut self.connections[slot];
            if now.saturating_sub(connection.since) < self.timeout {
                continue;
            }
            match connection.state {
                ConnectionState::Busy => {
                    self.exchange.timed_out(connection);
                    self.follow(slot, Progress::Spent, now, now);
                }
                ConnectionState::Connecting => {
                    self.connecting -= 1;
                    let error = self.protocol.overdue(slot);
                    self.not_opened(slot, error, now);
                }
                _ => {}
            }
        }
    }
}
