//! What the threads of a load have in common: what they read, and what they tell each other.

use std::net::SocketAddr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize};

use crate::check::Checks;
use crate::check::changes::Changes;
use crate::check::distinct::Fingerprinters;
use crate::plan::spec::Spec;
use crate::plan::template::Compiled;
use crate::protocol::tls;
use crate::record::counts::SharedCounts;
use crate::record::timeline::Timeline;
use crate::run::gate::Gate;
use crate::run::pause::Pause;

/// What all threads of a load read.
#[derive(Debug)]
pub struct Plan {
    /// The specification.
    pub spec: Spec,
    /// Where the load goes.
    pub address: SocketAddr,
    /// Makes the requests.
    pub requests: Compiled,
    /// Judges the answers.
    pub checks: Checks,
    /// Identify the answers that must be distinct.
    pub fingerprinters: Fingerprinters,
    /// Speaks TLS, where that is asked for.
    pub tls: Option<tls::Client>,
    /// How many threads there are.
    pub threads: usize,
}

/// What the threads of a load tell each other and the outside.
#[derive(Debug)]
pub struct Shared {
    /// Where they meet before the load starts.
    pub gate: Gate,
    /// Whether the load is to end early.
    pub stop: AtomicBool,
    /// Whether a connection has ended with its first answer, in an open load.
    pub one_each: AtomicBool,
    /// Changes of the server's state during the load.
    pub changes: Changes,
    /// Where they hold while the load is paused.
    pub pause: Pause,
    /// Threads that send nothing more, whether or not they still wait for answers.
    pub draining: AtomicUsize,
    /// Each thread's counts so far.
    pub counts: Vec<SharedCounts>,
    /// The load over time.
    pub timeline: Mutex<Timeline>,
}
