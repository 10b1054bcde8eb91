use std::error::Error;
use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Html;
use axum::routing::get;
use tower_http::services::ServeDir;

use super::posts::{Image, Library, Post};
use crate::environment;

#[derive(Template)]
#[template(path = "blog.html")]
struct Page<'a> {
    posts: Vec<(&'a Post, &'a Image)>,
}

pub fn router() -> Result<Router, Box<dyn Error>> {
    let folder = environment::path("WEBDYNO_BLOG_DATA")?;
    let library = Library::load(&folder)?;
    Ok(Router::new()
        .route("/blog", get(blog))
        .fallback_service(ServeDir::new(folder.join("static")))
        .with_state(Arc::new(library)))
}

async fn blog(State(library): State<Arc<Library>>) -> Result<Html<String>, StatusCode> {
    let page = Page {
        posts: library.draw_page(),
    };
    page.render().map(Html).map_err(|error| {
        eprintln!("server: {error}");
        StatusCode::INTERNAL_SERVER_ERROR
    })
}
