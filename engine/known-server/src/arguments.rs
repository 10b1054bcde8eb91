//! Command lines of the form `name=value`.

use std::str::FromStr;

/// The value of `name=`, or `default` where it is not given.
///
/// # Panics
/// With one line, when the value cannot be read.
pub fn value<T: FromStr>(name: &str, default: T) -> T {
    let prefix = format!("{name}=");
    let given = std::env::args().skip(1).find_map(|argument| {
        argument.strip_prefix(&prefix).map(|text| match text.parse() {
            Ok(value) => value,
            Err(_) => panic!("{argument}: not a value {name} can have"),
        })
    });
    given.unwrap_or(default)
}
