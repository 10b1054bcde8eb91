//! What one thread of a load yields.

use super::audit::Sample;
use super::layers::Layers;
use super::recorder::Recorder;
use crate::check::distinct::Seen;
use crate::os::CpuTime;

/// What one thread yields; the result puts all of them together.
#[derive(Debug)]
pub struct ThreadRecord {
    /// Its counts and latencies.
    pub recorder: Recorder,
    /// Its sample of answers.
    pub samples: Vec<Sample>,
    /// Whether its answers were distinct.
    pub seen: Seen,
    /// The CPU time of the load.
    pub cpu: CpuTime,
    /// How long the load lasted, in nanoseconds.
    pub elapsed: u64,
    /// Whether it was ended by request.
    pub stopped_early: bool,
    /// Connections opened.
    pub connections_opened: u64,
    /// Right answers on each of its connections.
    pub answers: Vec<u64>,
    /// What TLS, HTTP/2 and WebSocket recorded.
    pub layers: Layers,
    /// What drove its sockets.
    pub reactor: &'static str,
}
