//! Opens the groups' connections, polls them, and gives them requests.

use super::events::Next;
use super::exchanges::Http2;
use super::failure;
use super::group::ROOM;
use super::news::RESENDS;
use super::stream::StreamState;
use super::transport::{LinkPhase, Room, Transport};
use crate::os;
use crate::reactor::{Failure, Reactor};

impl<R: Reactor> Http2<'_, R> {
    /// A slot wants its group's connection: to be open, or for its request.
    pub(super) fn seek(&mut self, slot: usize) {
        let number = slot / self.streams_each;
        let group = &mut self.groups[number];
        if group.open().is_some() {
            self.admit(slot);
            return;
        }
        group.waiting.push(slot);
        if group.current.is_none() {
            self.open(number);
        }
        self.streams[slot].waits_since = os::now();
    }

    /// Opens a connection, if there is room for one.
    pub(super) fn open(&mut self, number: usize) {
        let group = &mut self.groups[number];
        let (Some(place), Some(route)) = (group.free(), self.route) else { return };
        group.transports[place] = Some(Transport::opening(os::now()));
        group.current = Some(place);
        group.unsettled = false;
        self.record.abandoned += u64::from(std::mem::take(&mut group.abandoned));
        let link = number * ROOM + place;
        if let Err(error) = self.inner.connect(link, route) {
            self.over(link, Some(error.into()));
        }
    }

    /// A slot of a group whose connection is open gets its turn.
    fn admit(&mut self, slot: usize) {
        let number = slot / self.streams_each;
        let Some((place, transport)) = self.groups[number].open() else {
            return self.seek(slot);
        };
        let link = number * ROOM + place;
        let allowed = transport.streams_allowed();
        // A request that was already taken waits: a server that lowered its limit may raise it again.
        if matches!(self.streams[slot].state, StreamState::Parked) {
            self.submit(slot, link);
        } else if slot % self.streams_each >= allowed {
            self.lose(slot, Some(failure::too_few(allowed)));
        } else {
            self.streams[slot].state = StreamState::Idle;
            self.next.push_back((slot, Next::Connected));
        }
    }

    /// Gives a slot's request to its group's connection.
    fn submit(&mut self, slot: usize, link: usize) {
        let Some(transport) = &mut self.groups[link / ROOM].transports[link % ROOM] else { return };
        if transport.room() == Room::Full {
            self.groups[link / ROOM].parked.push_back(slot);
            return;
        }
        let stream = &mut self.streams[slot];
        let outgoing = &mut stream.outgoing;
        let encoded = match outgoing.encoded.take() {
            Some(encoded) => encoded,
            None => self.encoder.encode(&outgoing.drawn, &outgoing.cookies),
        };
        let encoded = match encoded {
            Ok(encoded) => encoded,
            Err(why) => {
                let text = format!("HTTP/2 cannot carry this request: {why}");
                return self.lose(slot, Some(Failure::Ended(text.into())));
            }
        };
        let transport = self.groups[link / ROOM].transports[link % ROOM].as_mut();
        let transport = transport.expect("the link was looked up just now");
        match transport.send(encoded) {
            Ok(exchange) => {
                stream.received_before = transport.received;
                stream.state = StreamState::Active { link, exchange };
                stream.bell.ring();
                self.touch(link);
            }
            Err(error) if stream.resent < RESENDS => {
                // It takes no more, and says so before its events did.
                drop(error);
                self.leave(link);
                self.send_again(slot);
            }
            Err(error) => self.lose(slot, Some(failure::failure(&error, false))),
        }
    }

    /// Tells the worker that a slot is not, or no longer, open.
    pub(super) fn lose(&mut self, slot: usize, failure: Option<Failure>) {
        let stream = &mut self.streams[slot];
        let next = match (std::mem::replace(&mut stream.state, StreamState::Lost), failure) {
            (StreamState::Opening, Some(failure)) => Next::ConnectFailed(failure),
            (_, Some(failure)) => Next::Closed(failure),
            (_, None) => Next::Closed(Failure::Ended("closed without an answer".into())),
        };
        self.next.push_back((slot, next));
    }

    /// A link's connection is open.
    pub(super) fn greet(&mut self, link: usize) {
        if let Some(transport) = &mut self.groups[link / ROOM].transports[link % ROOM] {
            transport.greet();
            self.touch(link);
        }
    }

    /// Has a link's connection polled before the next wait.
    pub(super) fn touch(&mut self, link: usize) {
        if let Some(transport) = &mut self.groups[link / ROOM].transports[link % ROOM]
            && !std::mem::replace(&mut transport.dirty, true)
        {
            self.dirty.push(link);
        }
    }

    /// Polls the connections that want it; whether there were any.
    pub(super) fn settle(&mut self) -> bool {
        let mut any = false;
        while let Some(link) = self.dirty.pop() {
            any = true;
            self.poll(link);
        }
        any
    }

    fn poll(&mut self, link: usize) {
        let Some(transport) = &mut self.groups[link / ROOM].transports[link % ROOM] else { return };
        let before = transport.phase;
        let ended = transport.poll();
        let after = transport.phase;
        let sent = self.flush(link);
        if let Some(ended) = ended {
            let failure = ended.err().filter(|error| !error.is_io());
            return self.over(link, failure.map(|error| failure::failure(&error, false)));
        }
        if let Err(failure) = sent {
            return self.over(link, Some(failure));
        }
        match (before, after) {
            (LinkPhase::Greeting, LinkPhase::Open) => self.opened(link),
            (LinkPhase::Greeting, LinkPhase::Greeting) => self.unopened(link),
            (LinkPhase::Open, LinkPhase::Leaving) => self.leave(link),
            _ => self.unpark(link),
        }
    }

    /// Sends requests that waited for a stream, as far as there is room again.
    fn unpark(&mut self, link: usize) {
        let (number, place) = (link / ROOM, link % ROOM);
        while self.groups[number].current == Some(place)
            && !self.groups[number].parked.is_empty()
            && let Some(transport) = &mut self.groups[number].transports[place]
            && transport.room() == Room::Free
        {
            if let Some(slot) = self.groups[number].parked.pop_front() {
                self.submit(slot, link);
            }
        }
    }

    /// Sends what the connection has to say.
    pub(super) fn flush(&mut self, link: usize) -> Result<(), Failure> {
        let Some(transport) = &mut self.groups[link / ROOM].transports[link % ROOM] else {
            return Ok(());
        };
        let mut buffers = transport.pipe.buffers();
        if buffers.output.is_empty() {
            return Ok(());
        }
        self.record.bytes_sent += buffers.output.len() as u64;
        let sent = self.inner.send(link, &buffers.output);
        buffers.output.clear();
        sent?;
        if buffers.unread.piles_up(|| self.inner.unsent(link)) {
            return Err(failure::unread());
        }
        Ok(())
    }

    /// The server's settings have come: those who waited for it get their turn.
    fn opened(&mut self, link: usize) {
        self.record.connections += 1;
        self.barred.lifted();
        if let Some(transport) = &self.groups[link / ROOM].transports[link % ROOM] {
            self.connects.saturating_record(os::now().saturating_sub(transport.began));
        }
        for slot in std::mem::take(&mut self.groups[link / ROOM].waiting) {
            self.admit(slot);
        }
    }
}
