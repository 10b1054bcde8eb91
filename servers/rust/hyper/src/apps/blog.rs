use std::collections::HashMap;
use std::error::Error;
use std::fs;
use std::path::Path;

use askama::Template;
use hyper::body::Bytes;

use super::posts::{Image, Library, Post};
use crate::answer::{self, Answer};
use crate::environment;

#[derive(Template)]
#[template(path = "blog.html")]
struct Page<'a> {
    posts: Vec<(&'a Post, &'a Image)>,
}

/// The posts and, by their paths, the files beside them: they do not change.
pub struct Blog {
    library: Library,
    files: HashMap<String, File>,
}

struct File {
    kind: &'static str,
    content: Bytes,
}

impl Blog {
    pub fn load() -> Result<Self, Box<dyn Error>> {
        let folder = environment::path("WEBDYNO_BLOG_DATA")?;
        let mut files = HashMap::new();
        read_files(&folder.join("static"), "", &mut files)?;
        let library = Library::load(&folder)?;
        Ok(Self { library, files })
    }

    pub fn page(&self) -> Answer {
        let page = Page {
            posts: self.library.draw_page(),
        };
        answer::or_error(page.render().map(answer::html).map_err(Into::into))
    }

    pub fn file(&self, path: &str) -> Answer {
        match self.files.get(path) {
            Some(File { kind, content }) => answer::file(kind, content.clone()),
            None => answer::not_found(),
        }
    }
}

/// Reads the files below `folder`, which are served below `path`.
fn read_files(
    folder: &Path,
    path: &str,
    files: &mut HashMap<String, File>,
) -> Result<(), Box<dyn Error>> {
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
