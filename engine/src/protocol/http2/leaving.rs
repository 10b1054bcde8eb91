//! Leaves connections: those that take no more requests, or none at all, that are silent, that ended,
//! or that nobody needs any more.

use std::ops::Range;

use super::exchanges::Http2;
use super::failure;
use super::group::ROOM;
use super::stream::StreamState;
use super::transport::LinkPhase;
use crate::os;
use crate::reactor::{Failure, Reactor};

impl<R: Reactor> Http2<'_, R> {
    /// The worker has given up an answer that was under way on a link; dropping its exchange reset the
    /// stream.
    pub(super) fn given_up(&mut self, slot: usize, link: usize) {
        self.touch(link);
        let group = &mut self.groups[link / ROOM];
        let Some(transport) = &mut group.transports[link % ROOM] else { return };
        if transport.received == self.streams[slot].received_before {
            // Nothing at all has come since the request was sent: the connection may be dead. Other
            // requests in flight may wait on; new ones go to another connection.
            transport.phase = LinkPhase::Leaving;
            if group.current == Some(link % ROOM) {
                group.current = None;
                group.abandoned = true;
                self.reroute(link / ROOM);
            }
        }
        self.hang_up_left(link);
    }

    /// The worker has given up a slot that waited for its group's connection. If that one was being
    /// opened all the while, in vain, those who still wait get another.
    pub(super) fn given_up_waiting(&mut self, slot: usize) {
        let number = slot / self.streams_each;
        let group = &mut self.groups[number];
        let Some(place) = group.current else { return };
        let Some(transport) = &group.transports[place] else { return };
        if matches!(transport.phase, LinkPhase::Opening | LinkPhase::Greeting)
            && transport.began <= self.streams[slot].waits_since
        {
            group.unsettled = transport.phase == LinkPhase::Greeting;
            group.transports[place] = None;
            group.current = None;
            group.abandoned = true;
            self.inner.close(number * ROOM + place);
            // Not before it is known who still waits: often all are given up at once.
            self.emptied.push(number);
        }
    }

    /// Lets requests that waited for a stream of a connection which takes no more wait for the next, and
    /// opens that one if there is room for it.
    fn reroute(&mut self, number: usize) {
        let group = &mut self.groups[number];
        if group.open().is_none() {
            group.waiting.extend(group.parked.drain(..));
        }
        if group.current.is_none() && !group.waiting.is_empty() {
            self.open(number);
        }
    }

    /// Ends a connection that was left, once nothing is under way on it.
    pub(super) fn hang_up_left(&mut self, link: usize) {
        let (number, place) = (link / ROOM, link % ROOM);
        let group = &mut self.groups[number];
        let is_left = group.current != Some(place)
            && group.transports[place].as_ref().is_some_and(|t| t.phase == LinkPhase::Leaving);
        if is_left && !self.carries(link) {
            self.groups[number].transports[place] = None;
            self.inner.close(link);
            self.reroute(number);
        }
    }

    /// The slots of a group.
    fn slots_of(&self, number: usize) -> Range<usize> {
        let first = number * self.streams_each;
        first..(first + self.streams_each).min(self.streams.len())
    }

    /// Whether an exchange is under way on a link.
    fn carries(&self, link: usize) -> bool {
        self.streams[self.slots_of(link / ROOM)].iter().any(|stream| stream.is_on(link))
    }

    /// A link's connection takes no more requests.
    pub(super) fn leave(&mut self, link: usize) {
        let number = link / ROOM;
        let group = &mut self.groups[number];
        let Some(transport) = &mut group.transports[link % ROOM] else { return };
        if group.current != Some(link % ROOM) {
            return;
        }
        transport.phase = LinkPhase::Leaving;
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
            let is_idle = is_idle && transport.phase == LinkPhase::Open;
            self.record.closed_idle += u64::from(is_idle && !sent_away);
        }
        let (phase, used) = (transport.phase, transport.used);
        // Without its connection, each exchange under way ends with what had come of it.
        drop(transport);
        let slots = self.slots_of(number);
        for stream in self.streams[slots.clone()].iter_mut().filter(|stream| stream.is_on(link)) {
            stream.cause.clone_from(&failure);
            stream.bell.ring();
        }
        if was_current && matches!(phase, LinkPhase::Opening | LinkPhase::Greeting) {
            let unsettled = || Failure::Ended("HTTP/2: closed before its settings arrived".into());
            let failure = failure.unwrap_or_else(unsettled);
            for slot in std::mem::take(&mut self.groups[number].waiting) {
                self.lose(slot, Some(failure.clone()));
            }
            for slot in slots {
                if matches!(self.streams[slot].state, StreamState::Idle) {
                    self.lose(slot, None);
                }
            }
            return;
        }
        let group = &self.groups[number];
        let needed = !group.waiting.is_empty() || (used && group.members > 0);
        if group.current.is_none() && needed {
            self.open(number);
        }
    }

    /// A link's connection was polled and is not open yet.
    pub(super) fn unopened(&mut self, link: usize) {
        if self.barred_since(link).is_some() && !self.barred.links.contains(&link) {
            self.barred.links.push(link);
        }
    }

    fn barred_since(&self, link: usize) -> Option<u64> {
        let transport = self.groups[link / ROOM].transports[link % ROOM].as_ref()?;
        transport.barred_since.filter(|_| transport.phase == LinkPhase::Greeting)
    }

    /// Gives up the connections on which the server has allowed no stream for too long.
    pub(super) fn hang_up_barred(&mut self) {
        if self.barred.links.is_empty() {
            return;
        }
        let now = os::now();
        for link in std::mem::take(&mut self.barred.links) {
            match self.barred_since(link) {
                Some(since) if self.barred.is_in_vain(since, now) => {
                    self.over(link, Some(failure::too_few(0)));
                }
                Some(_) => self.barred.links.push(link),
                None => {}
            }
        }
    }

    /// Ends the connections of the groups that have no slots any more, and opens those that slots wait
    /// for.
    pub(super) fn hang_up_empty(&mut self) {
        while let Some(number) = self.emptied.pop() {
            if self.groups[number].members > 0 {
                self.reroute(number);
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

#[cfg(test)]
mod tests {
    use http::uri::Scheme;

    use super::super::transport::Transport;
    use super::*;
    use crate::plan::spec::Spec;
    use crate::plan::template::Compiled;
    use crate::reactor::fake::Fake;

    fn transport(phase: LinkPhase) -> Option<Transport> {
        let mut transport = Transport::opening(0);
        transport.phase = phase;
        Some(transport)
    }

    #[test]
    fn requests_that_wait_for_a_stream_go_on_to_when_a_connection_that_was_left_ends() {
        let text = r#"{"target": {"host": "localhost", "port": 80},
                       "load": {"kind": "iterations", "users": 1, "iterations": 1},
                       "requests": [{"name": "r", "path": "/"}]}"#;
        let compiled = Compiled::new(&Spec::parse(text).unwrap()).unwrap();
        let mut http2 = Http2::new(Fake::default(), (2, 2), Scheme::HTTP, &compiled, 1);
        let group = &mut http2.groups[0];
        group.transports = [transport(LinkPhase::Leaving), transport(LinkPhase::Open)];
        group.current = Some(1);
        group.parked.push_back(0);
        http2.hang_up_left(0);
        let group = &http2.groups[0];
        assert!(group.transports[0].is_none() && group.transports[1].is_some());
        assert_eq!((group.parked.len(), group.waiting.len()), (1, 0));
    }
}
