use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use actix_web::error::{ErrorBadRequest, ErrorInternalServerError};
use actix_web::web::{self, Data, Query, ServiceConfig};
use actix_web::{Responder, get};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::Mount;
use crate::{decimal, environment};

struct Source {
    file: PathBuf,
}

#[derive(Deserialize)]
struct Benchmark {
    #[serde(deserialize_with = "decimal::deserialize")]
    n: u32,
}

pub fn load() -> Result<Mount, Box<dyn Error>> {
    let file = environment::path("WEBDYNO_FILE")?;
    let source = Data::new(Source { file });
    Ok(Arc::new(move |config: &mut ServiceConfig| {
        config.app_data(source.clone()).service(benchmark);
    }))
}

#[get("/benchmark")]
async fn benchmark(
    source: Data<Source>,
    query: Query<Benchmark>,
) -> actix_web::Result<impl Responder> {
    let n = query.n;
    if !(1..=100_000).contains(&n) {
        return Err(ErrorBadRequest("n must be an integer from 1 to 100000"));
    }
    // Reading and hashing would hold up every connection of the worker they ran on.
    let chain = web::block(move || read_and_digest(&source.file, n)).await?;
    chain.map_err(|error| {
        eprintln!("server: {error}");
        ErrorInternalServerError("the file cannot be read")
    })
}

fn read_and_digest(file: &Path, n: u32) -> io::Result<String> {
    Ok(digest_chain(&fs::read(file)?, n))
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
