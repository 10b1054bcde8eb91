//! HTTP/2 over connections: a slot is a stream, and those of a group share a connection.

use std::collections::VecDeque;
use std::mem;
use std::time::Duration;

use bytes::Bytes;
use hdrhistogram::Histogram;
use http::HeaderMap;
use http::uri::Scheme;

use super::barred::Barred;
use super::encode::{Encoded, Encoder};
use super::events::{Next, SinglePart};
use super::group::{Group, ROOM};
use super::ready::Ready;
use super::stream::{Stream, StreamState};
use super::transport::LinkPhase;
use crate::plan::template::{Compiled, Request};
use crate::protocol::{AnswerPart, Event, Fields, Protocol};
use crate::reactor::{Errno, Failure, Reactor, Route, SocketEvent};
use crate::record::histogram::histogram;
use crate::record::http2::Http2Record;
use crate::record::layers::Layers;

/// HTTP/2 over the connections of `R`.
///
/// The slots of a group are consecutive, and so are the inner reactor's that carry its connections,
/// the links: [`ROOM`] a group.
#[derive(Debug)]
pub(crate) struct Http2<'a, R: Reactor> {
    pub(super) inner: R,
    /// Slots of a group.
    pub(super) streams_each: usize,
    pub(super) groups: Vec<Group>,
    pub(super) streams: Vec<Stream>,
    pub(super) ready: Ready,
    /// The slot that may have more to tell.
    pub(super) telling: Option<usize>,
    /// What is to be told, in this order, before anything else.
    pub(super) next: VecDeque<(usize, Next)>,
    /// Links whose connection is to be polled.
    pub(super) dirty: Vec<usize>,
    /// Groups that may have lost their last slot, or the connection that others wait for.
    pub(super) emptied: Vec<usize>,
    pub(super) encoder: Encoder<'a>,
    pub(super) route: Option<Route>,
    pub(super) barred: Barred,
    /// The headers, and the piece of a body, that were told last.
    pub(super) headers: HeaderMap,
    pub(super) piece: Bytes,
    /// Bytes that came since an answer's part was told.
    received: usize,
    pub(super) record: Http2Record,
    /// How long connections took to open, to the server's settings.
    pub(super) connects: Histogram<u64>,
}

impl<'a, R: Reactor> Http2<'a, R> {
    /// The inner reactor's slots for `slots` slots, so many of them to a connection.
    pub(crate) fn links(slots: usize, streams_each: usize) -> usize {
        slots.div_ceil(streams_each) * ROOM
    }

    /// Over `inner`; of `slots` slots, `streams_each` share a connection. None waits for longer than
    /// `timeout` nanoseconds.
    pub(crate) fn new(
        inner: R,
        (slots, streams_each): (usize, usize),
        scheme: Scheme,
        compiled: &'a Compiled,
        timeout: u64,
    ) -> Http2<'a, R> {
        let ready = Ready::default();
        let mut groups = Vec::new();
        groups.resize_with(slots.div_ceil(streams_each), Group::default);
        Http2 {
            inner,
            streams_each,
            groups,
            streams: (0..slots).map(|slot| Stream::new(ready.bell(slot))).collect(),
            ready,
            telling: None,
            next: VecDeque::new(),
            dirty: Vec::new(),
            emptied: Vec::new(),
            encoder: Encoder::new(compiled, scheme),
            route: None,
            barred: Barred::none(timeout),
            headers: HeaderMap::new(),
            piece: Bytes::new(),
            received: 0,
            record: Http2Record::default(),
            connects: histogram(),
        }
    }

    fn step(&mut self) -> Option<(usize, Next)> {
        loop {
            if let Some(next) = self.next.pop_front() {
                return Some(next);
            }
            if let Some(next) = self.news() {
                return Some(next);
            }
            if self.settle() {
                continue; // What answers made the worker send goes out together.
            }
            match self.inner.next_event()? {
                SocketEvent::Connected { slot } => self.greet(slot),
                SocketEvent::ConnectFailed { slot, error } => self.over(slot, Some(error)),
                SocketEvent::Received { slot, bytes, .. } => {
                    self.received += bytes.len();
                    let (group, place) = (slot / ROOM, slot % ROOM);
                    if let Some(transport) = &mut self.groups[group].transports[place] {
                        transport.received += bytes.len() as u64;
                        transport.pipe.buffers().put(bytes);
                        self.touch(slot);
                    }
                }
                SocketEvent::Closed { slot, error } => self.ended(slot, error),
            }
        }
    }

    /// Whether something can be told without waiting.
    fn has_news(&self) -> bool {
        !self.next.is_empty() || self.telling.is_some() || !self.ready.is_empty()
    }
}

impl<R: Reactor> Protocol for Http2<'_, R> {
    type Parts<'b>
        = SinglePart<'b>
    where
        Self: 'b;

    fn reactor(&self) -> &'static str {
        self.inner.name()
    }

    fn open(&mut self, slot: usize, route: Route) -> Result<(), Errno> {
        self.route = Some(route);
        self.streams[slot].state = StreamState::Opening;
        self.groups[slot / self.streams_each].members += 1;
        self.seek(slot);
        Ok(())
    }

    fn write(&mut self, slot: usize, request: &Request<'_>) -> usize {
        let outgoing = &mut self.streams[slot].outgoing;
        outgoing.drawn = *request.drawn();
        outgoing.cookies.clear();
        outgoing.cookies.extend_from_slice(request.cookies());
        let encoded = self.encoder.encode(&outgoing.drawn, &outgoing.cookies);
        let size = encoded.as_ref().map_or(0, Encoded::size);
        outgoing.encoded = Some(encoded);
        size
    }

    fn send(&mut self, slot: usize) -> Result<(), Errno> {
        let stream = &mut self.streams[slot];
        stream.resent = 0;
        stream.cause = None;
        stream.state = StreamState::Parked;
        self.seek(slot);
        Ok(())
    }

    fn close(&mut self, slot: usize) {
        let group = slot / self.streams_each;
        match mem::take(&mut self.streams[slot].state) {
            StreamState::Closed => return,
            // Dropping the exchange resets the stream.
            StreamState::Active { link, .. } => self.given_up(slot, link),
            StreamState::Opening | StreamState::Parked => {
                self.groups[group].waiting.retain(|waiting| *waiting != slot);
                self.groups[group].parked.retain(|parked| *parked != slot);
                self.given_up_waiting(slot);
            }
            StreamState::Idle | StreamState::Lost => {}
        }
        self.next.retain(|(event_slot, _)| *event_slot != slot);
        self.telling.take_if(|telling| *telling == slot);
        self.groups[group].members -= 1;
        if self.groups[group].members == 0 {
            self.emptied.push(group);
        }
    }

    fn wait(&mut self, timeout: Duration) -> Result<(), Errno> {
        self.hang_up_empty();
        while self.settle() {}
        self.hang_up_barred();
        self.inner.wait(if self.has_news() { Duration::ZERO } else { timeout })
    }

    fn sleep(&mut self, timeout: Duration) -> Result<(), Errno> {
        self.inner.sleep(timeout)
    }

    fn next_event(&mut self) -> Option<Event<SinglePart<'_>>> {
        let (slot, next) = self.step()?;
        let part = match next {
            Next::Connected => return Some(Event::Opened { slot }),
            Next::ConnectFailed(error) => return Some(Event::OpenFailed { slot, error }),
            Next::Closed(error) => return Some(Event::Closed { slot, error }),
            Next::Head(status) => AnswerPart::Head { status, fields: Fields::Map(&self.headers) },
            Next::Piece => AnswerPart::Piece(&self.piece),
            Next::Last => AnswerPart::Last { piece: &self.piece, reusable: true },
        };
        let received = mem::take(&mut self.received);
        Some(Event::Answer { slot, parts: SinglePart::of(part), at: None, received, own: 0 })
    }

    fn overdue(&self, slot: usize) -> Failure {
        let number = slot / self.streams_each;
        let group = &self.groups[number];
        let current = group.current.and_then(|at| Some((at, group.transports[at].as_ref()?)));
        match current {
            Some((place, transport)) if transport.phase != LinkPhase::Greeting => {
                self.inner.overdue(number * ROOM + place)
            }
            // Another slot has given the connection up just now.
            None if !group.unsettled => Errno::TIMEDOUT.into(),
            _ => Failure::Ended("HTTP/2: no settings came in time".into()),
        }
    }

    fn layers(&self) -> Layers {
        let connects = Some(self.connects.clone());
        Layers { http2: Some(self.record), connects, ..self.inner.layers() }
    }
}

impl<R: Reactor> Drop for Http2<'_, R> {
    fn drop(&mut self) {
        self.emptied = (0..self.groups.len()).collect();
        self.groups.iter_mut().for_each(|group| group.members = 0);
        self.hang_up_empty();
    }
}
