//! Opens the groups' connections, polls them, and says what became of the slots when they end.

use super::group::ROOM;
use super::reactor::{Http2, Next};
use super::stream::State;
use super::transport::{Phase, Room, Transport};
use super::{failure, reactor::RESENDS};
use crate::os;
use crate::reactor::{Failure, Reactor};

impl<R: Reactor> Http2<R> {
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
    }

    /// Opens a connection, if there is room for one.
    fn open(&mut self, number: usize) {
        let group = &mut self.groups[number];
        let (Some(place), Some(route)) = (group.free(), self.route) else { return };
        group.transports[place] = Some(Transport::opening(os::now()));
        group.current = Some(place);
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
        // A request that has begun obeys by waiting; a server that allows fewer may change its mind.
        if matches!(self.streams[slot].state, State::Parked) {
            self.submit(slot, link);
        } else if slot % self.streams_each >= allowed {
            let text = format!("HTTP/2: the server allows {allowed} streams for each connection");
            let failure = Failure::Ended(text.into());
            self.lose(slot, Some(failure));
        } else {
            self.streams[slot].state = State::Idle;
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
        let (request, body) = match self.translator.translate(&stream.request) {
            Ok(translated) => translated,
            Err(why) => {
                let text = format!("HTTP/2 cannot say this request: {why}");
                return self.lose(slot, Some(Failure::Ended(text.into())));
            }
        };
        let transport = self.groups[link / ROOM].transports[link % ROOM].as_mut();
        let transport = transport.expect("the link was looked up just now");
        match transport.send(request, body) {
            Ok(exchange) => {
                stream.heard = transport.received;
                stream.state = State::Active { link, exchange };
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
    fn lose(&mut self, slot: usize, failure: Option<Failure>) {
        let stream = &mut self.streams[slot];
        let next = match (std::mem::replace(&mut stream.state, State::Lost), failure) {
            (State::Opening, Some(failure)) => Next::ConnectFailed(failure),
            (_, failure) => Next::Closed(failure),
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
            (Phase::Greeting, Phase::Open) => self.opened(link),
            (Phase::Open, Phase::Leaving) => self.leave(link),
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

    /// The worker waits no longer for an answer that was under way on a link: dropped, its exchange
    /// resets the stream.
    pub(super) fn given_up(&mut self, slot: usize, link: usize) {
        self.touch(link);
        let group = &mut self.groups[link / ROOM];
        let Some(transport) = &mut group.transports[link % ROOM] else { return };
        if transport.received == self.streams[slot].heard {
            // Nothing at all has come since the request was sent: who knows whether anybody is
            // there. What else is under way may wait on; what comes next goes to another.
            transport.phase = Phase::Leaving;
            if group.current == Some(link % ROOM) {
                group.current = None;
                group.abandoned = true;
                self.reroute(link / ROOM);
            }
        }
        self.hang_up_left(link);
    }

    /// What waited for a stream of a connection that takes no more waits for the next one.
    fn reroute(&mut self, number: usize) {
        let group = &mut self.groups[number];
        group.waiting.extend(group.parked.drain(..));
        if group.current.is_none() && !group.waiting.is_empty() {
            self.open(number);
        }
    }

    /// Ends a connection that was left, once nothing is under way on it.
    pub(super) fn hang_up_left(&mut self, link: usize) {
        let (number, place) = (link / ROOM, link % ROOM);
        let group = &mut self.groups[number];
        let is_left = group.current != Some(place)
            && group.transports[place].as_ref().is_some_and(|t| t.phase == Phase::Leaving);
        if is_left && !self.carries(link) {
            self.groups[number].transports[place] = None;
            self.inner.close(link);
            self.reroute(number);
        }
    }

    /// Whether an exchange is under way on a link.
    fn carries(&self, link: usize) -> bool {
        let first = link / ROOM * self.streams_each;
        let slots = first..(first + self.streams_each).min(self.streams.len());
        self.streams[slots].iter().any(
            |stream| matches!(&stream.state, State::Active { link: other, .. } if *other == link),
        )
    }

    /// Sends what the connection has to say.
    fn flush(&mut self, link: usize) -> Result<(), Failure> {
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
        sent.map_err(Failure::from)
    }

    /// The server's settings have come: those who waited for it get their turn.
    fn opened(&mut self, link: usize) {
        self.record.connections += 1;
        if let Some(transport) = &self.groups[link / ROOM].transports[link % ROOM] {
            self.connects.saturating_record(os::now().saturating_sub(transport.since));
        }
        for slot in std::mem::take(&mut self.groups[link / ROOM].waiting) {
            self.admit(slot);
        }
    }

    /// A link's connection takes no more requests.
    fn leave(&mut self, link: usize) {
        let number = link / ROOM;
        let group = &mut self.groups[number];
        let Some(transport) = &mut group.transports[link % ROOM] else { return };
        if group.current != Some(link % ROOM) {
            return;
        }
        transport.phase = Phase::Leaving;
        let used = transport.used;
        group.current = None;
        self.record.goaways += 1;
        // A server that sends idle connections away would only do so again.
        if used && group.members > 0 {
            self.open(number);
        }
        self.reroute(number);
    }

    /// The peer ended a link's connection.
    pub(super) fn ended(&mut self, link: usize, error: Option<Failure>) {
        let Some(transport) = &mut self.groups[link / ROOM].transports[link % ROOM] else { return };
        transport.pipe.buffers().ended = true;
        // The streams learn of it, after what came before.
        let ended = transport.poll().and_then(Result::err).filter(|error| !error.is_io());
        let failure = ended.map(|error| failure::failure(&error, false));
        // Frames say themselves where an answer ends.
        let error = error.filter(|error| *error != Failure::Unannounced);
        self.over(link, failure.or(error));
    }

    /// A link's connection has ended, or could not be opened.
    pub(super) fn over(&mut self, link: usize, failure: Option<Failure>) {
        let (number, place) = (link / ROOM, link % ROOM);
        let is_idle = !self.carries(link);
        let group = &mut self.groups[number];
        let Some(mut transport) = group.transports[place].take() else { return };
        self.inner.close(link);
        let was_current = group.current == Some(place);
        if was_current {
            group.current = None;
            group.waiting.extend(group.parked.drain(..));
            // Its goodbye came with its end, before it could be left.
            let sent_away = transport.was_sent_away();
            self.record.goaways += u64::from(sent_away);
            let is_idle = is_idle && transport.phase == Phase::Open;
            self.record.closed_idle += u64::from(is_idle && !sent_away);
        }
        let (phase, used) = (transport.phase, transport.used);
        // Without its connection, each exchange under way ends with what had come of it.
        drop(transport);
        let slots = number * self.streams_each..;
        let slots = slots.start..(slots.start + self.streams_each).min(self.streams.len());
        for slot in slots.clone() {
            let stream = &mut self.streams[slot];
            if matches!(&stream.state, State::Active { link: other, .. } if *other == link) {
                stream.cause.clone_from(&failure);
                stream.bell.ring();
            }
        }
        if was_current && matches!(phase, Phase::Opening | Phase::Greeting) {
            let unsettled = || Failure::Ended("HTTP/2: closed before its settings came".into());
            let failure = failure.unwrap_or_else(unsettled);
            for slot in std::mem::take(&mut self.groups[number].waiting) {
                self.lose(slot, Some(failure.clone()));
            }
            for slot in slots {
                if matches!(self.streams[slot].state, State::Idle) {
                    self.lose(slot, None);
                }
            }
            return;
        }
        let group = &self.groups[number];
        let wanted = !group.waiting.is_empty() || (used && group.members > 0);
        if group.current.is_none() && wanted {
            self.open(number);
        }
    }

    /// Ends the connections of the groups that have no slots any more.
    pub(super) fn hang_up_empty(&mut self) {
        while let Some(number) = self.emptied.pop() {
            if self.groups[number].members > 0 {
                continue;
            }
            for place in 0..ROOM {
                let link = number * ROOM + place;
                if let Some(transport) = &mut self.groups[number].transports[place] {
                    transport.leave();
                    // It is closed, whether or not the server still listens.
                    let _ = self.flush(link);
                    self.groups[number].transports[place] = None;
                    self.inner.close(link);
                }
            }
            self.groups[number].current = None;
        }
    }
}
