//! What making the load cost, and how late it was by its own fault.

use serde::Serialize;

use super::ratio;
use crate::os::CpuTime;
use crate::plan::spec::Spec;
use crate::record::lateness::Late;
use crate::record::thread::ThreadRecord;

/// What the load itself cost.
#[derive(Debug, Clone, Serialize)]
pub struct Generator {
    /// CPU seconds of its threads, from the start to the end of the load.
    pub cpu_seconds: f64,
    /// In its own code.
    pub cpu_user_s: f64,
    /// In the kernel.
    pub cpu_system_s: f64,
    /// CPU microseconds per request sent.
    pub cpu_us_per_request: f64,
    /// Threads.
    pub threads: usize,
    /// CPU seconds of each thread: one that is full limits its connections, whatever the mean.
    pub cpu_seconds_by_thread: Vec<f64>,
    /// The CPUs they were pinned to.
    pub cpus: Vec<usize>,
    /// What drove the sockets.
    pub reactor: &'static str,
    /// Requests sent over 1 ms after their time, because this side was held up.
    pub late_own: u64,
    /// The same, because every connection was busy: they waited for the server.
    pub late_waited: u64,
}

impl Generator {
    /// What all threads spent on the `sent` requests of a load.
    pub(super) fn of(spec: &Spec, records: &[ThreadRecord], sent: u64) -> Generator {
        let mut cpu = CpuTime::default();
        for record in records {
            cpu.user_s += record.cpu.user_s;
            cpu.system_s += record.cpu.system_s;
        }
        Generator {
            cpu_seconds: cpu.total_s(),
            cpu_user_s: cpu.user_s,
            cpu_system_s: cpu.system_s,
            cpu_us_per_request: ratio(cpu.total_s() * 1e6, sent as f64),
            threads: records.len(),
            cpu_seconds_by_thread: records.iter().map(|record| record.cpu.total_s()).collect(),
            cpus: spec.cpus.clone(),
            reactor: records.first().map_or("", |record| record.reactor),
            late_own: late(records, |late| late.own),
            late_waited: late(records, |late| late.waited),
        }
    }
}

fn late(records: &[ThreadRecord], which: impl Fn(Late) -> u64) -> u64 {
    records.iter().map(|record| which(record.recorder.late())).sum()
}
