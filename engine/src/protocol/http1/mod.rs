//! HTTP/1.1: requests written and answers read without I/O, bytes in, events out.
//!
//! [`ResponseParser`] takes the bytes of a connection in whatever pieces they come and says what
//! they are. It never reads a socket, never copies a body, and never panics: an answer that breaks
//! the protocol is a [`ParseError`] of its own kind, the same one however the bytes were split.
//!
//! Message framing follows RFC 9112, sections 6 and 7, and is strict where leniency would hide
//! what a server does: a measured server that sends two lengths is broken, not quirky.

mod chunked;
mod encode;
mod error;
mod event;
mod exchanges;
mod head;
mod parser;
mod split;

pub use encode::Encoder;
pub use error::ParseError;
pub use event::{AnswerEvent, Step};
pub use head::{Head, Headers};
pub use parser::{Limits, ResponseParser};

pub(super) use encode::head as request_head;
pub(crate) use exchanges::Http1;
pub(super) use head::tokens;
