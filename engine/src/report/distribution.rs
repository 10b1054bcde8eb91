//! Distributions of nanoseconds: a few quantiles to read, and the whole to compute with.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::{Serializer, V2DeflateSerializer};
use serde::Serialize;

/// A distribution in microseconds; all 0 when it is empty.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Quantiles {
    /// Median.
    pub p50: f64,
    /// 90th percentile.
    pub p90: f64,
    /// 99th percentile.
    pub p99: f64,
    /// 99.9th percentile.
    pub p999: f64,
    /// Largest.
    pub max: f64,
    /// Arithmetic mean.
    pub mean: f64,
    /// Smallest.
    pub min: f64,
}

/// Histograms of nanoseconds: HdrHistogram V2, deflated, base64.
#[derive(Debug, Clone, Serialize)]
pub struct Histograms {
    /// Latency from the intended send.
    pub from_intended: String,
    /// Latency from the actual send.
    pub from_send: String,
    /// Send lag.
    pub send_lag: String,
}

impl Quantiles {
    /// The quantiles of a histogram of nanoseconds.
    pub(super) fn of(histogram: &Histogram<u64>) -> Quantiles {
        if histogram.is_empty() {
            return Quantiles::default();
        }
        // A quantile is the upper bound of its bucket, which must not lie above the largest value.
        let max = histogram.max();
        let at = |quantile| histogram.value_at_quantile(quantile).min(max) as f64 / 1e3;
        Quantiles {
            p50: at(0.5),
            p90: at(0.9),
            p99: at(0.99),
            p999: at(0.999),
            max: max as f64 / 1e3,
            mean: histogram.mean() / 1e3,
            min: histogram.min() as f64 / 1e3,
        }
    }
}

/// The whole histogram as text.
pub(super) fn encoded(histogram: &Histogram<u64>) -> String {
    let mut bytes = Vec::new();
    V2DeflateSerializer::new()
        .serialize(histogram, &mut bytes)
        .expect("writing to memory does not fail");
    BASE64.encode(bytes)
}
