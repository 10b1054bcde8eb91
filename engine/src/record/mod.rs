//! What is recorded of a load: counts, latencies, rows over time, reasons of failures.

pub mod counts;
pub mod details;
pub mod histogram;
pub mod lateness;
pub mod recorder;
pub mod request_log;
mod series;
pub mod timeline;
