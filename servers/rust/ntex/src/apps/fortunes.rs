use std::error::Error;
use std::sync::Arc;

use askama::Template;
use deadpool_postgres::Pool;
use ntex::web::error::ErrorBadRequest;
use ntex::web::types::{Query, State};
use ntex::web::{self, HttpResponse, Responder, ServiceConfig};
use serde::Deserialize;

use super::{Mount, failed};
use crate::database;
use crate::rows::{Fortune, read_fortunes};

#[derive(Template)]
#[template(path = "fortunes.html")]
struct Page {
    fortunes: Vec<Fortune>,
}

#[derive(Deserialize)]
struct Brought {
    #[serde(default)]
    added: String,
}

pub fn load() -> Result<Mount, Box<dyn Error>> {
    let pool = database::pool()?;
    Ok(Arc::new(move |config: &mut ServiceConfig| {
        config.state(pool.clone()).service(show);
    }))
}

#[web::get("/fortunes")]
async fn show(brought: Query<Brought>, pool: State<Pool>) -> Result<impl Responder, web::Error> {
    let Brought { added } = brought.into_inner();
    if added.is_empty() {
        return Err(ErrorBadRequest("added must be a text").into());
    }
    let fortunes = read_fortunes(&pool, added).await.map_err(failed)?;
    let html = Page { fortunes }.render().map_err(failed)?;
    Ok(HttpResponse::Ok()
        .content_type("text/html; charset=utf-8")
        .body(html))
}
