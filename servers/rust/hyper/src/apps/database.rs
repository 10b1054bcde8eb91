use askama::Template;
use deadpool_postgres::Pool;
use hyper::body::Incoming;
use hyper::{Request, StatusCode};

use crate::answer::{self, Answer, parameter};
use crate::rows::{self, Fortune};
use crate::world_cache::WorldCache;

#[derive(Template)]
#[template(path = "fortunes.html")]
struct Page {
    fortunes: Vec<Fortune>,
}

pub async fn queries(pool: &Pool, request: &Request<Incoming>) -> Answer {
    let count = rows::clamped(parameter(request, "n").as_deref());
    let worlds = rows::read_worlds(pool, count).await;
    answer::or_error(worlds.map(|worlds| answer::json(&worlds)))
}

pub async fn cached(cache: &WorldCache, request: &Request<Incoming>) -> Answer {
    let count = rows::clamped(parameter(request, "n").as_deref());
    let worlds = cache.read(count).await;
    answer::or_error(worlds.map(|worlds| answer::json(&worlds)))
}

pub async fn updates(pool: &Pool, request: &Request<Incoming>) -> Answer {
    let count = rows::clamped(parameter(request, "n").as_deref());
    let items = rows::count_items(pool, count).await;
    answer::or_error(items.map(|items| answer::json(&items)))
}

pub async fn fortunes(pool: &Pool, request: &Request<Incoming>) -> Answer {
    let Some(added) = parameter(request, "added").filter(|text| !text.is_empty()) else {
        return answer::text(StatusCode::BAD_REQUEST, "added must be a text");
    };
    let fortunes = rows::read_fortunes(pool, added.into_owned()).await;
    answer::or_error(fortunes.and_then(|fortunes| Ok(answer::html(Page { fortunes }.render()?))))
}
