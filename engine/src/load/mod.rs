//! The specification of a load: what to send, where, how it arrives, and what to keep.
//!
//! It is JSON outside and these types inside. Unknown keys are errors, and every error is one
//! line that names the key and the remedy.

mod request;
pub mod target;
mod validate;

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::tls::TlsSpec;
pub use request::{AuditSpec, CheckSpec, DistinctSpec, RequestSpec, Variable};

/// A whole load, as given to the engine.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// Where the requests go.
    pub target: Target,
    /// How the requests arrive.
    pub load: Shape,
    /// Threads that make the load, each with its own share of connections and schedule.
    #[serde(default = "one")]
    pub threads: usize,
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
            .map_err(|_| format!("no reactor is called {name:?}; use auto, epoll or io_uring"))
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

/// The server under load.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// Host name or address, without scheme.
    pub host: String,
    /// TCP port.
    pub port: u16,
    /// The `Host` header, where it differs from `host:port`.
    #[serde(default)]
    pub host_header: Option<String>,
    /// Present where the server is spoken to over TLS.
    #[serde(default)]
    pub tls: Option<TlsSpec>,
}

impl Target {
    /// The value of the `Host` header.
    pub fn host_header(&self) -> String {
        match &self.host_header {
            Some(header) => header.clone(),
            None if self.host.contains(':') => {
                format!("[{}]:{}", self.host.trim_matches(['[', ']']), self.port)
            }
            None => format!("{}:{}", self.host, self.port),
        }
    }
}

/// How HTTP/2 is spoken.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Http2Spec {
    /// Requests at once on each connection, by as many users.
    #[serde(default = "one")]
    pub streams: usize,
}

/// How requests arrive.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Shape {
    /// Each connection sends its next request when the last was answered, for a time.
    Closed {
        /// Connections kept open.
        connections: usize,
        /// Seconds of load.
        duration_s: f64,
    },
    /// Requests fall due by the clock, whatever the server does.
    Open {
        /// The rate over time.
        phases: Vec<Phase>,
        /// Whether gaps between requests are even or random.
        #[serde(default)]
        arrivals: Arrivals,
        /// Connections kept open; a due request waits until one is free.
        connections: usize,
    },
    /// Each user sends a number of requests, one after the other.
    Iterations {
        /// Users, each with one connection.
        users: usize,
        /// Requests per user.
        iterations: u64,
    },
}

impl Spec {
    /// How many users the load has: on HTTP/1.1 as many as connections, on HTTP/2 one for each
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

    /// Whether it is HTTP/1.1 over bare TCP.
    pub fn is_plain(&self) -> bool {
        self.target.tls.is_none() && self.http2.is_none()
    }

    /// Whether threads may rest until a send is due, for the kernel stamps what comes in meanwhile:
    /// what TLS or HTTP/2 make of it has no stamp.
    pub fn rests(&self) -> bool {
        self.load.is_open() && self.is_plain()
    }

    /// Connections that are open at once, at most.
    pub fn sockets(&self) -> usize {
        let connections = self.users().div_ceil(self.streams());
        // HTTP/2 opens a second connection before the first has ended.
        if self.http2.is_some() { 2 * connections } else { connections }
    }

    /// Users who share a connection.
    pub fn streams(&self) -> usize {
        self.http2.map_or(1, |http2| http2.streams)
    }
}

impl Shape {
    /// How many connections the load keeps open, or users where it counts those.
    pub fn connections(&self) -> usize {
        match self {
            Shape::Closed { connections, .. } | Shape::Open { connections, .. } => *connections,
            Shape::Iterations { users, .. } => *users,
        }
    }

    /// The highest rate of an open load, in requests per second.
    pub fn highest_rate(&self) -> Option<f64> {
        let Shape::Open { phases, .. } = self else {
            return None;
        };
        let rates = phases.iter().map(|phase| phase.rate.max(phase.to_rate.unwrap_or(0.0)));
        Some(rates.fold(0.0, f64::max))
    }

    /// Whether requests fall due by the clock.
    pub fn is_open(&self) -> bool {
        matches!(self, Shape::Open { .. })
    }
}

/// A span of time with a constant or linearly changing arrival rate.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Phase {
    /// Requests per second at the start.
    pub rate: f64,
    /// Requests per second at the end; absent means constant.
    #[serde(default)]
    pub to_rate: Option<f64>,
    /// Seconds.
    pub duration_s: f64,
}

impl Phase {
    /// How many requests fall due in it: the integral of its rate.
    pub fn expected_count(&self) -> f64 {
        (self.rate + self.to_rate.unwrap_or(self.rate)) / 2.0 * self.duration_s
    }
}

/// How the gaps between requests of an open load are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Arrivals {
    /// Evenly spaced.
    #[default]
    Uniform,
    /// Independent of each other, as from many users who know nothing of one another.
    Poisson,
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
