use std::error::Error;
use std::sync::Arc;

use askama::Template;
use deadpool_postgres::Pool;
use ntex::web::types::State;
use ntex::web::{self, HttpResponse, Responder, ServiceConfig};
use tokio_postgres::Row;

use super::{Mount, failed};
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
    let pool = database::pool()?;
    Ok(Arc::new(move |config: &mut ServiceConfig| {
        config.state(pool.clone()).service(page);
    }))
}

#[web::get("/page")]
async fn page(pool: State<Pool>) -> Result<impl Responder, web::Error> {
    let articles = read_articles(&pool).await.map_err(failed)?;
    let html = Page { articles }.render().map_err(failed)?;
    Ok(HttpResponse::Ok()
        .content_type("text/html; charset=utf-8")
        .body(html))
}

async fn read_articles(pool: &Pool) -> Result<Vec<Article>, Box<dyn Error>> {
    let client = pool.get().await?;
    let select = "SELECT title, author, summary FROM articles ORDER BY number";
    let select = client.prepare_cached(select).await?;
    let rows = client.query(&select, &[]).await?;
    Ok(rows
        .iter()
        .map(Article::from_row)
        .collect::<Result<_, _>>()?)
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
