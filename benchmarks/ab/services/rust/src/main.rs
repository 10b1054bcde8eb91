//! A small service: an item as JSON, signed with rounds of SHA-256.
//!
//! Its argument is how many rounds more than usual a request takes.

use axum::extract::{Path, State};
use axum::routing::get;
use axum::{Json, Router};
use serde::Serialize;
use sha2::{Digest, Sha256};

const USUAL_ROUNDS: u32 = 60;

#[derive(Serialize)]
struct Item {
    id: u32,
    name: String,
    tags: [&'static str; 2],
    signature: String,
}

fn sign(id: u32, rounds: u32) -> String {
    let mut digest = Sha256::digest(format!("item {id}"));
    let mut usual = digest;
    for round in 0..rounds {
        digest = Sha256::digest(digest);
        if round == USUAL_ROUNDS - 1 {
            usual = digest;
        }
    }
    // What comes after the usual rounds is work like any other, not to be optimised away.
    std::hint::black_box(digest);
    usual.iter().map(|byte| format!("{byte:02x}")).collect()
}

async fn item(Path(id): Path<u32>, State(rounds): State<u32>) -> Json<Item> {
    Json(Item {
        id,
        name: format!("item {id}"),
        tags: ["new", "small"],
        signature: sign(id, rounds),
    })
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let more: u32 = std::env::args().nth(1).as_deref().unwrap_or("0").parse()?;
    let port: u16 = std::env::var("PORT")?.parse()?;
    let app = Router::new()
        .route("/items/{id}", get(item))
        .with_state(USUAL_ROUNDS + more);
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
    axum::serve(listener, app).await?;
    Ok(())
}
