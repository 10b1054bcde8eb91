//! Webdyno's load engine.
//!
//! The engine sends HTTP requests to a server, checks every answer, and records what happened;
//! the observer samples what processes use, and [`rights`] takes from them what is not theirs to
//! touch. None knows anything of studies or verdicts.
//!
//! From the outside in: [`load`] is the specification a caller writes and [`engine`] runs it on
//! threads. Each `thread` is a [`worker`] over a [`reactor`], which alone touches sockets. A
//! [`pace`] says when a connection may send, an open one by its [`schedule`]; [`template`] makes
//! the requests; an [`exchange`] reads each answer by [`http1`], has [`checks`] judge it, and
//! keeps what the result tells in a [`recorder`] and an [`audit`]. [`report`] puts the threads'
//! records together.

pub mod audit;
pub mod changes;
pub mod checks;
pub mod connection;
pub mod counts;
pub mod details;
pub mod distinct;
pub mod engine;
pub mod exchange;
mod files;
pub mod gate;
pub mod http1;
pub mod http2;
pub mod known;
pub mod lateness;
pub mod load;
pub mod observer;
pub mod os;
pub mod pace;
pub mod pause;
pub mod punctual;
#[cfg(feature = "python")]
mod python;
pub mod random;
pub mod reactor;
pub mod recorder;
pub mod report;
pub mod request_log;
pub mod rights;
pub mod schedule;
pub mod target;
pub mod template;
mod thread;
pub mod timeline;
pub mod tls;
mod validate;
pub mod worker;
