use std::error::Error;
use std::sync::Arc;

use actix_web::error::ErrorInternalServerError;
use actix_web::web::{Data, Html, ServiceConfig};
use actix_web::{Responder, get};
use askama::Template;
use deadpool_postgres::Pool;
use tokio_postgres::Row;

use super::Mount;
use crate::database;

#[derive(Template)]
#[template(path = "page.html")]
struct Page {
    articles: Vec<Article>,
}

struct Article {
    title: String,
    author: String,
    summary: String,
}

pub fn load() -> Result<Mount, Box<dyn Error>> {
    let pool = Data::new(database::pool()?);
    Ok(Arc::new(move |config: &mut ServiceConfig| {
        config.app_data(pool.clone()).service(page);
    }))
}

#[get("/page")]
async fn page(pool: Data<Pool>) -> actix_web::Result<impl Responder> {
    let html = render(&pool).await.map_err(|error| {
        eprintln!("server: {error}");
        ErrorInternalServerError("the page cannot be rendered")
    })?;
    Ok(Html::new(html))
}

async fn render(pool: &Pool) -> Result<String, Box<dyn Error>> {
    let client = pool.get().await?;
    let select = "SELECT title, author, summary FROM articles ORDER BY number";
    let select = client.prepare_cached(select).await?;
    let rows = client.query(&select, &[]).await?;
    let articles = rows
        .iter()
        .map(Article::from_row)
        .collect::<Result<_, _>>()?;
    Ok(Page { articles }.render()?)
}

impl Article {
    fn from_row(row: &Row) -> Result<Self, tokio_postgres::Error> {
        Ok(Self {
            title: row.try_get("title")?,
            author: row.try_get("author")?,
            summary: row.try_get("summary")?,
        })
    }
}
