//! The posts and images that the blog draws its pages from.

use std::error::Error;
use std::fs;
use std::path::Path;

use rand::seq::IndexedRandom;
use serde::Deserialize;
use serde::de::DeserializeOwned;

const POSTS_PER_PAGE: usize = 5;

#[derive(Deserialize)]
pub struct Post {
    pub title: String,
    pub paragraphs: Vec<String>,
}

#[derive(Deserialize)]
pub struct Image {
    pub file: String,
    pub alt: String,
}

pub struct Library {
    posts: Vec<Post>,
    images: Vec<Image>,
}

impl Library {
    /// Reads posts.json and images.json in `folder`.
    pub fn load(folder: &Path) -> Result<Self, Box<dyn Error>> {
        let posts: Vec<Post> = read_json(&folder.join("posts.json"))?;
        let images: Vec<Image> = read_json(&folder.join("images.json"))?;
        if posts.len() < POSTS_PER_PAGE || images.is_empty() {
            return Err(format!(
                "{} holds {} posts and {} images: a page needs {POSTS_PER_PAGE} posts and an image",
                folder.display(),
                posts.len(),
                images.len(),
            )
            .into());
        }
        Ok(Self { posts, images })
    }

    /// Draws different posts in random order, each with an image drawn on its own.
    pub fn draw_page(&self) -> Vec<(&Post, &Image)> {
        let mut rng = rand::rng();
        let posts: Vec<&Post> = self.posts.sample(&mut rng, POSTS_PER_PAGE).collect();
        posts
            .into_iter()
            .zip(std::iter::repeat_with(|| {
                self.images
                    .choose(&mut rng)
                    .expect("images are never empty")
            }))
            .collect()
    }
}

fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, Box<dyn Error>> {
    let text = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let value =
        serde_json::from_slice(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(value)
}
