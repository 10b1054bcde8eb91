//! WebSocket over connections: a slot is a connection, which carries one message and its answer after
//! the other.

use std::collections::VecDeque;
use std::mem;
use std::time::Duration;

use super::answer_parts::{MessageUpdate, ReceivedParts};
use super::encode;
use super::link::{Link, LinkState, mask};
use super::opcode::Opcode;
use super::upgrade::Upgrade;
use crate::plan::template::{Compiled, Request};
use crate::protocol::{Event, Protocol};
use crate::random::Random;
use crate::reactor::{Errno, Failure, Reactor, Route, SocketEvent};
use crate::record::layers::Layers;
use crate::record::websocket::{UpgradeFailure, WebSocketRecord};

/// The code of a close when all is done (section 7.4.1).
const DONE: u16 = 1000;

/// WebSocket over the connections of `R`.
#[derive(Debug)]
pub(crate) struct WebSocket<R> {
    inner: R,
    links: Vec<Link>,
    upgrade: Upgrade,
    /// Of keys and masks. They keep nobody out: masks are for the sake of proxies (section 10.3).
    random: Random,
    /// What is to be told, in this order, before the inner reactor is asked again.
    next: VecDeque<(usize, Next)>,
    /// What came of an answer with the last receive.
    payload: Vec<u8>,
    /// Bytes that came since an answer's part was told.
    received: usize,
    /// A message before it is masked.
    message: Vec<u8>,
    /// The frame that was written last.
    frame: Vec<u8>,
    /// What is to be said beside messages.
    out: Vec<u8>,
    record: WebSocketRecord,
}

/// An event, as far as it borrows nothing.
#[derive(Debug)]
enum Next {
    Opened,
    OpenFailed(Failure),
    Answer { update: MessageUpdate, at: Option<u64>, own: usize },
    Closed(Failure),
}

impl<R: Reactor> WebSocket<R> {
    /// WebSocket over `inner`, which has `slots` slots, for a load's messages.
    pub(crate) fn new(inner: R, slots: usize, compiled: &Compiled, random: Random) -> WebSocket<R> {
        let mut links = Vec::new();
        links.resize_with(slots, Link::default);
        WebSocket {
            inner,
            links,
            upgrade: Upgrade::new(compiled),
            random,
            next: VecDeque::new(),
            payload: Vec::new(),
            received: 0,
            message: Vec::new(),
            frame: Vec::new(),
            out: Vec::new(),
            record: WebSocketRecord::default(),
        }
    }

    fn step(&mut self) -> Option<(usize, Next)> {
        loop {
            if let Some(next) = self.next.pop_front() {
                return Some(next);
            }
            match self.inner.next_event()? {
                SocketEvent::Connected { slot } => self.greet(slot),
                SocketEvent::ConnectFailed { slot, error } => {
                    return Some((slot, Next::OpenFailed(error)));
                }
                SocketEvent::Received { slot, bytes, at } => {
                    let (own, link) = (bytes.len(), &mut self.links[slot]);
                    self.received += own;
                    self.payload.clear();
                    let (payload, out) = (&mut self.payload, &mut self.out);
                    let events = link.receive(&self.upgrade, bytes, payload, &mut self.random, out);
                    // Of several pings the last was answered.
                    link.unread.wrote(out.len(), events.pings.min(1));
                    self.flush(slot);
                    self.record.pings += events.pings;
                    self.record.closes += events.closes;
                    match events.upgraded {
                        Some(Ok(())) => {
                            self.record.upgrades += 1;
                            self.next.push_back((slot, Next::Opened));
                        }
                        Some(Err(refusal)) => {
                            self.record.failed(refusal.kind);
                            self.next.push_back((slot, Next::OpenFailed(refusal.failure)));
                        }
                        None => {}
                    }
                    let answer = events.message.map(|update| Next::Answer { update, at, own });
                    let closed = events.closed.or_else(|| self.unread(slot)).map(Next::Closed);
                    self.next.extend(answer.into_iter().chain(closed).map(|next| (slot, next)));
                }
                SocketEvent::Closed { slot, error } => return self.ended(slot, error),
            }
        }
    }

    /// The connection below is open: the upgrade is asked for.
    fn greet(&mut self, slot: usize) {
        let random: [u64; 2] = std::array::from_fn(|_| self.random.next_u64());
        let mut key = [0; 16];
        key[..8].copy_from_slice(&random[0].to_ne_bytes());
        key[8..].copy_from_slice(&random[1].to_ne_bytes());
        let awaited = self.upgrade.request(key, &mut self.out);
        self.links[slot].upgrade(awaited);
        self.flush(slot);
    }

    /// The peer ended the connection below.
    fn ended(&mut self, slot: usize, error: Option<Failure>) -> Option<(usize, Next)> {
        let link = &mut self.links[slot];
        if !matches!(mem::replace(&mut link.state, LinkState::Leaving), LinkState::Upgrading(_)) {
            return Some((slot, Next::Closed(link.ended(error))));
        }
        self.record.failed(UpgradeFailure::Closed);
        let error = error.filter(|error| *error != Failure::Unannounced);
        let closed = || Failure::Ended("WebSocket: closed during the upgrade".into());
        Some((slot, Next::OpenFailed(error.unwrap_or_else(closed))))
    }

    /// Why a connection is given up whose server sends pings and reads none of the pongs.
    fn unread(&mut self, slot: usize) -> Option<Failure> {
        let link = &mut self.links[slot];
        if !link.unread.piles_up(|| self.inner.unsent(slot)) {
            return None;
        }
        link.state = LinkState::Leaving;
        Some(Failure::Ended(
            "WebSocket: the server sends pings, but does not read the pongs".into(),
        ))
    }

    /// Sends what is in `out`.
    fn flush(&mut self, slot: usize) {
        if !self.out.is_empty() {
            self.record.bytes_beside += self.out.len() as u64;
            // A connection that takes no more tells so by an event.
            let _ = self.inner.send(slot, &self.out);
            self.out.clear();
        }
    }
}

impl<R: Reactor> Protocol for WebSocket<R> {
    type Parts<'a>
        = ReceivedParts<'a>
    where
        R: 'a;

    fn reactor(&self) -> &'static str {
        self.inner.name()
    }

    fn open(&mut self, slot: usize, route: Route) -> Result<(), Errno> {
        self.links[slot].state = LinkState::Connecting;
        self.inner.connect(slot, route)
    }

    fn write(&mut self, slot: usize, request: &Request<'_>) -> usize {
        self.message.clear();
        if let Some(message) = &request.template().body {
            message.render(request.slots(), &mut self.message);
        }
        self.frame.clear();
        encode::frame(Opcode::Text, &self.message, mask(&mut self.random), &mut self.frame);
        self.links[slot].begin();
        self.frame.len()
    }

    fn send(&mut self, slot: usize) -> Result<(), Errno> {
        self.links[slot].unread.wrote(self.frame.len(), 0);
        self.inner.send(slot, &self.frame)
    }

    fn close(&mut self, slot: usize) {
        match mem::take(&mut self.links[slot].state) {
            LinkState::Upgrading(_) => self.record.failed(UpgradeFailure::Unfinished),
            LinkState::Open => {
                encode::close(DONE, mask(&mut self.random), &mut self.out);
                self.flush(slot);
            }
            LinkState::Closed | LinkState::Connecting | LinkState::Leaving => {}
        }
        self.next.retain(|(event_slot, _)| *event_slot != slot);
        self.inner.close(slot);
    }

    fn wait(&mut self, timeout: Duration) -> Result<(), Errno> {
        self.inner.wait(timeout)
    }

    fn sleep(&mut self, timeout: Duration) -> Result<(), Errno> {
        self.inner.sleep(timeout)
    }

    fn next_event(&mut self) -> Option<Event<ReceivedParts<'_>>> {
        let (slot, next) = self.step()?;
        Some(match next {
            Next::Opened => Event::Opened { slot },
            Next::OpenFailed(error) => Event::OpenFailed { slot, error },
            Next::Closed(error) => Event::Closed { slot, error },
            Next::Answer { update, at, own } => {
                let received = mem::take(&mut self.received);
                Event::Answer {
                    slot,
                    parts: ReceivedParts::of(update, &self.payload),
                    at,
                    received,
                    own,
                }
            }
        })
    }

    fn overdue(&self, slot: usize) -> Failure {
        match self.links[slot].state {
            LinkState::Upgrading(_) => {
                Failure::Ended("WebSocket: no answer to the upgrade in time".into())
            }
            _ => self.inner.overdue(slot),
        }
    }

    fn layers(&self) -> Layers {
        Layers { websocket: Some(self.record), ..self.inner.layers() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::spec::Spec;
    use crate::reactor::fake::Fake;

    #[test]
    fn a_server_that_pings_and_reads_nothing_is_given_up() {
        let text = r#"{"target": {"host": "localhost", "port": 80},
                       "load": {"kind": "iterations", "users": 1, "iterations": 1},
                       "requests": [{"name": "r", "path": "/", "websocket": true, "message": "a"}]}"#;
        let compiled = Compiled::new(&Spec::parse(text).unwrap()).unwrap();
        let pings = Fake { brings: b"\x89\0\x89\0", ..Fake::default() };
        let mut websocket = WebSocket::new(pings, 1, &compiled, Random::new(1, 0));
        websocket.links[0].state = LinkState::Open;
        let Some((0, Next::Closed(failure))) = websocket.step() else { panic!("not given up") };
        assert!(failure.to_string().ends_with("does not read the pongs"), "{failure}");
        assert!(websocket.inner.unsent < 1 << 20, "{} bytes", websocket.inner.unsent);
    }
}
