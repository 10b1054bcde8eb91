//! Webdyno's load engine.
//!
//! The engine sends requests of HTTP, or messages over WebSocket, to a server, checks every answer,
//! and records what happened; the observer samples what processes use, and [`rights`] takes from
//! them what is not theirs to touch. None knows anything of studies or verdicts.
//!
//! The rooms stand by the path of a request. [`plan`] says what is to be done, [`arrivals`] when.
//! [`run`] does it: each of its threads gives requests to a [`protocol`], which speaks over a
//! [`reactor`], the only code that touches sockets. [`check`] judges the answers, and [`record`]
//! keeps what the result tells.
//!
//! Imports run downwards only, in this order: [`run`]; [`protocol`]; [`reactor`];
//! [`record`]; [`check`]; [`arrivals`]; [`plan`]; [`observer`]; [`rights`]; `os`; `random`.
//! The unit test `test_engine_layers.py` holds to it.
//!
//! What is public is what the tests, the examples and the Python module use.

pub mod arrivals;
pub mod check;
pub mod observer;
mod os;
pub mod plan;
pub mod protocol;
mod random;
pub mod reactor;
pub mod record;
pub mod rights;
pub mod run;
