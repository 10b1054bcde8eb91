use std::error::Error;
use std::sync::Arc;

use actix_files::Files;
use actix_web::error::ErrorInternalServerError;
use actix_web::web::{Data, Html, ServiceConfig};
use actix_web::{Responder, get};
use askama::Template;

use super::Mount;
use super::posts::{Image, Library, Post};
use crate::environment;

#[derive(Template)]
#[template(path = "blog.html")]
struct Page<'a> {
    posts: Vec<(&'a Post, &'a Image)>,
}

pub fn load() -> Result<Mount, Box<dyn Error>> {
    let folder = environment::path("WEBDYNO_BLOG_DATA")?;
    let library = Data::new(Library::load(&folder)?);
    let files = folder.join("static");
    Ok(Arc::new(move |config: &mut ServiceConfig| {
        config
            .app_data(library.clone())
            .service(blog)
            .service(Files::new("/", &files));
    }))
}

#[get("/blog")]
async fn blog(library: Data<Library>) -> actix_web::Result<impl Responder> {
    let page = Page {
        posts: library.draw_page(),
    };
    let html = page.render().map_err(|error| {
        eprintln!("server: {error}");
        ErrorInternalServerError("the page cannot be rendered")
    })?;
    Ok(Html::new(html))
}
