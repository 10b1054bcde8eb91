use std::error::Error;
use std::sync::Arc;

use actix_web::error::ErrorInternalServerError;
use actix_web::web::{Data, Json, Query, ServiceConfig};
use actix_web::{Responder, get};
use serde::Deserialize;

use super::Mount;
use crate::rows;
use crate::world_cache::WorldCache;

#[derive(Deserialize)]
struct Wanted {
    n: Option<String>,
}

pub fn load() -> Result<Mount, Box<dyn Error>> {
    let cache = Data::new(WorldCache::open()?);
    Ok(Arc::new(move |config: &mut ServiceConfig| {
        config.app_data(cache.clone()).service(cached);
    }))
}

#[get("/cached")]
async fn cached(
    wanted: Query<Wanted>,
    cache: Data<WorldCache>,
) -> actix_web::Result<impl Responder> {
    let count = rows::clamped(wanted.n.as_deref());
    let worlds = cache.read(count).await.map_err(|error| {
        eprintln!("server: {error}");
        ErrorInternalServerError("the rows cannot be read")
    })?;
    Ok(Json(worlds))
}
