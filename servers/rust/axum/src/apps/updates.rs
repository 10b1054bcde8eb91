use std::error::Error;

use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::routing::post;
use axum::{Json, Router};
use deadpool_postgres::Pool;
use serde::Deserialize;

use super::failed;
use crate::database;
use crate::rows::{self, Item};

#[derive(Deserialize)]
struct Wanted {
    n: Option<String>,
}

pub fn router() -> Result<Router, Box<dyn Error>> {
    Ok(Router::new()
        .route("/updates", post(updates))
        .with_state(database::pool()?))
}

async fn updates(
    State(pool): State<Pool>,
    Query(Wanted { n }): Query<Wanted>,
) -> Result<Json<Vec<Item>>, StatusCode> {
    let items = rows::count_items(&pool, rows::clamped(n.as_deref())).await;
    items.map(Json).map_err(failed)
}
