use std::error::Error;
use std::sync::{Arc, OnceLock};

use actix_web::error::{ErrorInternalServerError, ErrorNotFound};
use actix_web::http::header::ContentType;
use actix_web::web::{Data, Query, ServiceConfig};
use actix_web::{HttpResponse, Responder, get};
use rand::seq::IndexedRandom;
use serde::Deserialize;
use sqlx::MySqlPool;
use sqlx::mysql::{MySqlConnectOptions, MySqlPoolOptions};

use super::Mount;
use crate::environment;

/// Connections to the database, in all workers together.
const POOL: usize = 16;

/// The ids that one is drawn from where a request names none.
struct Candidates(Vec<String>);

#[derive(Deserialize)]
struct Wanted {
    id: Option<String>,
}

pub fn load() -> Result<Mount, Box<dyn Error>> {
    let skus = environment::text("WEBDYNO_SKUS")?;
    let candidates = Data::new(Candidates(skus.split(',').map(String::from).collect()));
    let connections = environment::number("WEBDYNO_POOL")?.unwrap_or(POOL);
    let port = environment::text("MYSQL_PORT")?;
    let mut options = MySqlConnectOptions::new()
        .host(&environment::text("MYSQL_HOST")?)
        .port(port.parse()?)
        .username(&environment::text("MYSQL_USER")?)
        .database(&environment::text("MYSQL_DATABASE")?);
    if let Ok(password) = environment::text("MYSQL_PASSWORD") {
        options = options.password(&password);
    }
    let pool = MySqlPoolOptions::new()
        .max_connections(connections.try_into()?)
        // By default each connection is asked whether it is alive before each use.
        .test_before_acquire(false);
    // Made by the first worker, because a pool can only be made where a runtime is there.
    let shared = OnceLock::new();
    Ok(Arc::new(move |config: &mut ServiceConfig| {
        let connect = || Data::new(pool.clone().connect_lazy_with(options.clone()));
        let pool = shared.get_or_init(connect);
        config
            .app_data(candidates.clone())
            .app_data(pool.clone())
            .service(sku);
    }))
}

#[get("/sku")]
async fn sku(
    wanted: Query<Wanted>,
    candidates: Data<Candidates>,
    pool: Data<MySqlPool>,
) -> actix_web::Result<impl Responder> {
    let id = match &wanted.id {
        Some(id) => id,
        None => candidates
            .0
            .choose(&mut rand::rng())
            .expect("a text has at least one part"),
    };
    let select = "SELECT sku_id FROM purch_sku_master WHERE sku_id = ?";
    let found: Option<String> = sqlx::query_scalar(select)
        .bind(id)
        .fetch_optional(pool.get_ref())
        .await
        .map_err(|error| {
            eprintln!("server: {error}");
            ErrorInternalServerError("the row cannot be read")
        })?;
    let sku = found.ok_or_else(|| ErrorNotFound("no such row"))?;
    Ok(HttpResponse::Ok()
        .content_type(ContentType::plaintext())
        .body(sku))
}
