//! What follows from an event: an answer is judged, and its connection gets its next turn.

use super::Worker;
use super::connection::ConnectionState;
use super::exchange::Progress;
use crate::arrivals::NextSend;
use crate::os;
use crate::plan::template::{Drawn, Request};
use crate::protocol::{Event, Protocol};
use crate::reactor::{Errno, Failure};

/// Servers close connections that they take to be abandoned, the more careful ones after some
/// seconds, and whatever is sent at that very moment is lost. So a load that needs few of its
/// connections goes round among those that were idle for no longer than this, in nanoseconds.
pub(super) const FRESH: u64 = 1_000_000_000;

/// Answers that bring more than this at once are read as soon as they come: left for later they
/// would fill the socket and hold the server up.
const BULKY: usize = 16 * 1024;

/// An event that borrows nothing of the protocol any more; of an answer, what came of its exchange.
pub(super) enum OwnedEvent {
    Opened,
    OpenFailed(Failure),
    /// Of an answer that came in at `at`.
    Answer {
        progress: Progress,
        at: u64,
    },
    /// Bytes that answer no request.
    Unsolicited,
    Closed(Failure),
}

impl<P: Protocol> Worker<'_, P> {
    /// Takes the next event, and judges what it brings of an answer; gives its slot, the event, and
    /// the time.
    pub(super) fn take_event(&mut self) -> Option<(usize, OwnedEvent, u64)> {
        let event = self.protocol.next_event()?;
        let now = os::now();
        Some(match event {
            Event::Answer { slot, parts, at, received, own } => {
                self.exchange.recorder.received(received);
                self.bulky |= received > BULKY;
                let connection = &mut self.connections[slot];
                if connection.state != ConnectionState::Busy {
                    return Some((slot, OwnedEvent::Unsolicited, now));
                }
                // A stamp from before the wall clock was set is not believed.
                let at = at.filter(|at| (connection.sent()..now).contains(at)).unwrap_or(now);
                let progress = self.exchange.receive(connection, parts, own, at);
                (slot, OwnedEvent::Answer { progress, at }, now)
            }
            Event::Opened { slot } => (slot, OwnedEvent::Opened, now),
            Event::OpenFailed { slot, error } => (slot, OwnedEvent::OpenFailed(error), now),
            Event::Closed { slot, error } => (slot, OwnedEvent::Closed(error), now),
        })
    }

    /// Acts on the next event; whether there was one.
    pub(super) fn handle_event(&mut self) -> bool {
        let Some((slot, event, now)) = self.take_event() else {
            return false;
        };
        self.act(slot, event, now);
        if now >= self.pace.next_due() {
            self.send_due(now);
        }
        true
    }

    /// Acts on the event of a slot.
    #[inline]
    pub(super) fn act(&mut self, slot: usize, event: OwnedEvent, now: u64) {
        match event {
            OwnedEvent::Answer { progress, at } => self.follow(slot, progress, at, now),
            OwnedEvent::Unsolicited => {
                // Whatever it is, it would be taken for the next answer.
                self.exchange.recorder.unsolicited += 1;
                self.lost(slot, now);
            }
            OwnedEvent::Opened => {
                self.connecting -= 1;
                self.opened += 1;
                self.routes.found();
                let connection = &mut self.connections[slot];
                let began = std::mem::replace(&mut connection.since, now);
                connection.state = ConnectionState::Idle;
                connection.failures = 0;
                connection.carried = 0;
                self.exchange.recorder.connects.saturating_record(now.saturating_sub(began));
                if connection.again {
                    self.send_again(slot);
                } else if self.started {
                    // In loads driven by users, this one has wanted to send since then.
                    self.give_turn(slot, began, now, now);
                }
            }
            OwnedEvent::OpenFailed(error) => {
                self.connecting -= 1;
                self.connect_failed(slot, error, now);
            }
            OwnedEvent::Closed(error) => {
                if self.connections[slot].state == ConnectionState::Busy {
                    self.broken_off(slot, &error, now);
                } else {
                    self.exchange.recorder.closed_idle += 1;
                    self.lost(slot, now);
                }
            }
        }
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
            Progress::Ended | Progress::Spent => {
                self.in_flight -= 1;
                if progress == Progress::Ended && self.carries_one(slot) {
                    self.one_each(now);
                    self.put_by(slot, now);
                } else {
                    self.protocol.close(slot);
                    self.open(slot, now);
                }
            }
        }
    }

    /// Sends on an open connection what is due, or lets it idle. It has been free since `free`, and
    /// its user, in loads driven by users, has been ready to send since `ready_since`.
    pub(super) fn give_turn(&mut self, slot: usize, ready_since: u64, free: u64, now: u64) {
        match self.pace.next_send(slot, ready_since, now) {
            NextSend::Send(intended) => self.send(slot, intended, free),
            NextSend::Wait if self.one_each && self.connections[slot].carried == 0 => {
                self.put_by(slot, now);
            }
            NextSend::Wait => {
                let connection = &mut self.connections[slot];
                connection.state = ConnectionState::Idle;
                connection.since = now;
                if !connection.queued {
                    connection.queued = true;
                    self.idle.push_back(slot);
                }
            }
            NextSend::Done => {
                self.connections[slot].state = ConnectionState::Finished;
                self.protocol.close(slot);
            }
        }
    }

    /// Sends a request that was due at `intended` on a connection that has been free since `free`.
    fn send(&mut self, slot: usize, intended: u64, free: u64) {
        let drawn = self.plan.requests.draw(&mut self.connections[slot].user);
        let (bytes, sent) = self.transmit(slot, drawn, intended);
        let now = self.last_sent;
        let rested = free < self.resumed && now.saturating_sub(free) > FRESH;
        self.connections[slot].rested = rested;
        self.in_flight += 1;
        let recorder = &mut self.exchange.recorder;
        recorder.sent(drawn.request_index(), intended, free, now, bytes);
        if let Err(error) = sent {
            self.broken_off(slot, &error.into(), now);
        }
    }

    /// Gives a request to an open connection: how many bytes it has, and whether the kernel took it.
    #[inline]
    pub(super) fn transmit(
        &mut self,
        slot: usize,
        drawn: Drawn,
        intended: u64,
    ) -> (usize, Result<(), Errno>) {
        let connection = &mut self.connections[slot];
        let request = Request::new(&self.plan.requests, &drawn, connection.user.cookies());
        let bytes = self.protocol.write(slot, &request);
        let now = os::now();
        connection.begin(drawn, intended, now);
        connection.sent_bytes = bytes as u32;
        connection.settled = self.shared.changes.settled();
        connection.sent_at = os::on_system(now);
        let sent = self.protocol.send(slot);
        self.last_sent = now;
        (bytes, sent)
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
        while let Some(slot) = self.idle.pop_front().or_else(|| self.next_spare()) {
            let connection = &mut self.connections[slot];
            connection.queued = false;
            if connection.state == ConnectionState::Idle {
                return Some(slot);
            }
        }
        None
    }

    /// The spare connection that was used last. Of unused ones it is the first, since a server may
    /// accept them one after the other.
    fn next_spare(&mut self) -> Option<usize> {
        let last = *self.spare.back()?;
        if self.connections[last].carried == 0 {
            self.spare.pop_front()
        } else {
            self.spare.pop_back()
        }
    }
}
