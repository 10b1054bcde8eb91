use std::error::Error;
use std::sync::Arc;

use ntex::web::types::{Json, Query, State};
use ntex::web::{self, Responder, ServiceConfig};
use serde::Deserialize;

use super::{Mount, failed};
use crate::rows;
use crate::world_cache::WorldCache;

#[derive(Deserialize)]
struct Wanted {
    n: Option<String>,
}

pub fn load() -> Result<Mount, Box<dyn Error>> {
    let cache = Arc::new(WorldCache::open()?);
    Ok(Arc::new(move |config: &mut ServiceConfig| {
        config.state(cache.clone()).service(cached);
    }))
}

#[web::get("/cached")]
async fn cached(
    wanted: Query<Wanted>,
    cache: State<Arc<WorldCache>>,
) -> Result<impl Responder, web::Error> {
    let count = rows::clamped(wanted.n.as_deref());
    let worlds = cache.read(count).await.map_err(failed)?;
    Ok(Json(worlds))
}
