use ntex::web::error::ErrorPayloadTooLarge;
use ntex::web::types::Payload;
use ntex::web::{self, ServiceConfig};
use sha2::{Digest, Sha256};

/// The length of the longest body that is taken, in bytes.
const LARGEST: usize = 64 << 20;

pub fn mount(config: &mut ServiceConfig) {
    config.service(upload);
}

/// Hashes the body piece by piece, as it arrives.
#[web::post("/upload")]
async fn upload(mut pieces: Payload) -> Result<String, web::Error> {
    let mut hash = Sha256::new();
    let mut length = 0;
    while let Some(piece) = pieces.recv().await {
        let piece = piece?;
        length += piece.len();
        if length > LARGEST {
            return Err(ErrorPayloadTooLarge("a body may have 64 MiB").into());
        }
        hash.update(&piece);
    }
    Ok(format!("sha256:{} {length}", hex::encode(hash.finalize())))
}
