//! One slot: a request and its answer.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use h2::client::ResponseFuture;
use h2::{RecvStream, SendStream};
use http::HeaderMap;

use super::ready::Bell;
use crate::reactor::Failure;

/// Where a slot stands.
#[derive(Debug, Default)]
pub(super) enum State {
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
    pub(super) state: State,
    /// The request under way as it was rendered, in case it must be sent again.
    pub(super) request: Vec<u8>,
    /// How often it was sent again.
    pub(super) resent: u32,
    /// Bytes that had come on its connection when it was sent.
    pub(super) heard: u64,
    /// Why its connection ended, where that is known better than `h2` does.
    pub(super) cause: Option<Failure>,
    pub(super) bell: Arc<Bell>,
    pub(super) waker: Waker,
}

impl Stream {
    pub(super) fn new((bell, waker): (Arc<Bell>, Waker)) -> Stream {
        Stream {
            state: State::Closed,
            request: Vec::new(),
            resent: 0,
            heard: 0,
            cause: None,
            bell,
            waker,
        }
    }

    /// Whether its request was given to this link.
    pub(super) fn is_on(&self, link: usize) -> bool {
        matches!(self.state, State::Active { link: other, .. } if other == link)
    }
}

/// A request under way.
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
    Body(Bytes),
    End,
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
                        (Exchange::Whole, Some(News::Body(piece)))
                    } else {
                        (Exchange::Reading(body, sender), Some(News::Body(piece)))
                    }
                }
                Poll::Ready(Some(Err(error))) => (Exchange::Whole, Some(News::Failed(error))),
                Poll::Ready(None) => Exchange::Trailing(body, sender).next(waker),
            },
            Exchange::Trailing(mut body, sender) => match body.poll_trailers(context) {
                Poll::Pending => (Exchange::Trailing(body, sender), None),
                Poll::Ready(Err(error)) => (Exchange::Whole, Some(News::Failed(error))),
                Poll::Ready(Ok(_)) => (Exchange::Whole, Some(News::End)),
            },
            Exchange::Whole => (Exchange::Whole, Some(News::End)),
        }
    }
}
