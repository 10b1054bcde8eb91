use std::error::Error;

use askama::Template;
use deadpool_postgres::Pool;
use tokio_postgres::Row;

use crate::answer::{self, Answer};

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

pub async fn page(pool: &Pool) -> Answer {
    let articles = read_articles(pool).await;
    answer::or_error(articles.and_then(|articles| Ok(answer::html(Page { articles }.render()?))))
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
