use http_body_util::BodyExt;
use hyper::StatusCode;
use hyper::body::Incoming;
use sha2::{Digest, Sha256};

use crate::answer::{self, Answer};

/// The length of the longest body that is taken, in bytes.
const LARGEST: usize = 64 << 20;

/// Hashes the body piece by piece, as it arrives.
pub async fn upload(mut body: Incoming) -> Answer {
    let mut hash = Sha256::new();
    let mut length = 0;
    while let Some(frame) = body.frame().await {
        let Ok(frame) = frame else {
            return answer::text(StatusCode::BAD_REQUEST, "the body cannot be read");
        };
        // Anything else is what may follow a body that came in chunks.
        let Some(piece) = frame.data_ref() else {
            continue;
        };
        length += piece.len();
        if length > LARGEST {
            return answer::text(StatusCode::PAYLOAD_TOO_LARGE, "a body may have 64 MiB");
        }
        hash.update(piece);
    }
    let answered = format!("sha256:{} {length}", hex::encode(hash.finalize()));
    answer::text(StatusCode::OK, answered)
}
