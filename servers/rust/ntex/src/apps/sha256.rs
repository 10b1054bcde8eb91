use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::{fs, io};

use ntex::web::error::ErrorBadRequest;
use ntex::web::types::{Query, State};
use ntex::web::{self, ServiceConfig};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::{Mount, failed};
use crate::{decimal, environment};

#[derive(Deserialize)]
struct Benchmark {
    #[serde(deserialize_with = "decimal::deserialize")]
    n: u32,
}

pub fn load() -> Result<Mount, Box<dyn Error>> {
    let file: Arc<Path> = environment::path("WEBDYNO_FILE")?.into();
    Ok(Arc::new(move |config: &mut ServiceConfig| {
        config.state(file.clone()).service(benchmark);
    }))
}

#[web::get("/benchmark")]
async fn benchmark(file: State<Arc<Path>>, query: Query<Benchmark>) -> Result<String, web::Error> {
    let n = query.n;
    if !(1..=100_000).contains(&n) {
        return Err(ErrorBadRequest("n must be an integer from 1 to 100000").into());
    }
    // Reading and hashing would hold up every connection of the worker they ran on.
    let file = file.get_ref().clone();
    web::block(move || read_and_digest(&file, n))
        .await
        .map_err(failed)
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
