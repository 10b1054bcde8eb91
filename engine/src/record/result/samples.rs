//! The answers that were kept in full, as a load's result shows them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::Serialize;

use crate::plan::spec::Spec;
use crate::record::audit::Sample;
use crate::record::thread::ThreadRecord;

/// An answer kept in full.
#[derive(Debug, Clone, Serialize)]
pub struct AuditedAnswer {
    /// The request's name.
    pub request: String,
    /// What was drawn for it, by variable.
    pub variables: serde_json::Map<String, serde_json::Value>,
    /// Status code.
    pub status: u16,
    /// Names and values as received.
    pub headers: Vec<(String, String)>,
    /// The body, base64.
    pub body_base64: String,
    /// In how many pieces the body came: no fewer than its chunks.
    pub pieces: u32,
    /// Seconds since the start of the load.
    pub at_s: f64,
    /// When it was asked for, in seconds on the monotonic clock of the system.
    pub sent_s: f64,
    /// By when it was answered, on the same clock.
    pub answered_by_s: f64,
}

/// Those of all threads, in the order in which they came.
pub(super) fn samples(spec: &Spec, records: &[ThreadRecord]) -> Vec<AuditedAnswer> {
    // Taking turns keeps the threads' shares equal when there are more samples than asked for.
    let mut queues: Vec<_> = records.iter().map(|record| record.samples.iter()).collect();
    let mut samples: Vec<&Sample> = Vec::new();
    let count = spec.audit.samples;
    while samples.len() < count {
        let before = samples.len();
        samples.extend(queues.iter_mut().filter_map(Iterator::next));
        if samples.len() == before {
            break;
        }
    }
    samples.truncate(count);
    samples.sort_by_key(|sample| sample.at);
    let audited = |sample: &&Sample| AuditedAnswer {
        request: spec.requests[sample.request].name.clone(),
        variables: sample
            .variables
            .iter()
            .map(|(name, value)| (name.clone(), value.clone().into()))
            .collect(),
        status: sample.status,
        headers: sample.headers.clone(),
        body_base64: BASE64.encode(&sample.body),
        pieces: sample.pieces,
        at_s: sample.at as f64 / 1e9,
        sent_s: sample.sent as f64 / 1e9,
        answered_by_s: sample.answered_by as f64 / 1e9,
    };
    samples.iter().map(audited).collect()
}
