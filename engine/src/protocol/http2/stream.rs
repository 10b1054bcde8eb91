//! One slot: a request and its answer.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use h2::client::ResponseFuture;
use h2::{RecvStream, SendStream};
use http::HeaderMap;

use super::encode::Encoded;
use super::ready::Bell;
use crate::plan::template::Drawn;
use crate::reactor::Failure;

/// Where a slot stands.
///
/// | from | when | to |
/// |---|---|---|
/// | `Closed` | the worker opens it | `Opening` |
/// | `Opening` | its group's connection is open | `Idle` |
/// | `Opening` | there will be none, or no room for it on it | `Lost` |
/// | `Idle` | the worker sends a request | `Parked` |
/// | `Idle` | the connection could not be opened anew | `Lost` |
/// | `Parked` | the connection takes the request | `Active` |
/// | `Parked` | no connection can, or HTTP/2 cannot say it | `Lost` |
/// | `Active` | the answer is whole | `Idle` |
/// | `Active` | the server did not process it | `Parked` |
/// | `Active` | the exchange failed | `Lost` |
/// | any | the worker closes it | `Closed` |
#[derive(Debug, Default)]
pub(super) enum StreamState {
    /// The worker does not hold it.
    #[default]
    Closed,
    /// The worker waits until it is open.
    Opening,
    /// It is open, with nothing under way.
    Idle,
    /// Its request waits for a connection.
    Parked,
    /// The worker was told that it is gone, or is about to be.
    Lost,
    /// Its request was given to a connection.
    Active {
        /// The connection's link.
        link: usize,
        /// The exchange.
        exchange: Exchange,
    },
}

/// A slot.
#[derive(Debug)]
pub(super) struct Stream {
    pub(super) state: StreamState,
    /// The request under way.
    pub(super) outgoing: Outgoing,
    /// How often it was sent again.
    pub(super) resent: u32,
    /// Bytes that had come on its connection when it was sent.
    pub(super) received_before: u64,
    /// When it last began to wait for a connection.
    pub(super) waits_since: u64,
    /// Why its connection ended, where that is known better than `h2` does.
    pub(super) cause: Option<Failure>,
    pub(super) bell: Arc<Bell>,
    pub(super) waker: Waker,
}

impl Stream {
    pub(super) fn new((bell, waker): (Arc<Bell>, Waker)) -> Stream {
        Stream {
            state: StreamState::Closed,
            outgoing: Outgoing::default(),
            resent: 0,
            received_before: 0,
            waits_since: 0,
            cause: None,
            bell,
            waker,
        }
    }

    /// Whether its request was given to this link.
    pub(super) fn is_on(&self, link: usize) -> bool {
        matches!(self.state, StreamState::Active { link: other, .. } if other == link)
    }
}

/// A request to be sent.
#[derive(Debug, Default)]
pub(super) struct Outgoing {
    /// What it is made of, in case it must be sent again.
    pub(super) drawn: Drawn,
    pub(super) cookies: Vec<u8>,
    /// The request itself, until a connection has taken it; or why HTTP/2 cannot say it.
    pub(super) encoded: Option<Result<Encoded, String>>,
}

/// A request under way.
///
/// | from | when | to |
/// |---|---|---|
/// | `Awaiting` | the head came | `Reading`, or `Whole` if it ends the stream |
/// | `Reading` | the last piece of the body came | `Whole` |
/// | `Reading` | the body ended apart from its last piece | `Trailing` |
/// | `Trailing` | trailers came, or none | `Whole` |
/// | any | an error | `Whole` |
#[derive(Debug)]
pub(super) enum Exchange {
    /// The head of the answer is awaited. To drop the sending side would reset the stream while a
    /// body is still being sent.
    Awaiting(ResponseFuture, SendStream<Bytes>),
    /// The body is being received.
    Reading(RecvStream, SendStream<Bytes>),
    /// After the body there may be trailers.
    Trailing(RecvStream, SendStream<Bytes>),
    /// All of it has come.
    Whole,
}

/// What an exchange has to tell.
#[derive(Debug)]
pub(super) enum News {
    Head(u16, HeaderMap),
    /// A piece of the body, after which more may come.
    Piece(Bytes),
    /// The answer is whole, with this piece of its body.
    Last(Bytes),
    Failed(h2::Error),
}

impl Exchange {
    /// Whether something of the answer has come.
    pub(super) fn has_begun(&self) -> bool {
        !matches!(self, Exchange::Awaiting(..))
    }

    /// The next news, and the exchange after them; `None` if there are no news yet.
    pub(super) fn next(self, waker: &Waker) -> (Exchange, Option<News>) {
        let context = &mut Context::from_waker(waker);
        match self {
            Exchange::Awaiting(mut response, sender) => match Pin::new(&mut response).poll(context)
            {
                Poll::Pending => (Exchange::Awaiting(response, sender), None),
                Poll::Ready(Err(error)) => (Exchange::Whole, Some(News::Failed(error))),
                Poll::Ready(Ok(answer)) => {
                    let (head, body) = answer.into_parts();
                    let news = News::Head(head.status.as_u16(), head.headers);
                    if body.is_end_stream() {
                        (Exchange::Whole, Some(news))
                    } else {
                        (Exchange::Reading(body, sender), Some(news))
                    }
                }
            },
            Exchange::Reading(mut body, sender) => match body.poll_data(context) {
                Poll::Pending => (Exchange::Reading(body, sender), None),
                Poll::Ready(Some(Ok(piece))) => {
                    // It is read at once, so that the server may send as much again. A stream
                    // that has ended meanwhile needs no more room.
                    let _ = body.flow_control().release_capacity(piece.len());
                    if body.is_end_stream() {
                        (Exchange::Whole, Some(News::Last(piece)))
                    } else {
                        (Exchange::Reading(body, sender), Some(News::Piece(piece)))
                    }
                }
                Poll::Ready(Some(Err(error))) => (Exchange::Whole, Some(News::Failed(error))),
                Poll::Ready(None) => Exchange::Trailing(body, sender).next(waker),
            },
            Exchange::Trailing(mut body, sender) => match body.poll_trailers(context) {
                Poll::Pending => (Exchange::Trailing(body, sender), None),
                Poll::Ready(Err(error)) => (Exchange::Whole, Some(News::Failed(error))),
                Poll::Ready(Ok(_)) => (Exchange::Whole, Some(News::Last(Bytes::new()))),
            },
            Exchange::Whole => (Exchange::Whole, Some(News::Last(Bytes::new()))),
        }
    }
}
