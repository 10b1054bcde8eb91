//! One application for each scenario; a process loads and mounts its own only.

mod blog;
mod cached;
mod fortunes;
mod hello;
mod json;
mod middleware;
mod page;
mod point_lookup;
mod posts;
mod queries;
mod session_counter;
mod sha256;
mod sse;
mod static_files;
mod stream;
mod updates;
mod upload;
mod websocket_echo;

use std::error::Error;
use std::fmt::Display;

use axum::Router;
use axum::http::StatusCode;

/// Builds the application of `scenario`. A runtime must be there: pools of connections need one.
pub fn router(scenario: &str) -> Result<Router, Box<dyn Error>> {
    match scenario {
        "hello" => Ok(hello::router()),
        "json" => Ok(json::router()),
        "blog" => blog::router(),
        "cached" => cached::router(),
        "fortunes" => fortunes::router(),
        "middleware" => middleware::router(),
        "page" => page::router(),
        "point-lookup" => point_lookup::router(),
        "queries" => queries::router(),
        "session-counter" => session_counter::router(),
        "sha256" => sha256::router(),
        "sse" => Ok(sse::router()),
        "static" => static_files::router(),
        "stream" => Ok(stream::router()),
        "updates" => updates::router(),
        "upload" => Ok(upload::router()),
        "websocket-echo" => Ok(websocket_echo::router()),
        unknown => Err(format!(
            "unknown WEBDYNO_SCENARIO {unknown:?}: set it to one of blog, cached, fortunes, hello, json, middleware, page, point-lookup, queries, session-counter, sha256, sse, static, stream, updates, upload, websocket-echo"
        )
        .into()),
    }
}

/// Logs what went wrong; the client learns no more than that something did.
fn failed(error: impl Display) -> StatusCode {
    eprintln!("server: {error}");
    StatusCode::INTERNAL_SERVER_ERROR
}
