use axum::Router;
use axum::body::Body;
use axum::http::StatusCode;
use axum::routing::post;
use futures_util::TryStreamExt;
use sha2::{Digest, Sha256};

use super::failed;

/// The length of the longest body that is taken, in bytes.
const LARGEST: usize = 64 << 20;

pub fn router() -> Router {
    Router::new().route("/upload", post(upload))
}

/// Hashes the body piece by piece, as it arrives.
async fn upload(body: Body) -> Result<String, StatusCode> {
    let mut pieces = body.into_data_stream();
    let mut hash = Sha256::new();
    let mut length = 0;
    while let Some(piece) = pieces.try_next().await.map_err(|error| {
        failed(error);
        StatusCode::BAD_REQUEST
    })? {
        length += piece.len();
        if length > LARGEST {
            return Err(StatusCode::PAYLOAD_TOO_LARGE);
        }
        hash.update(&piece);
    }
    Ok(format!("sha256:{} {length}", hex::encode(hash.finalize())))
}
