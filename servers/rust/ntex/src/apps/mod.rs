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
mod stream;
mod updates;
mod upload;
mod websocket_echo;

use std::error::Error;
use std::fmt::Display;
use std::sync::Arc;

use ntex::web::error::ErrorInternalServerError;
use ntex::web::{self, ServiceConfig};

/// Mounts an application on a worker; each worker calls it once.
pub type Mount = Arc<dyn Fn(&mut ServiceConfig) + Send + Sync>;

/// Loads the application of `scenario`.
pub fn mount(scenario: &str) -> Result<Mount, Box<dyn Error>> {
    match scenario {
        "hello" => Ok(Arc::new(hello::mount)),
        "json" => Ok(Arc::new(json::mount)),
        "blog" => blog::load(),
        "cached" => cached::load(),
        "fortunes" => fortunes::load(),
        "middleware" => middleware::load(),
        "page" => page::load(),
        "point-lookup" => point_lookup::load(),
        "queries" => queries::load(),
        "session-counter" => session_counter::load(),
        "sha256" => sha256::load(),
        "sse" => Ok(Arc::new(sse::mount)),
        "stream" => Ok(Arc::new(stream::mount)),
        "updates" => updates::load(),
        "upload" => Ok(Arc::new(upload::mount)),
        "websocket-echo" => Ok(Arc::new(websocket_echo::mount)),
        unknown => Err(format!(
            "unknown WEBDYNO_SCENARIO {unknown:?}: set it to one of blog, cached, fortunes, hello, json, middleware, page, point-lookup, queries, session-counter, sha256, sse, stream, updates, upload, websocket-echo"
        )
        .into()),
    }
}

/// Logs what went wrong; the client learns no more than that something did.
fn failed(error: impl Display) -> web::Error {
    eprintln!("server: {error}");
    ErrorInternalServerError("the request cannot be answered").into()
}
