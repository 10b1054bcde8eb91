//! One connection: `h2` over a pipe, polled by hand.

use std::future::Future;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use h2::client::{Builder, Connection, SendRequest};

use super::encode::Encoded;
use super::pipe::Pipe;
use super::stream::Exchange;
use crate::os;
use crate::protocol::HEAD_BYTES;

/// As much as Chrome lets a server send before it has read any of it: for each stream, and in all.
const STREAM_WINDOW: u32 = 6 * 1024 * 1024;
const CONNECTION_WINDOW: u32 = 15 * 1024 * 1024;
/// Streams that were given up are remembered, so that what still comes of them is no error.
const GIVEN_UP: usize = 10_000;
/// Stands for the server's limit of streams until it has named one: no 32 bits hold it.
const UNTOLD: usize = usize::MAX - 1;

/// Where a connection stands.
///
/// | from | when | to |
/// |---|---|---|
/// | `Opening` | the connection below is open | `Greeting` |
/// | `Greeting` | the server takes streams | `Open` |
/// | `Open` | the server asked to leave (GOAWAY), or nothing came for a whole timeout | `Leaving` |
/// | `Opening`, `Greeting` | a slot waited for it for a whole timeout | gone |
/// | `Greeting` | the server went on to take no stream | gone |
/// | any | it ended, or carries nothing after it was left | gone |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LinkPhase {
    /// It is being opened.
    Opening,
    /// The server's settings are awaited, or others that allow a stream.
    Greeting,
    /// It takes requests.
    Open,
    /// It takes no more, but ends what is under way.
    Leaving,
}

/// A connection.
#[derive(Debug)]
pub(super) struct Transport {
    pub(super) phase: LinkPhase,
    h2: Option<(SendRequest<Bytes>, Connection<Pipe, Bytes>)>,
    pub(super) pipe: Pipe,
    /// Whether it is in the list of those to be polled.
    pub(super) dirty: bool,
    /// Whether it has carried a request.
    pub(super) used: bool,
    /// When its opening began.
    pub(super) began: u64,
    /// Since when the server has allowed no stream, where it began so.
    pub(super) barred_since: Option<u64>,
    /// Bytes that have come on it.
    pub(super) received: u64,
}

/// Whether a connection takes another request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Room {
    /// It does.
    Free,
    /// Not now: as many streams are open as the server allows at once.
    Full,
    /// It takes none any more.
    Gone,
}

/// How a connection ended.
pub(super) type Ended = Result<(), h2::Error>;

impl Transport {
    /// One that is being opened.
    pub(super) fn opening(now: u64) -> Transport {
        Transport {
            phase: LinkPhase::Opening,
            h2: None,
            pipe: Pipe::default(),
            dirty: false,
            used: false,
            began: now,
            barred_since: None,
            received: 0,
        }
    }

    /// It is open: HTTP/2 begins.
    pub(super) fn greet(&mut self) {
        let handshake = Builder::new()
            .enable_push(false)
            .initial_window_size(STREAM_WINDOW)
            .initial_connection_window_size(CONNECTION_WINDOW)
            .max_header_list_size(HEAD_BYTES as u32)
            .max_concurrent_reset_streams(GIVEN_UP)
            .max_local_error_reset_streams(None)
            .initial_max_send_streams(UNTOLD)
            .handshake(self.pipe.clone());
        // It only writes the preface, which a pipe takes at once.
        let done = pin!(handshake).poll(&mut Context::from_waker(Waker::noop()));
        if let Poll::Ready(Ok(h2)) = done {
            self.h2 = Some(h2);
        }
        self.phase = LinkPhase::Greeting;
    }

    /// Lets `h2` read what came, and write what it has to say into the pipe. `Some` when the
    /// connection has ended.
    pub(super) fn poll(&mut self) -> Option<Ended> {
        self.dirty = false;
        let (sender, connection) = self.h2.as_mut()?;
        let context = &mut Context::from_waker(Waker::noop());
        if let Poll::Ready(ended) = Pin::new(connection).poll(context) {
            return Some(ended);
        }
        match self.phase {
            LinkPhase::Greeting => match sender.current_max_send_streams() {
                UNTOLD => {}
                0 => self.barred_since = self.barred_since.or_else(|| Some(os::now())),
                _ => self.phase = LinkPhase::Open,
            },
            // After GOAWAY it takes no requests.
            LinkPhase::Open if matches!(sender.poll_ready(context), Poll::Ready(Err(_))) => {
                self.phase = LinkPhase::Leaving;
            }
            _ => {}
        }
        None
    }

    /// Whether the server has asked to leave (GOAWAY), as far as it was polled.
    pub(super) fn was_sent_away(&mut self) -> bool {
        let Some((sender, _)) = &mut self.h2 else { return false };
        let ready = sender.poll_ready(&mut Context::from_waker(Waker::noop()));
        matches!(ready, Poll::Ready(Err(error)) if error.is_go_away() && error.is_remote())
    }

    /// How many streams the server allows at once.
    pub(super) fn streams_allowed(&self) -> usize {
        self.h2.as_ref().map_or(0, |(sender, _)| sender.current_max_send_streams())
    }

    /// Whether it takes another request now. One is let in beyond what the server allows and waits
    /// in `h2` for its stream; the next ones must wait here.
    pub(super) fn room(&mut self) -> Room {
        let Some((sender, _)) = &mut self.h2 else { return Room::Gone };
        match sender.poll_ready(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(Ok(())) => Room::Free,
            Poll::Pending => Room::Full,
            Poll::Ready(Err(_)) => Room::Gone,
        }
    }

    /// Begins an exchange.
    ///
    /// # Errors
    /// It takes no more requests.
    pub(super) fn send(&mut self, Encoded { head, body }: Encoded) -> Result<Exchange, h2::Error> {
        let (sender, _) = self.h2.as_mut().ok_or(h2::Reason::CANCEL)?;
        let (response, mut stream) = sender.send_request(head, body.is_empty())?;
        if !body.is_empty() {
            // What the server's window has no room for waits in the connection.
            stream.send_data(body, true)?;
        }
        self.used = true;
        Ok(Exchange::Awaiting(response, stream))
    }

    /// Says goodbye: what is to be sent is in the pipe afterwards.
    pub(super) fn leave(&mut self) {
        if let Some((sender, mut connection)) = self.h2.take() {
            drop(sender);
            let _ = Pin::new(&mut connection).poll(&mut Context::from_waker(Waker::noop()));
        }
    }
}
