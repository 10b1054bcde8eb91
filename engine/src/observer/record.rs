//! What the observer keeps and gives as JSON.

use std::collections::BTreeMap;

use serde::Serialize;

/// What a tree has used so far (CPU, switches) and holds at this moment (the rest).
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub(super) struct Totals {
    /// CPU seconds in its own code, processes that have ended included.
    pub(super) cpu_user_s: f64,
    /// CPU seconds in the kernel on its behalf.
    pub(super) cpu_system_s: f64,
    /// Resident memory; pages shared between processes count in each, files in memory that are
    /// not mapped once.
    pub(super) rss_bytes: u64,
    /// Proportional memory: a page shared by n processes counts 1/n in each, and files in memory
    /// that are not mapped once. `None` where the kernel does not tell, and between the moments at
    /// which it is read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) pss_bytes: Option<u64>,
    /// The part of the proportional memory that is anonymous (heap, stacks); the rest is files
    /// and shared memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) pss_anonymous_bytes: Option<u64>,
    /// The part of both that lies in files in memory which are open but not mapped, as last read.
    pub(super) unmapped_bytes: u64,
    /// Threads.
    pub(super) threads: u64,
    /// Processes.
    pub(super) processes: u64,
    /// Times its threads gave up a CPU by waiting, as last read.
    pub(super) ctx_voluntary: u64,
    /// Times its threads were taken off a CPU, as last read.
    pub(super) ctx_involuntary: u64,
    /// Seconds its threads were ready to run and had to wait for a CPU, as last read. `None` where
    /// the kernel does not tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) run_delay_s: Option<f64>,
}

/// What a tree used and held at a moment.
#[derive(Debug, Clone, Copy, Serialize)]
struct TreeSample {
    /// Seconds since the start.
    t_s: f64,
    #[serde(flatten)]
    totals: Totals,
}

/// The largest values seen, each for itself.
#[derive(Debug, Clone, Copy, Default, Serialize)]
struct Peak {
    rss_bytes: u64,
    pss_bytes: Option<u64>,
    threads: u64,
    processes: u64,
}

/// All that was seen of one role.
#[derive(Debug, Default, Serialize)]
pub(super) struct RoleRecord {
    series: Vec<TreeSample>,
    peak: Peak,
}

impl RoleRecord {
    /// Adds what was found `t_s` seconds after the start.
    pub(super) fn push(&mut self, t_s: f64, totals: Totals) {
        self.peak.rss_bytes = self.peak.rss_bytes.max(totals.rss_bytes);
        self.peak.pss_bytes = self.peak.pss_bytes.max(totals.pss_bytes);
        self.peak.threads = self.peak.threads.max(totals.threads);
        self.peak.processes = self.peak.processes.max(totals.processes);
        self.series.push(TreeSample { t_s, totals });
    }
}

/// A moment the caller asked to remember.
#[derive(Debug, Serialize)]
pub(super) struct Mark {
    /// Seconds since the start.
    pub(super) t_s: f64,
    /// What was used and held, by role.
    pub(super) roles: BTreeMap<String, Totals>,
    /// Seconds that each living thread has run, and waited for a CPU, by role and thread id.
    pub(super) threads: BTreeMap<String, BTreeMap<i32, (f64, f64)>>,
}

/// All that was seen.
#[derive(Debug, Serialize)]
pub(super) struct Summary<'a> {
    /// Seconds between samples, as asked.
    pub(super) interval_s: f64,
    /// Samples taken, marks included.
    pub(super) samples: u64,
    /// CPU seconds the observer itself used.
    pub(super) cost_cpu_s: f64,
    /// When the observer started, in seconds since 1970.
    pub(super) started_unix_s: f64,
    pub(super) roles: BTreeMap<&'a String, &'a RoleRecord>,
    pub(super) marks: &'a BTreeMap<String, Mark>,
}
