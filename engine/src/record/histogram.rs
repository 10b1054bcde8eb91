//! Histograms of nanoseconds.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use hdrhistogram::serialization::{Deserializer, Serializer, V2DeflateSerializer, V2Serializer};
use hdrhistogram::{Counter, Histogram};

/// Latencies of a whole load, or of one of its requests.
pub type Latencies = Histogram<u64>;

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
