//! Whole numbers as requests hold them: in decimal digits alone.

use std::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error};

/// The number that `text` holds; none where anything else is in it, such as the sign that numbers
/// of Rust are parsed with.
pub fn parse<T: FromStr>(text: &str) -> Option<T> {
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

/// Reads such a number off the parameter of a query.
pub fn deserialize<'de, T: FromStr, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    let text = String::deserialize(deserializer)?;
    parse(&text).ok_or_else(|| Error::custom("it must be a whole number"))
}
