//! The part of the specification about how requests arrive.

use serde::Deserialize;

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

    /// Whether each connection asks again as soon as it is answered, until the time is over.
    pub fn is_closed(&self) -> bool {
        matches!(self, Shape::Closed { .. })
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
