//! HTTP/2 between the connections and the worker, by the crate `h2`.
//!
//! In [`Http2`] each slot is a stream, with one user. Slots are grouped; those of a group share one
//! connection of the reactor below (sockets, or TLS over them).
//!
//! `h2` speaks to an in-memory [`pipe`](pipe::Pipe) instead of a socket and is polled by hand, which
//! needs no runtime: a [`transport`] is one connection, a [`stream`] one exchange, and [`ready`]
//! collects which streams have something to tell.

mod barred;
mod connections;
mod encode;
mod events;
mod exchanges;
mod failure;
mod group;
mod leaving;
mod news;
mod pipe;
mod ready;
mod replies;
mod stream;
mod transport;

pub(crate) use exchanges::Http2;
