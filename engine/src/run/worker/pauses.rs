//! What a pause leaves behind. Servers close connections that idle for long, and these idled while
//! others had their turn: that is neither the server's fault nor a request's.

use std::time::Duration;

use super::Worker;
use super::connection::ConnectionState;
use super::events::OwnedEvent;
use super::exchange::Progress;
use super::waiting::waiting_failed;
use crate::os;
use crate::protocol::Protocol;
use crate::reactor::Failure;
use crate::record::counts::Outcome;

/// After what was there before the pause; a second one brings the end of a connection whose last
/// answer the first one brought.
const LOOKS: usize = 2;

impl<P: Protocol> Worker<'_, P> {
    /// Stands still until the load goes on.
    pub(super) fn hold_and_catch_up(&mut self) -> Result<(), String> {
        // What was given to the reactor is under way, and no longer gathered with what comes next.
        self.wait()?;
        // Who paused the load reads what it did until now.
        self.publish();
        let began = os::system_now();
        self.shared.pause.hold();
        self.catch_up(os::system_now() - began)
    }

    fn wait(&mut self) -> Result<(), String> {
        self.protocol.wait(Duration::ZERO).map_err(waiting_failed)
    }

    /// Takes all that came in during a pause of `paused` nanoseconds before anything is sent: an
    /// answer may have the end of its connection behind it.
    fn catch_up(&mut self, paused: u64) -> Result<(), String> {
        self.resumed = os::now();
        // They idled all the while, though the clock stood still.
        for connection in &mut self.connections {
            if connection.state == ConnectionState::Idle {
                connection.since = connection.since.saturating_sub(paused);
            }
        }
        let mut free = Vec::new();
        for look in 0..=LOOKS {
            if look > 0 {
                self.wait()?;
            }
            while let Some((slot, event, now)) = self.take_event() {
                if let OwnedEvent::Answer { progress: Progress::Reusable, .. } = event {
                    self.in_flight -= 1;
                    let connection = &mut self.connections[slot];
                    connection.state = ConnectionState::Idle;
                    connection.since = now.saturating_sub(paused);
                    free.push(slot);
                } else {
                    self.act(slot, event, now);
                }
            }
        }
        for slot in free {
            let connection = &self.connections[slot];
            if connection.state == ConnectionState::Idle && !connection.queued {
                let (since, now) = (connection.since, os::now());
                self.give_turn(slot, now, since, now);
                let connection = &mut self.connections[slot];
                if connection.state == ConnectionState::Idle {
                    // It goes on idling; it has been since its answer came.
                    connection.since = since;
                }
            }
        }
        Ok(())
    }

    /// The connection in `slot` ended while a request was under way on it.
    pub(super) fn broken_off(&mut self, slot: usize, error: &Failure, now: u64) {
        if self.crossed(slot, error) {
            let connection = &mut self.connections[slot];
            connection.again = true;
            // Nobody knows whether the server counted it.
            connection.user.lose_answer();
            self.exchange.recorder.closed_idle += 1;
            self.protocol.close(slot);
            self.open(slot, now);
        } else {
            self.exchange.recorder.reset_kept_alive += u64::from(self.was_kept_alive(slot, error));
            self.exchange.broken_off(&mut self.connections[slot], error);
            self.follow(slot, Progress::Spent, now, now);
        }
    }

    /// Whether the request under way went over a connection of HTTP/1.1 that had brought an answer,
    /// and that ended before a byte of its own.
    fn was_kept_alive(&self, slot: usize, error: &Failure) -> bool {
        let (connection, spec) = (&self.connections[slot], &self.plan.spec);
        connection.carried > 1
            && connection.first_byte == 0
            && error.outcome() == Outcome::Reset
            && spec.http2.is_none()
            && !spec.is_websocket()
    }

    /// Whether the request under way and the server's end of a connection that idled through a pause
    /// have crossed, and the request may be sent again, as every client of HTTP does then (RFC 9112,
    /// section 9.3.1): no byte of an answer has come, and twice is no more than once.
    fn crossed(&self, slot: usize, error: &Failure) -> bool {
        let (connection, spec) = (&self.connections[slot], &self.plan.spec);
        let request = &spec.requests[connection.drawn.request_index()];
        connection.rested
            && connection.first_byte == 0
            && error.outcome() == Outcome::Reset
            && spec.http2.is_none()
            && !request.websocket
            && matches!(request.method.as_str(), "GET" | "HEAD" | "OPTIONS" | "PUT" | "DELETE")
    }

    /// Sends the request once more that crossed the end of its connection. Its latency still runs from
    /// when it was due, and it counts once.
    pub(super) fn send_again(&mut self, slot: usize) {
        let connection = &mut self.connections[slot];
        connection.again = false;
        connection.rested = false;
        let (drawn, intended) = (connection.drawn, connection.intended);
        let (bytes, sent) = self.transmit(slot, drawn, intended);
        self.exchange.recorder.bytes_sent += bytes as u64;
        if let Err(error) = sent {
            self.broken_off(slot, &error.into(), self.last_sent);
        }
    }
}
