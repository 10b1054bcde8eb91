//! What a part of a load tells beside its result, so that the parts can be put together: quantiles
//! cannot be, the distributions that they were read from can.

use serde::Serialize;

use super::{RequestReport, layers::Handshakes};
use crate::record::histogram::{Latencies, encoded, encoded_raw};
use crate::record::timeline::Second;

/// The distributions that a whole load does not tell, encoded as [`super::Histograms`] are.
#[derive(Debug, Clone, Serialize)]
pub struct Merging {
    /// From the actual send to the first byte.
    pub first_byte: String,
    /// How long connections took to open.
    pub connect: String,
    /// How long TLS handshakes took, where there were any.
    pub handshake: Option<String>,
    /// Latency from the intended send of each entry of `by_request`.
    pub by_request: Vec<String>,
    /// The same of each second of `series`, with two digits.
    pub series: Vec<String>,
}

impl Merging {
    pub(super) fn new(
        (first_byte, connect): (&Latencies, &Latencies),
        handshakes: Option<&Handshakes>,
        by_request: &[RequestReport],
        series: &[Second],
    ) -> Merging {
        Merging {
            first_byte: encoded(first_byte),
            connect: encoded(connect),
            handshake: handshakes.map(|handshakes| encoded(&handshakes.times)),
            by_request: by_request.iter().map(|named| encoded(&named.latencies)).collect(),
            series: series.iter().map(|second| encoded_raw(&second.latencies)).collect(),
        }
    }
}
