use std::error::Error;
use std::sync::Arc;

use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use serde::Deserialize;

use super::failed;
use crate::rows::{self, World};
use crate::world_cache::WorldCache;

#[derive(Deserialize)]
struct Wanted {
    n: Option<String>,
}

pub fn router() -> Result<Router, Box<dyn Error>> {
    Ok(Router::new()
        .route("/cached", get(cached))
        .with_state(Arc::new(WorldCache::open()?)))
}

async fn cached(
    State(cache): State<Arc<WorldCache>>,
    Query(Wanted { n }): Query<Wanted>,
) -> Result<Json<Vec<World>>, StatusCode> {
    let worlds = cache.read(rows::clamped(n.as_deref())).await;
    worlds.map(Json).map_err(failed)
}
