use std::error::Error;

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Html;
use axum::routing::get;
use deadpool_postgres::Pool;
use tokio_postgres::Row;

use super::failed;
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

pub fn router() -> Result<Router, Box<dyn Error>> {
    Ok(Router::new()
        .route("/page", get(page))
        .with_state(database::pool()?))
}

async fn page(State(pool): State<Pool>) -> Result<Html<String>, StatusCode> {
    let articles = read_articles(&pool).await.map_err(failed)?;
    Page { articles }.render().map(Html).map_err(failed)
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
