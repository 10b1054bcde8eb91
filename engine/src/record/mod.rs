//! What is recorded of a load: counts, latencies, rows over time, reasons of failures, samples of
//! answers; by each thread on its own, then put together as the result.

pub(crate) mod audit;
pub(crate) mod counts;
pub(crate) mod details;
pub(crate) mod handshakes;
pub(crate) mod histogram;
pub(crate) mod http2;
pub(crate) mod lateness;
pub(crate) mod layers;
pub(crate) mod recorder;
pub(crate) mod request_log;
pub mod result;
mod series;
pub(crate) mod thread;
pub(crate) mod timeline;
pub(crate) mod websocket;
