//! What the launcher says: environment variables.

use std::env;
use std::path::PathBuf;

/// The scenario to answer; empty when the variable is not set.
pub fn scenario() -> String {
    env::var("WEBDYNO_SCENARIO").unwrap_or_default()
}

pub fn port() -> Result<u16, String> {
    let port = text("PORT")?;
    port.parse()
        .map_err(|_| format!("PORT is {port:?}: set it to a number from 1 to 65535"))
}

/// The path that the variable `name` holds.
pub fn path(name: &str) -> Result<PathBuf, String> {
    text(name).map(PathBuf::from)
}

/// The number that the variable `name` holds; none where it is not set.
pub fn number(name: &str) -> Result<Option<usize>, String> {
    let Ok(text) = env::var(name) else {
        return Ok(None);
    };
    let number = text.parse().ok().filter(|&number| number > 0);
    number
        .map(Some)
        .ok_or_else(|| format!("{name} is {text:?}: set it to a number above 0"))
}

/// The text that the variable `name` holds, which must be set.
pub fn text(name: &str) -> Result<String, String> {
    env::var(name)
        .ok()
        .filter(|value| !value.is_empty())
        .ok_or_else(|| format!("the environment variable {name} is not set"))
}
