//! How requests are written and answers are read: state machines that touch no socket themselves.
//!
//! A [`Protocol`] carries the exchanges of a thread over a [`Reactor`](crate::reactor::Reactor), each
//! in a slot of its own: a connection of HTTP/1.1 or WebSocket, a stream of HTTP/2. It is given each
//! request as the one type that knows nothing of protocols, and gives each answer as
//! [`AnswerPart`]s. TLS is none of them: bytes in and bytes out, it is a reactor over a reactor.

mod answer;
pub mod http1;
pub(crate) mod http2;
pub(crate) mod tls;
mod unread;
pub mod websocket;

use std::time::Duration;

pub use answer::{AnswerPart, Fields, Malformed, Parts};

use crate::plan::template::Request;
use crate::reactor::{Errno, Failure, Route};
use crate::record::layers::Layers;

/// Bytes of an answer's head, at most.
const HEAD_BYTES: usize = 64 * 1024;

/// Something that happened in a slot.
#[derive(Debug)]
pub enum Event<P> {
    /// It is open.
    Opened {
        /// Which one.
        slot: usize,
    },
    /// It could not be opened.
    OpenFailed {
        /// Which one.
        slot: usize,
        /// Why.
        error: Failure,
    },
    /// Something of an answer came in; or of none, where no request is under way.
    Answer {
        /// Whose request it answers.
        slot: usize,
        /// What of it; gone when the next event is asked for.
        parts: P,
        /// When it reached this machine's network stack, if the kernel tells.
        at: Option<u64>,
        /// Bytes received since the last answer's event, of whichever answer.
        received: usize,
        /// Those of them that are known to be of this one.
        own: usize,
    },
    /// It ended, and with it the exchange under way, if there is one: its answer is not whole.
    Closed {
        /// Which one.
        slot: usize,
        /// What was wrong.
        error: Failure,
    },
}

/// Exchanges of one thread.
///
/// After `OpenFailed` and `Closed` the slot still has to be closed by the caller. A closed slot
/// reports nothing more of what was in it.
pub trait Protocol {
    /// What of an answer came in with one event.
    type Parts<'a>: Parts
    where
        Self: 'a;

    /// The name of the reactor below, which results carry.
    fn reactor(&self) -> &'static str;

    /// Begins to open a free slot; how it ends is an event, unless it failed here.
    ///
    /// # Errors
    /// What the kernel said, e.g. that there are no file descriptors or ports left.
    fn open(&mut self, slot: usize, route: Route) -> Result<(), Errno>;

    /// Writes the request that `send` will send next in an open slot, which no other is under way in:
    /// how many bytes it has, before any compression.
    fn write(&mut self, slot: usize, request: &Request<'_>) -> usize;

    /// Sends what was written.
    ///
    /// # Errors
    /// What the kernel said, e.g. that the peer reset the connection.
    fn send(&mut self, slot: usize) -> Result<(), Errno>;

    /// Closes the slot, if it is open, and with it what is under way.
    fn close(&mut self, slot: usize);

    /// Waits until there are events, the waker is used, or the time is up.
    ///
    /// # Errors
    /// What the kernel said; none is expected in working order.
    fn wait(&mut self, timeout: Duration) -> Result<(), Errno>;

    /// Waits until the time is up, whatever comes in meanwhile: the next wait brings it.
    ///
    /// # Errors
    /// What the kernel said; none is expected in working order.
    fn sleep(&mut self, timeout: Duration) -> Result<(), Errno>;

    /// The next event of the last wait, or `None` when all have been given.
    fn next_event(&mut self) -> Option<Event<Self::Parts<'_>>>;

    /// Why a slot that is still being opened is not open, where it is waited for no longer: what it
    /// waits for is the server's word on whichever layer was last asked for.
    fn overdue(&self, slot: usize) -> Failure;

    /// What was recorded of this and the layers below.
    fn layers(&self) -> Layers;
}
