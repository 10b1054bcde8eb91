//! Webdyno's load engine.
//!
//! The engine sends HTTP requests to a server, checks every answer, and records what happened;
//! the observer samples what processes use, and [`rights`] takes from them what is not theirs to
//! touch. None knows anything of studies or verdicts.
//!
//! From the outside in: [`load`] is the specification a caller writes and [`engine`] runs it on
//! threads, which have a `plan` in common. Each `thread` is a `worker` over a [`reactor`], which
//! alone touches sockets. A [`pace`] says when a connection may send; [`template`] makes the
//! requests; the worker's exchange reads each answer by [`http1`], has [`checks`] judge it, and
//! keeps what the result tells in a `record` and an `audit`. `report` puts the threads' records
//! together.
//!
//! What is public is what the tests, the examples and the Python module use.

mod audit;
pub mod changes;
pub mod checks;
mod distinct;
pub mod engine;
mod files;
mod gate;
pub mod http1;
mod http2;
pub mod known;
pub mod load;
pub mod observer;
mod os;
pub mod pace;
mod pause;
mod plan;
#[cfg(feature = "python")]
mod python;
mod random;
pub mod reactor;
mod record;
mod report;
pub mod rights;
pub mod template;
mod thread;
mod tls;
mod worker;
