//! What became of the requests of each name.

use serde::Serialize;

use super::Quantiles;
use crate::plan::spec::Spec;
use crate::record::counts::Counts;
use crate::record::histogram::{Latencies, histogram};
use crate::record::thread::ThreadRecord;

/// The requests of one name. What was due, but never sent, has no name yet and is in none.
#[derive(Debug, Clone, Serialize)]
pub struct RequestReport {
    /// The name.
    pub name: String,
    /// Requests by what became of them; they add up to those sent.
    pub counts: RequestCounts,
    /// Latency of right answers from the intended send.
    pub latency_us: Quantiles,
    /// The distribution behind it.
    #[serde(skip)]
    pub(super) latencies: Latencies,
}

/// Requests that were sent, by what became of them: see [`Counts`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "each is as in `Counts`")]
pub struct RequestCounts {
    pub sent: u64,
    pub ok: u64,
    pub wrong_status: u64,
    pub failed_check: u64,
    pub reset: u64,
    pub timed_out: u64,
    pub malformed: u64,
    pub unfinished: u64,
}

impl From<Counts> for RequestCounts {
    fn from(counts: Counts) -> RequestCounts {
        RequestCounts {
            sent: counts.sent,
            ok: counts.ok,
            wrong_status: counts.wrong_status,
            failed_check: counts.failed_check,
            reset: counts.reset,
            timed_out: counts.timed_out,
            malformed: counts.malformed,
            unfinished: counts.unfinished,
        }
    }
}

/// The requests of each name, in the order of the specification; those of the same name together.
pub(super) fn by_request(spec: &Spec, records: &[ThreadRecord]) -> Vec<RequestReport> {
    let mut found: Vec<(&str, Counts, Latencies)> = Vec::new();
    for (index, request) in spec.requests.iter().enumerate() {
        let place = found.iter().position(|(name, ..)| *name == request.name);
        let place = place.unwrap_or_else(|| {
            found.push((&request.name, Counts::default(), histogram()));
            found.len() - 1
        });
        let (_, counts, latencies) = &mut found[place];
        for ThreadRecord { recorder, .. } in records {
            let of_request = &recorder.by_request()[index];
            *counts += of_request.counts;
            latencies.add(&of_request.from_intended).expect("the same bounds");
        }
    }
    let report = |(name, counts, latencies): (&str, Counts, Latencies)| RequestReport {
        name: name.to_owned(),
        counts: counts.into(),
        latency_us: Quantiles::of(&latencies),
        latencies,
    };
    found.into_iter().map(report).collect()
}
