//! Why requests failed.

use serde::Serialize;

use crate::plan::spec::Spec;
use crate::record::details::Details;

/// Requests that failed alike.
#[derive(Debug, Clone, Serialize)]
pub struct ErrorDetail {
    /// The kind, as in the counts.
    pub kind: &'static str,
    /// The request's name, where one was sent.
    pub request: Option<String>,
    /// What was wrong.
    pub detail: String,
    /// How many.
    pub count: u64,
}

impl ErrorDetail {
    /// Those of a load, by its requests' names.
    pub(super) fn of(spec: &Spec, details: &Details) -> Vec<ErrorDetail> {
        let lines = details.lines().into_iter();
        lines
            .map(|line| ErrorDetail {
                kind: line.kind,
                request: line.request.map(|index| spec.requests[index].name.clone()),
                detail: line.detail,
                count: line.count,
            })
            .collect()
    }
}
