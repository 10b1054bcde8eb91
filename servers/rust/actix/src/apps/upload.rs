use actix_web::error::ErrorPayloadTooLarge;
use actix_web::web::{Payload, ServiceConfig};
use actix_web::{Responder, post};
use futures_util::TryStreamExt;
use sha2::{Digest, Sha256};

/// The length of the longest body that is taken, in bytes.
const LARGEST: usize = 64 << 20;

pub fn mount(config: &mut ServiceConfig) {
    config.service(upload);
}

/// Hashes the body piece by piece, as it arrives.
#[post("/upload")]
async fn upload(mut pieces: Payload) -> actix_web::Result<impl Responder> {
    let mut hash = Sha256::new();
    let mut length = 0;
    while let Some(piece) = pieces.try_next().await? {
        length += piece.len();
        if length > LARGEST {
            return Err(ErrorPayloadTooLarge("a body may have 64 MiB"));
        }
        hash.update(&piece);
    }
    Ok(format!("sha256:{} {length}", hex::encode(hash.finalize())))
}
