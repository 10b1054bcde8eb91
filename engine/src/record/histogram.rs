//! Histograms of nanoseconds.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use hdrhistogram::serialization::{Deserializer, Serializer, V2DeflateSerializer, V2Serializer};
use hdrhistogram::{Counter, Histogram};

/// Latencies of a whole load, or of one of its requests.
pub type Latencies = Histogram<u64>;

/// The longest latency that is told apart, in nanoseconds: two days, for which a request may wait to
/// be sent, and then to be answered, where the time-out is the longest. This takes 319 kB, one hour
/// took 270.
const HIGHEST: u64 = 2 * 24 * 3_600_000_000_000;

/// An empty histogram for a whole load, with three significant digits.
pub fn histogram() -> Histogram<u64> {
    Histogram::new_with_bounds(1, HIGHEST, 3).expect("valid bounds")
}

/// An empty histogram for one second, with two significant digits.
pub fn second_histogram() -> Histogram<u32> {
    Histogram::new_with_bounds(1, HIGHEST, 2).expect("valid bounds")
}

/// The whole histogram as text: HdrHistogram V2, deflated, base64.
pub fn encoded<T: Counter>(histogram: &Histogram<T>) -> String {
    let mut bytes = Vec::new();
    V2DeflateSerializer::new()
        .serialize(histogram, &mut bytes)
        .expect("writing to memory does not fail");
    BASE64.encode(bytes)
}

/// The whole histogram in some hundred bytes, which costs a load under way little.
pub fn raw(histogram: &Histogram<u32>) -> Vec<u8> {
    let mut bytes = Vec::new();
    V2Serializer::new().serialize(histogram, &mut bytes).expect("writing to memory does not fail");
    bytes
}

/// The histogram that [`raw`] wrote; an empty one for nothing.
pub fn of_raw(bytes: &[u8]) -> Histogram<u32> {
    if bytes.is_empty() {
        return second_histogram();
    }
    Deserializer::new().deserialize(&mut &*bytes).expect("what was written here")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latencies_of_many_hours_are_told_apart() {
        const HOUR: u64 = 3_600_000_000_000;
        let (mut whole, mut second) = (histogram(), second_histogram());
        for hours in [2, 24, 48] {
            whole.record(hours * HOUR).unwrap();
            second.record(hours * HOUR).unwrap();
        }
        for (quantile, hours) in [(0.33, 2), (0.66, 24), (1.0, 48)] {
            let right = (hours * HOUR) as f64;
            let told = whole.value_at_quantile(quantile) as f64;
            assert!((told / right - 1.0).abs() < 0.001, "{told} of {right}");
            let told = of_raw(&raw(&second)).value_at_quantile(quantile) as f64;
            assert!((told / right - 1.0).abs() < 0.01, "{told} of {right}");
        }
        assert!(whole.distinct_values() * size_of::<u64>() < 320_000, "bytes it takes");
    }
}
