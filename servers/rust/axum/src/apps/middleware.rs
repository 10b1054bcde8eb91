use std::error::Error;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::extract::Request;
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::routing::get;
use axum::{Json, Router};
use serde::Serialize;

use crate::environment;

static REQUESTS: AtomicU64 = AtomicU64::new(0);
static PASSED: AtomicU64 = AtomicU64::new(0);

#[derive(Serialize)]
struct Tally {
    requests: u64,
    passed: u64,
}

pub fn router() -> Result<Router, Box<dyn Error>> {
    let wanted = environment::text("WEBDYNO_MIDDLEWARE")?;
    let number: usize = wanted.parse().map_err(|_| {
        format!("WEBDYNO_MIDDLEWARE is {wanted:?}: set it to a number of 0 or more")
    })?;
    let routes = Router::new()
        .route("/hello", get(hello))
        .route("/passed", get(passed));
    Ok((0..number).fold(routes, |routes, _| routes.layer(middleware::from_fn(count))))
}

async fn count(request: Request, next: Next) -> Response {
    PASSED.fetch_add(1, Ordering::Relaxed);
    next.run(request).await
}

async fn hello() -> &'static str {
    REQUESTS.fetch_add(1, Ordering::Relaxed);
    "Hello World"
}

async fn passed() -> Json<Tally> {
    Json(Tally {
        requests: REQUESTS.fetch_add(1, Ordering::Relaxed) + 1,
        passed: PASSED.load(Ordering::Relaxed),
    })
}
