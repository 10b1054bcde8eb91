//! What the parts of an answer are stamped with: the request's tag, and the time of their making.

use std::time::SystemTime;

const TAG_DIGITS: usize = 18;

/// Whether `text` is a tag.
pub fn is_tag(text: &str) -> bool {
    text.len() == TAG_DIGITS && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The time in microseconds since 1970.
pub fn micros() -> u128 {
    SystemTime::UNIX_EPOCH
        .elapsed()
        .map_or(0, |since| since.as_micros())
}
