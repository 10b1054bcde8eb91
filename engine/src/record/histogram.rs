//! Histograms of nanoseconds.

use std::mem;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use hdrhistogram::{Counter, Histogram};
use miniz_oxide::deflate::compress_to_vec_zlib;

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

/// What a histogram in HdrHistogram V2 begins with.
const V2: u32 = 0x1c84_9303 | 0x10;
/// What a deflated one begins with.
const V2_DEFLATED: u32 = 0x1c84_9304 | 0x10;
/// zlib's own default.
const LEVEL: u8 = 6;

/// The whole histogram as text: HdrHistogram V2, deflated, base64.
pub fn encoded<T: Counter>(histogram: &Histogram<T>) -> String {
    encoded_raw(&raw(histogram))
}

/// The same of what [`raw`] wrote.
pub fn encoded_raw(raw: &[u8]) -> String {
    let deflated = compress_to_vec_zlib(raw, LEVEL);
    let mut bytes = V2_DEFLATED.to_be_bytes().to_vec();
    bytes.extend((deflated.len() as u32).to_be_bytes());
    bytes.extend(deflated);
    BASE64.encode(bytes)
}

/// The whole histogram in some hundred bytes, which costs a load under way little: HdrHistogram V2.
///
/// It is written here, in place of the crate's feature `serialization`, since that compiles for
/// twice as long as the rest of the crate and what it needs.
pub fn raw<T: Counter>(histogram: &Histogram<T>) -> Vec<u8> {
    let mut counts = Vec::new();
    let mut zeros = 0;
    // The largest value is the upper bound of the last slot that holds something.
    for slot in histogram.iter_all().take_while(|slot| slot.value_iterated_to() <= histogram.max())
    {
        let count = slot.count_at_value().as_u64() as i64;
        if count == 0 {
            zeros += 1;
        } else {
            write_zeros(&mut counts, mem::take(&mut zeros));
            write_number(&mut counts, count);
        }
    }
    write_zeros(&mut counts, zeros);
    let mut bytes = V2.to_be_bytes().to_vec();
    bytes.extend((counts.len() as u32).to_be_bytes());
    bytes.extend(0_u32.to_be_bytes()); // No offset of the slots.
    bytes.extend(u32::from(histogram.sigfig()).to_be_bytes());
    bytes.extend(histogram.low().to_be_bytes());
    bytes.extend(histogram.high().to_be_bytes());
    bytes.extend(1_f64.to_be_bytes()); // The unit of values.
    bytes.extend(counts);
    bytes
}

/// Writes so many empty slots: several as a negative number.
fn write_zeros(bytes: &mut Vec<u8>, zeros: i64) {
    match zeros {
        0 => {}
        1 => write_number(bytes, 0),
        _ => write_number(bytes, -zeros),
    }
}

/// Writes a number in one to nine bytes: zigzag, then seven bits a byte, the ninth byte whole.
fn write_number(bytes: &mut Vec<u8>, number: i64) {
    let mut rest = ((number << 1) ^ (number >> 63)) as u64;
    for _ in 0..8 {
        if rest < 0x80 {
            break;
        }
        bytes.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    bytes.push(rest as u8);
}

#[cfg(test)]
mod tests {
    use hdrhistogram::serialization::{
        Deserializer, Serializer, V2DeflateSerializer, V2Serializer,
    };

    use super::*;

    fn of_raw(bytes: &[u8]) -> Histogram<u32> {
        Deserializer::new().deserialize(&mut &*bytes).unwrap()
    }

    /// The crate's own serializers are the oracle: of values so near that the slots between them
    /// are none, one or many, and of counts of one to nine bytes.
    #[test]
    fn it_is_written_as_the_crate_writes_it() {
        let mut histograms = vec![histogram()];
        for (values, count) in [
            (vec![0], 1),
            (vec![1], 63),
            (vec![1, 2, 4, 8], 64),
            (vec![5, 1_000_000, 1_001_000, HIGHEST], 1),
            (vec![HIGHEST], i64::MAX as u64),
            ((0..60).map(|power| 1 << power).collect(), 1 << 40),
            ((0..3000).map(|at| at * at * 997).collect(), 3),
        ] {
            let mut made = histogram();
            values.iter().for_each(|value| made.saturating_record_n(*value, count));
            histograms.push(made);
        }
        for power in 0..63 {
            let mut made = histogram();
            made.saturating_record_n(1_000, 1 << power);
            made.saturating_record_n(3_000, (1 << power) - 1);
            histograms.push(made);
        }
        for made in &histograms {
            let mut right = Vec::new();
            V2Serializer::new().serialize(made, &mut right).unwrap();
            assert_eq!(raw(made), right);
            right.clear();
            V2DeflateSerializer::new().serialize(made, &mut right).unwrap();
            assert_eq!(encoded(made), BASE64.encode(right));
        }
    }

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
