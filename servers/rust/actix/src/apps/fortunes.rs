use std::error::Error;
use std::sync::Arc;

use actix_web::error::{ErrorBadRequest, ErrorInternalServerError};
use actix_web::web::{Data, Html, Query, ServiceConfig};
use actix_web::{Responder, get};
use askama::Template;
use deadpool_postgres::Pool;
use serde::Deserialize;

use super::Mount;
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
    let pool = Data::new(database::pool()?);
    Ok(Arc::new(move |config: &mut ServiceConfig| {
        config.app_data(pool.clone()).service(show);
    }))
}

#[get("/fortunes")]
async fn show(brought: Query<Brought>, pool: Data<Pool>) -> actix_web::Result<impl Responder> {
    let Brought { added } = brought.into_inner();
    if added.is_empty() {
        return Err(ErrorBadRequest("added must be a text"));
    }
    let html = render(&pool, added).await.map_err(|error| {
        eprintln!("server: {error}");
        ErrorInternalServerError("the page cannot be rendered")
    })?;
    Ok(Html::new(html))
}

async fn render(pool: &Pool, added: String) -> Result<String, Box<dyn Error>> {
    let fortunes = read_fortunes(pool, added).await?;
    Ok(Page { fortunes }.render()?)
}
