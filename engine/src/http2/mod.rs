//! HTTP/2 between the connections and the worker, by the crate `h2`.
//!
//! [`Http2`] is a reactor over a reactor (sockets, or TLS over them). Each of its slots is a stream:
//! to the worker a stream is a connection with one user, so that the same pace, recorder and
//! checks serve. Slots are grouped; those of a group share one connection.
//!
//! `h2` speaks to an in-memory [`pipe`](pipe::Pipe) instead of a socket and is polled by hand, which
//! needs no runtime: a [`transport`] is one connection, a [`stream`] one exchange, and [`ready`]
//! collects which streams have something to tell.

mod connections;
mod failure;
mod group;
mod leaving;
mod pipe;
mod reactor;
mod ready;
mod record;
mod request;
mod stream;
mod transport;

pub use reactor::Http2;
pub use record::Http2Record;

use http::HeaderMap;

/// A part of an answer, as HTTP/2 gives it.
#[derive(Debug)]
pub enum Part<'a> {
    /// Status and headers.
    Head {
        /// Status code.
        status: u16,
        /// The headers, names in lower case.
        headers: &'a HeaderMap,
    },
    /// A piece of the body.
    Body(&'a [u8]),
    /// The answer is whole.
    End,
}
