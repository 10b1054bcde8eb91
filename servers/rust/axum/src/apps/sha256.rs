use std::error::Error;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::routing::get;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use tokio::task::spawn_blocking;

use crate::{decimal, environment};

#[derive(Deserialize)]
struct Benchmark {
    #[serde(deserialize_with = "decimal::deserialize")]
    n: u32,
}

pub fn router() -> Result<Router, Box<dyn Error>> {
    let file = environment::path("WEBDYNO_FILE")?;
    Ok(Router::new()
        .route("/benchmark", get(benchmark))
        .with_state(Arc::from(file)))
}

async fn benchmark(
    State(file): State<Arc<Path>>,
    Query(Benchmark { n }): Query<Benchmark>,
) -> Result<String, (StatusCode, &'static str)> {
    if !(1..=100_000).contains(&n) {
        return Err((
            StatusCode::BAD_REQUEST,
            "n must be an integer from 1 to 100000",
        ));
    }
    // Reading and hashing would hold up every connection of the thread they ran on.
    let chain = spawn_blocking(move || fs::read(file).map(|content| digest_chain(&content, n)));
    chain
        .await
        .map_err(std::io::Error::from)
        .flatten()
        .map_err(|error| {
            eprintln!("server: {error}");
            (StatusCode::INTERNAL_SERVER_ERROR, "the file cannot be read")
        })
}

/// The `n`-th digest in hexadecimal: the first is that of `content`, each further one that of
/// `content` followed by the digest before it.
fn digest_chain(content: &[u8], n: u32) -> String {
    let mut digest = Sha256::digest(content);
    for _ in 1..n {
        digest = Sha256::new()
            .chain_update(content)
            .chain_update(digest)
            .finalize();
    }
    hex::encode(digest)
}
