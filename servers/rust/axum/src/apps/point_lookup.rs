use std::error::Error;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::routing::get;
use rand::seq::IndexedRandom;
use serde::Deserialize;
use sqlx::MySqlPool;
use sqlx::mysql::{MySqlConnectOptions, MySqlPoolOptions};

use super::failed;
use crate::environment;

/// Connections to the database, where nothing is said of them.
const CONNECTIONS: usize = 16;

#[derive(Clone)]
struct Lookup {
    pool: MySqlPool,
    /// The ids that one is drawn from where a request names none.
    candidates: Arc<[String]>,
}

#[derive(Deserialize)]
struct Wanted {
    id: Option<String>,
}

pub fn router() -> Result<Router, Box<dyn Error>> {
    let skus = environment::text("WEBDYNO_SKUS")?;
    let connections = environment::number("WEBDYNO_POOL")?.unwrap_or(CONNECTIONS);
    let mut options = MySqlConnectOptions::new()
        .host(&environment::text("MYSQL_HOST")?)
        .port(environment::text("MYSQL_PORT")?.parse()?)
        .username(&environment::text("MYSQL_USER")?)
        .database(&environment::text("MYSQL_DATABASE")?);
    if let Ok(password) = environment::text("MYSQL_PASSWORD") {
        options = options.password(&password);
    }
    let pool = MySqlPoolOptions::new()
        .max_connections(connections.try_into()?)
        // By default each connection is asked whether it is alive before each use.
        .test_before_acquire(false)
        .connect_lazy_with(options);
    let candidates = skus.split(',').map(String::from).collect();
    Ok(Router::new()
        .route("/sku", get(sku))
        .with_state(Lookup { pool, candidates }))
}

async fn sku(
    State(lookup): State<Lookup>,
    Query(Wanted { id }): Query<Wanted>,
) -> Result<String, StatusCode> {
    let id = match &id {
        Some(id) => id,
        None => lookup
            .candidates
            .choose(&mut rand::rng())
            .expect("a text has at least one part"),
    };
    let select = "SELECT sku_id FROM purch_sku_master WHERE sku_id = ?";
    let found: Option<String> = sqlx::query_scalar(select)
        .bind(id)
        .fetch_optional(&lookup.pool)
        .await
        .map_err(failed)?;
    found.ok_or(StatusCode::NOT_FOUND)
}
