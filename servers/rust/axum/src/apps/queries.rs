use std::error::Error;

use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use deadpool_postgres::Pool;
use serde::Deserialize;

use super::failed;
use crate::database;
use crate::rows::{self, World};

#[derive(Deserialize)]
struct Wanted {
    n: Option<String>,
}

pub fn router() -> Result<Router, Box<dyn Error>> {
    Ok(Router::new()
        .route("/queries", get(queries))
        .with_state(database::pool()?))
}

async fn queries(
    State(pool): State<Pool>,
    Query(Wanted { n }): Query<Wanted>,
) -> Result<Json<Vec<World>>, StatusCode> {
    let worlds = rows::read_worlds(&pool, rows::clamped(n.as_deref())).await;
    worlds.map(Json).map_err(failed)
}
