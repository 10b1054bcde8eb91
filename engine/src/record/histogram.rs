//! Histograms of nanoseconds.

use hdrhistogram::Histogram;

/// The longest latency that is told apart, in nanoseconds: an hour.
const HIGHEST: u64 = 3_600_000_000_000;

/// An empty histogram for a whole load, with three significant digits.
pub fn histogram() -> Histogram<u64> {
    Histogram::new_with_bounds(1, HIGHEST, 3).expect("valid bounds")
}

/// An empty histogram for one second, with two significant digits.
pub fn second_histogram() -> Histogram<u32> {
    Histogram::new_with_bounds(1, HIGHEST, 2).expect("valid bounds")
}
