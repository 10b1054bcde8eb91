//! Distributions of nanoseconds: a few quantiles to read, and the whole to compute with.

use hdrhistogram::Histogram;
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

/// Latency of all requests that were due and whose outcome is known, in microseconds: one without a
/// right answer counts as infinite, and a quantile that falls among those is absent.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct WithLost {
    /// Median.
    pub p50: Option<f64>,
    /// 90th percentile.
    pub p90: Option<f64>,
    /// 99th percentile.
    pub p99: Option<f64>,
    /// 99.9th percentile.
    pub p999: Option<f64>,
    /// Requests that were due and got no right answer.
    pub lost: u64,
}

impl WithLost {
    /// The quantiles of a histogram of nanoseconds and `lost` values beyond.
    pub(super) fn of(histogram: &Histogram<u64>, lost: u64) -> WithLost {
        let answered = histogram.len();
        let at = |per_mille: u64| {
            let rank = (per_mille * (answered + lost)).div_ceil(1000).max(1);
            // Half a rank less: the histogram multiplies by its length again and rounds up, so that
            // the whole rank would often become the next.
            let within = (rank as f64 - 0.5) / answered as f64;
            let value = || histogram.value_at_quantile(within).min(histogram.max());
            (rank <= answered).then(|| value() as f64 / 1e3)
        };
        WithLost { p50: at(500), p90: at(900), p99: at(990), p999: at(999), lost }
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::histogram::histogram;

    fn of_hundred(lost: u64) -> WithLost {
        let mut answers = histogram();
        (1..=100 - lost).for_each(|ms| answers.record(ms * 1_000_000).unwrap());
        WithLost::of(&answers, lost)
    }

    fn near(found: Option<f64>, ms: f64) -> bool {
        found.is_some_and(|found| (found / 1e3 / ms - 1.0).abs() < 0.002)
    }

    #[test]
    fn without_losses_they_are_the_answers_own() {
        let all = of_hundred(0);
        assert!(near(all.p50, 50.0) && near(all.p90, 90.0) && near(all.p99, 99.0), "{all:?}");
        assert!(near(all.p999, 100.0), "{all:?}");
    }

    #[test]
    fn a_lost_request_took_longer_than_any_answer() {
        let all = of_hundred(1);
        assert!(near(all.p50, 50.0) && near(all.p99, 99.0), "{all:?}");
        assert_eq!((all.p999, all.lost), (None, 1));
        let all = of_hundred(11);
        assert!(near(all.p50, 50.0) && all.p90.is_none(), "{all:?}");
    }

    #[test]
    fn each_is_the_value_of_its_rank_whatever_the_numbers() {
        for answered in 1..300 {
            let mut answers = histogram();
            (1..=answered).for_each(|ms| answers.record(ms * 1_000_000).unwrap());
            for lost in 0..3 {
                let all = WithLost::of(&answers, lost);
                for (found, per_mille) in [(all.p50, 500), (all.p90, 900), (all.p99, 990)] {
                    let rank = (per_mille * (answered + lost)).div_ceil(1000);
                    let right =
                        if rank > answered { found.is_none() } else { near(found, rank as f64) };
                    assert!(right, "{answered} and {lost} lost: {all:?}");
                }
            }
        }
    }

    #[test]
    fn where_all_are_lost_there_is_none() {
        let all = WithLost::of(&histogram(), 3);
        assert_eq!((all.p50, all.p999, all.lost), (None, None, 3));
        assert_eq!(WithLost::of(&histogram(), 0).p50, None);
    }
}
