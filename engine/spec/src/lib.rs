//! The specification of a load: what to send, where, how it arrives, and what to keep.
//!
//! It is JSON outside and these types inside. Unknown keys are errors, and every error is one
//! line that names the key and the remedy.
//!
//! It is a crate of its own so that reading, which happens once a load, is not optimised as what
//! happens at each request is, and is compiled beside what the engine depends on.

mod part;
mod request;
mod shape;
mod target;
mod validate;
mod websocket;

use std::collections::BTreeMap;

use ring::digest::{SHA256, digest};
use serde::Deserialize;

pub use part::Part;
pub use request::{AuditSpec, CheckSpec, DistinctSpec, RequestSpec, Variable};
pub use shape::{Arrivals, Phase, Shape};
pub use target::{Http2Spec, Target, TlsSpec};

/// A whole load, as given to the engine.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// Where the requests go.
    pub target: Target,
    /// How the requests arrive.
    pub load: Shape,
    /// Threads that make the load, or each part of it, each with its own share of connections and
    /// schedule.
    #[serde(default = "one")]
    pub threads: usize,
    /// Which part of the load is made here, where several engines make it together. The result then
    /// holds the distributions that merging the parts needs.
    #[serde(default)]
    pub part: Option<Part>,
    /// Whether the load, once its connections are open, waits until it is told when to begin.
    #[serde(default)]
    pub held: bool,
    /// CPUs the threads are pinned to; empty leaves placement to the kernel.
    #[serde(default)]
    pub cpus: Vec<usize>,
    /// Seconds after which an unanswered request has timed out.
    #[serde(default = "ten_seconds")]
    pub timeout_s: f64,
    /// Seed of every random draw.
    #[serde(default = "one_u64")]
    pub seed: u64,
    /// Whether each user keeps a cookie jar.
    #[serde(default)]
    pub cookies: bool,
    /// Requests of a user, after which a new one without cookies comes; without it users stay.
    #[serde(default)]
    pub visits: Option<u64>,
    /// How a user walks through `requests`.
    #[serde(default)]
    pub order: Order,
    /// Values drawn anew for each request, by name.
    #[serde(default)]
    pub variables: BTreeMap<String, Variable>,
    /// The requests, at least one.
    pub requests: Vec<RequestSpec>,
    /// How many answers to keep in full.
    #[serde(default)]
    pub audit: AuditSpec,
    /// Present where HTTP/2 is spoken in place of HTTP/1.1: by prior knowledge or, over TLS, as the
    /// server agrees by ALPN.
    #[serde(default)]
    pub http2: Option<Http2Spec>,
    /// A file for a line about each request, in JMeter's format.
    #[serde(default)]
    pub record: Option<String>,
    /// Whether the load may leave this machine.
    #[serde(default)]
    pub allow_remote: bool,
    /// What drives the sockets.
    #[serde(default)]
    pub reactor: Choice,
}

/// What drives the sockets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// What costs least for this load, of what the kernel allows.
    #[default]
    Auto,
    /// epoll, which every Linux has.
    Epoll,
    /// io_uring; an error where the kernel lacks or forbids it.
    IoUring,
}

impl Choice {
    /// The choice of that name.
    ///
    /// # Errors
    /// One line that names those there are.
    pub fn parse(name: &str) -> Result<Choice, String> {
        let named = serde_json::Value::from(name);
        serde_json::from_value(named)
            .map_err(|_| format!("unknown reactor {name:?}; use auto, epoll or io_uring"))
    }
}

fn one() -> usize {
    1
}

fn one_u64() -> u64 {
    1
}

fn ten_seconds() -> f64 {
    10.0
}

impl Spec {
    /// How many users the load has, in all its parts: as many as connections, on HTTP/2 one for each
    /// stream of each. Where the load counts users itself, their number stays and they share
    /// connections.
    pub fn users(&self) -> usize {
        match &self.load {
            Shape::Iterations { users, .. } => *users,
            Shape::Closed { connections, .. } | Shape::Open { connections, .. } => {
                connections.saturating_mul(self.streams())
            }
        }
    }

    /// The seed of all that a server is shown: values in requests, keys of WebSocket, arrivals.
    ///
    /// A server can work out from a few of these what they were drawn from. It must not learn from
    /// that which answers are kept for the audit, or which are compared: those are drawn from `seed`
    /// itself, which this one does not give away.
    pub fn shown_seed(&self) -> u64 {
        let hashed = digest(&SHA256, &self.seed.to_le_bytes());
        hashed.as_ref().iter().take(8).fold(0, |seed, &byte| seed << 8 | u64::from(byte))
    }

    /// Whether the requests are messages over WebSocket.
    pub fn is_websocket(&self) -> bool {
        self.requests.iter().any(|request| request.websocket)
    }

    /// Whether it is HTTP/1.1 or WebSocket over bare TCP.
    pub fn is_plain(&self) -> bool {
        self.target.tls.is_none() && self.http2.is_none()
    }

    /// Whether threads may rest until a send is due, for the kernel stamps what comes in meanwhile:
    /// what TLS or HTTP/2 make of it has no stamp.
    pub fn rests(&self) -> bool {
        self.load.is_open() && self.is_plain()
    }

    /// Users who share a connection.
    pub fn streams(&self) -> usize {
        self.http2.map_or(1, |http2| http2.streams)
    }
}

/// How a user walks through the requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// One after the other, over and over.
    #[default]
    Sequence,
    /// Drawn at random for each request.
    Random,
}
