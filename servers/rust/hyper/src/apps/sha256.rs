use std::fs;
use std::path::Path;

use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use sha2::{Digest, Sha256};
use tokio::task::spawn_blocking;

use crate::answer::{self, Answer, parameter};
use crate::decimal;

pub async fn benchmark(file: &Path, request: &Request<Incoming>) -> Answer {
    let Some(n) = parameter(request, "n").and_then(|text| rounds(&text)) else {
        let problem = "n must be an integer from 1 to 100000";
        return answer::text(StatusCode::BAD_REQUEST, problem);
    };
    let file = file.to_owned();
    // Reading and hashing would hold up every connection of the thread they ran on.
    let chain = spawn_blocking(move || fs::read(file).map(|content| digest_chain(&content, n)));
    let chain = chain.await.map_err(std::io::Error::from).flatten();
    let answered = chain.map(|digest| answer::text(StatusCode::OK, digest));
    answer::or_error(answered.map_err(Into::into))
}

/// How many rounds `text` asks for; none where it is no number of 1 to 100000.
fn rounds(text: &str) -> Option<u32> {
    let n = decimal::parse(text)?;
    (1..=100_000).contains(&n).then_some(n)
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
