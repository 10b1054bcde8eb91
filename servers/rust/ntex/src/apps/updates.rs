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
        config.state(pool.clone()).service(updates);
    }))
}

#[web::post("/updates")]
async fn updates(wanted: Query<Wanted>, pool: State<Pool>) -> Result<impl Responder, web::Error> {
    let count = rows::clamped(wanted.n.as_deref());
    let items = rows::count_items(&pool, count).await.map_err(failed)?;
    Ok(Json(items))
}
