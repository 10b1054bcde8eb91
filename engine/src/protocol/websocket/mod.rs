//! WebSocket (RFC 6455) after an upgrade of HTTP/1.1: each exchange is one message and its answer.
//!
//! [`FrameParser`] takes the bytes of a connection in whatever pieces they come and says what they
//! are, as the parser of HTTP/1.1 does: it reads no socket, copies no message, and never panics. A
//! [`link`] is one connection, from its upgrade on; [`WebSocket`] has those of a thread.
//!
//! A message is sent as one text frame, and the next message that comes is its answer. Pings are
//! answered. No extension is offered, so that what is measured is the messages, not a compressor.

mod answer_parts;
mod encode;
mod error;
mod exchanges;
mod link;
mod opcode;
mod parser;
mod upgrade;
mod utf8;

pub use error::FrameError;
pub use parser::{FrameEvent, FrameParser, Kind, Step};

pub(crate) use exchanges::WebSocket;
