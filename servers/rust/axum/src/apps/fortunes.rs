use std::error::Error;

use askama::Template;
use axum::Router;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Html;
use axum::routing::get;
use deadpool_postgres::Pool;
use serde::Deserialize;

use super::failed;
use crate::database;
use crate::rows::{self, Fortune};

#[derive(Deserialize)]
struct Wanted {
    added: Option<String>,
}

#[derive(Template)]
#[template(path = "fortunes.html")]
struct Page {
    fortunes: Vec<Fortune>,
}

pub fn router() -> Result<Router, Box<dyn Error>> {
    Ok(Router::new()
        .route("/fortunes", get(fortunes))
        .with_state(database::pool()?))
}

async fn fortunes(
    State(pool): State<Pool>,
    Query(Wanted { added }): Query<Wanted>,
) -> Result<Html<String>, StatusCode> {
    let added = added
        .filter(|added| !added.is_empty())
        .ok_or(StatusCode::BAD_REQUEST)?;
    let fortunes = rows::read_fortunes(&pool, added).await.map_err(failed)?;
    Page { fortunes }.render().map(Html).map_err(failed)
}
