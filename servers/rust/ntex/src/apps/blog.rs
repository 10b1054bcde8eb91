use std::collections::HashMap;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use askama::Template;
use ntex::util::Bytes;
use ntex::web::types::State;
use ntex::web::{self, HttpRequest, HttpResponse, Responder, ServiceConfig};

use super::posts::{Image, Library, Post};
use super::{Mount, failed};
use crate::environment;

#[derive(Template)]
#[template(path = "blog.html")]
struct Page<'a> {
    posts: Vec<(&'a Post, &'a Image)>,
}

/// The files beside the posts, by their paths: they do not change.
type Files = HashMap<String, File>;

struct File {
    kind: &'static str,
    content: Bytes,
}

pub fn load() -> Result<Mount, Box<dyn Error>> {
    let folder = environment::path("WEBDYNO_BLOG_DATA")?;
    let mut files = Files::new();
    read_files(&folder.join("static"), "", &mut files)?;
    let files = Arc::new(files);
    let library = Arc::new(Library::load(&folder)?);
    Ok(Arc::new(move |config: &mut ServiceConfig| {
        config
            .state(library.clone())
            .state(files.clone())
            .service(blog)
            .service(send_file);
    }))
}

#[web::get("/blog")]
async fn blog(library: State<Arc<Library>>) -> Result<impl Responder, web::Error> {
    let page = Page {
        posts: library.draw_page(),
    };
    let html = page.render().map_err(failed)?;
    Ok(HttpResponse::Ok()
        .content_type("text/html; charset=utf-8")
        .body(html))
}

#[web::get("/{path}*")]
async fn send_file(request: HttpRequest, files: State<Arc<Files>>) -> HttpResponse {
    match files.get(request.path()) {
        Some(File { kind, content }) => {
            HttpResponse::Ok().content_type(*kind).body(content.clone())
        }
        None => HttpResponse::NotFound().finish(),
    }
}

/// Reads the files below `folder`, which are served below `path`.
fn read_files(folder: &Path, path: &str, files: &mut Files) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let file = entry?.path();
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let path = format!("{path}/{name}");
        if file.is_dir() {
            read_files(&file, &path, files)?;
        } else {
            let kind = mime_guess::from_path(&file).first_raw();
            let kind = kind.unwrap_or("application/octet-stream");
            let content = fs::read(&file)?.into();
            files.insert(path, File { kind, content });
        }
    }
    Ok(())
}
