use std::error::Error;
use std::sync::Arc;

use actix_web::error::ErrorInternalServerError;
use actix_web::web::{Data, Json, Query, ServiceConfig};
use actix_web::{Responder, post};
use deadpool_postgres::Pool;
use serde::Deserialize;

use super::Mount;
use crate::{database, rows};

#[derive(Deserialize)]
struct Wanted {
    n: Option<String>,
}

pub fn load() -> Result<Mount, Box<dyn Error>> {
    let pool = Data::new(database::pool()?);
    Ok(Arc::new(move |config: &mut ServiceConfig| {
        config.app_data(pool.clone()).service(updates);
    }))
}

#[post("/updates")]
async fn updates(wanted: Query<Wanted>, pool: Data<Pool>) -> actix_web::Result<impl Responder> {
    let count = rows::clamped(wanted.n.as_deref());
    let items = rows::count_items(&pool, count).await.map_err(|error| {
        eprintln!("server: {error}");
        ErrorInternalServerError("the rows cannot be counted")
    })?;
    Ok(Json(items))
}
