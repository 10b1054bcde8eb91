//! The engine against servers that break the protocol, each with the counts that must come out.
//!
//! Every row is a server, the load it gets, and what that load must count: nothing may hang, panic,
//! or be counted as something it is not. A row runs against the real engine over loopback.

mod endings;
#[allow(dead_code, reason = "shared with the tests of floods")]
mod frames;
mod garbage;
mod http2;
mod http2_limits;
mod idle;
mod lengths;
#[path = "../load/run.rs"]
#[allow(dead_code, reason = "shared with the tests of well-behaved servers")]
mod run;
#[allow(dead_code, reason = "shared with the tests of floods")]
mod server;
mod silence;
mod sizes;
mod surplus;
mod table;
mod tls;
