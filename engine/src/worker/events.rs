//! What follows from an event: an answer is judged, and its connection gets its next turn.

use super::Worker;
use super::connection::State;
use super::exchange::Progress;
use crate::os;
use crate::pace::Turn;
use crate::reactor::{Event, Reactor};

/// Servers close connections that they take to be abandoned, the more careful ones after some
/// seconds, and whatever is sent at that very moment is lost. So a load that needs few of its
/// connections goes round among those that were idle for no longer than this, in nanoseconds.
const FRESH: u64 = 1_000_000_000;

/// Answers that bring more than this at once are read as soon as they come: left for later they
/// would fill the socket and hold the server up.
const BULKY: usize = 16 * 1024;

impl<R: Reactor> Worker<'_, R> {
    pub(super) fn handle_event(&mut self) -> bool {
        let Some(event) = self.reactor.next_event() else {
            return false;
        };
        let now = os::now();
        match event {
            Event::Received { slot, bytes, at } => {
                self.exchange.recorder.bytes_received += bytes.len() as u64;
                self.bulky |= bytes.len() > BULKY;
                let connection = &mut self.connections[slot];
                if connection.state == State::Busy {
                    // A stamp from before the wall clock was set is not believed.
                    let at = at.filter(|at| (connection.sent()..now).contains(at)).unwrap_or(now);
                    let progress = self.exchange.receive(connection, bytes, at);
                    self.follow(slot, progress, at, now);
                } else {
                    // Nobody asked: whatever it is, it would be taken for the next answer.
                    self.exchange.recorder.unsolicited += 1;
                    self.lost(slot, now);
                }
            }
            Event::Answer { slot, part, received } => {
                self.exchange.recorder.bytes_received += received as u64;
                let progress = self.exchange.take(&mut self.connections[slot], part, now);
                self.follow(slot, progress, now, now);
            }
            Event::Connected { slot } => {
                self.connecting -= 1;
                self.opened += 1;
                self.routes.found();
                let connection = &mut self.connections[slot];
                let began = std::mem::replace(&mut connection.since, now);
                connection.state = State::Idle;
                connection.failures = 0;
                connection.used = false;
                self.exchange.recorder.connects.saturating_record(now.saturating_sub(began));
                if self.started {
                    // In loads driven by users, this one has wanted to send since then.
                    self.give_turn(slot, began, now, now);
                }
            }
            Event::ConnectFailed { slot, error } => {
                self.connecting -= 1;
                self.connect_failed(slot, error, now);
            }
            Event::Closed { slot, error } => {
                let connection = &mut self.connections[slot];
                if connection.state == State::Busy {
                    self.exchange.ended(connection, error.as_ref(), now);
                    self.follow(slot, Progress::Spent, now, now);
                } else {
                    self.exchange.recorder.closed_idle += 1;
                    self.lost(slot, now);
                }
            }
        }
        if now >= self.pace.next_due() {
            self.send_due(now);
        }
        true
    }

    /// Acts on the progress of an exchange at `now`. If its connection is free again, it has been
    /// since `free`.
    pub(super) fn follow(&mut self, slot: usize, progress: Progress, free: u64, now: u64) {
        match progress {
            Progress::Pending => {}
            Progress::Reusable => {
                self.in_flight -= 1;
                self.give_turn(slot, now, free, now);
            }
            Progress::Spent => {
                self.in_flight -= 1;
                self.reactor.close(slot);
                self.open(slot, now);
            }
        }
    }

    /// Sends on an open connection what is due, or lets it idle. It has been free since `free`, and
    /// its user, in loads driven by users, has wanted to send since `wanted`.
    pub(super) fn give_turn(&mut self, slot: usize, wanted: u64, free: u64, now: u64) {
        match self.pace.turn(slot, wanted, now) {
            Turn::Send(intended) => self.send(slot, intended, free),
            Turn::Wait => {
                let connection = &mut self.connections[slot];
                connection.state = State::Idle;
                connection.since = now;
                if !connection.queued {
                    connection.queued = true;
                    self.idle.push_back(slot);
                }
            }
            Turn::Done => {
                self.connections[slot].state = State::Finished;
                self.reactor.close(slot);
            }
        }
    }

    /// Sends a request that was due at `intended` on a connection that has been free since `free`.
    fn send(&mut self, slot: usize, intended: u64, free: u64) {
        let connection = &mut self.connections[slot];
        self.request.clear();
        let rendered = self.plan.requests.render(&mut connection.user, &mut self.request);
        let request = rendered.request_index();
        let now = os::now();
        connection.begin(rendered, intended, now);
        connection.sent_bytes = self.request.len() as u32;
        connection.settled = self.shared.changes.settled();
        let sent = self.reactor.send(slot, &self.request);
        self.last_sent = now;
        self.in_flight += 1;
        let recorder = &mut self.exchange.recorder;
        recorder.sent(request, intended, free, now, self.request.len());
        if let Err(error) = sent {
            self.exchange.ended(connection, Some(&error.into()), now);
            self.follow(slot, Progress::Spent, now, now);
        }
    }

    /// Gives the requests that are due to the idle connections.
    pub(super) fn send_due(&mut self, mut now: u64) {
        while self.pace.next_due() <= now {
            let Some(slot) = self.next_idle(now) else {
                self.rouse(now);
                break;
            };
            let free = self.connections[slot].since;
            self.give_turn(slot, now, free, now);
            now = now.max(self.last_sent);
        }
        let given_up = self.pace.given_up();
        if given_up > 0 {
            self.exchange.recorder.not_sent(given_up);
        }
    }

    pub(super) fn has_idle(&self) -> bool {
        !self.idle.is_empty() || !self.spare.is_empty()
    }

    /// The connection that has been idle the longest, but not for long if there is another.
    fn next_idle(&mut self, now: u64) -> Option<usize> {
        while let Some(slot) = self.idle.front()
            && now.saturating_sub(self.connections[*slot].since) > FRESH
        {
            self.spare.extend(self.idle.pop_front());
        }
        while let Some(slot) = self.idle.pop_front().or_else(|| self.spare.pop()) {
            let connection = &mut self.connections[slot];
            connection.queued = false;
            if connection.state == State::Idle {
                return Some(slot);
            }
        }
        None
    }
}
