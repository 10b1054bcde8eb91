//! One application for each scenario; a process loads and mounts its own only.

mod blog;
mod hello;
mod json;
mod posts;
mod sha256;

use std::error::Error;

use axum::Router;

/// Builds the application of `scenario`.
pub fn router(scenario: &str) -> Result<Router, Box<dyn Error>> {
    match scenario {
        "hello" => Ok(hello::router()),
        "json" => Ok(json::router()),
        "blog" => blog::router(),
        "sha256" => sha256::router(),
        unknown => Err(format!(
            "unknown WEBDYNO_SCENARIO {unknown:?}: set it to one of blog, hello, json, sha256"
        )
        .into()),
    }
}
