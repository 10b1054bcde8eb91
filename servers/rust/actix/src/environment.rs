//! What the launcher says: environment variables.

use std::env;
use std::path::PathBuf;

/// The scenario to answer; empty when the variable is not set.
pub fn scenario() -> String {
    env::var("WEBDYNO_SCENARIO").unwrap_or_default()
}

pub fn port() -> Result<u16, String> {
    let port = required("PORT")?;
    port.parse()
        .map_err(|_| format!("PORT is {port:?}: set it to a number from 1 to 65535"))
}

/// The path that the variable `name` holds.
pub fn path(name: &str) -> Result<PathBuf, String> {
    required(name).map(PathBuf::from)
}

fn required(name: &str) -> Result<String, String> {
    env::var(name)
        .ok()
        .filter(|value| !value.is_empty())
        .ok_or_else(|| format!("the environment variable {name} is not set"))
}
