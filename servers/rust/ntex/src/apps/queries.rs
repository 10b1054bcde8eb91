use std::error::Error;
use std::sync::Arc;

use deadpool_postgres::Pool;
use ntex::web::types::{Json, Query, State};
use ntex::web::{self, Responder, ServiceConfig};
use serde::Deserialize;

use super::{Mount, failed};
use crate::{database, rows};

#[derive(Deserialize)]
struct Wanted {
    n: Option<String>,
}

pub fn load() -> Result<Mount, Box<dyn Error>> {
    let pool = database::pool()?;
    Ok(Arc::new(move |config: &mut ServiceConfig| {
        config.state(pool.clone()).service(queries);
    }))
}

#[web::get("/queries")]
async fn queries(wanted: Query<Wanted>, pool: State<Pool>) -> Result<impl Responder, web::Error> {
    let count = rows::clamped(wanted.n.as_deref());
    let worlds = rows::read_worlds(&pool, count).await.map_err(failed)?;
    Ok(Json(worlds))
}
