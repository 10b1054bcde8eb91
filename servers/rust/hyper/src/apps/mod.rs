//! One application for each scenario; a process loads its own only.

mod blog;
mod database;
mod json;
mod middleware;
mod page;
mod point_lookup;
mod posts;
mod session_counter;
mod sha256;
mod sse;
mod stream;
mod upload;
mod websocket_echo;

use std::error::Error;
use std::path::PathBuf;

use deadpool_postgres::Pool;
use hyper::body::Incoming;
use hyper::service::Service;
use hyper::{Method, Request, StatusCode};

use crate::answer::{self, Answer};
use crate::environment;
use crate::world_cache::WorldCache;
use blog::Blog;
use middleware::Layered;
use point_lookup::Lookup;
use session_counter::Counter;

/// What a scenario needs while it runs.
pub enum App {
    Hello,
    Middleware(Layered),
    Json,
    Blog(Blog),
    Sha256(PathBuf),
    Page(Pool),
    PointLookup(Lookup),
    Queries(Pool),
    Updates(Pool),
    Fortunes(Pool),
    SessionCounter(Counter),
    Cached(WorldCache),
    Upload,
    Stream,
    Sse,
    WebSocketEcho,
}

/// Loads the application of `scenario`.
pub fn load(scenario: &str) -> Result<App, Box<dyn Error>> {
    match scenario {
        "hello" => Ok(App::Hello),
        "middleware" => Ok(App::Middleware(middleware::load()?)),
        "json" => Ok(App::Json),
        "blog" => Ok(App::Blog(Blog::load()?)),
        "sha256" => Ok(App::Sha256(environment::path("WEBDYNO_FILE")?)),
        "page" => Ok(App::Page(crate::database::pool()?)),
        "point-lookup" => Ok(App::PointLookup(Lookup::connect()?)),
        "queries" => Ok(App::Queries(crate::database::pool()?)),
        "updates" => Ok(App::Updates(crate::database::pool()?)),
        "fortunes" => Ok(App::Fortunes(crate::database::pool()?)),
        "session-counter" => Ok(App::SessionCounter(Counter::open()?)),
        "cached" => Ok(App::Cached(WorldCache::open()?)),
        "upload" => Ok(App::Upload),
        "stream" => Ok(App::Stream),
        "sse" => Ok(App::Sse),
        "websocket-echo" => Ok(App::WebSocketEcho),
        unknown => Err(format!(
            "unknown WEBDYNO_SCENARIO {unknown:?}: set it to one of blog, cached, fortunes, hello, json, middleware, page, point-lookup, queries, session-counter, sha256, sse, stream, updates, upload, websocket-echo"
        )
        .into()),
    }
}

impl App {
    /// The answer to a request.
    pub async fn answer(&self, request: Request<Incoming>) -> Answer {
        match (self, request.method(), request.uri().path()) {
            (App::Hello, &Method::GET, "/hello") => answer::text(StatusCode::OK, "Hello World"),
            (App::Middleware(layered), _, _) => {
                let Ok(answer) = layered.call(request).await;
                answer
            }
            (App::Json, &Method::GET, "/json") => json::numbers(),
            (App::Blog(blog), &Method::GET, "/blog") => blog.page(),
            (App::Blog(blog), &Method::GET, path) => blog.file(path),
            (App::Sha256(file), &Method::GET, "/benchmark") => {
                sha256::benchmark(file, &request).await
            }
            (App::Page(pool), &Method::GET, "/page") => page::page(pool).await,
            (App::PointLookup(lookup), &Method::GET, "/sku") => lookup.sku(&request).await,
            (App::Queries(pool), &Method::GET, "/queries") => {
                database::queries(pool, &request).await
            }
            (App::Updates(pool), &Method::POST, "/updates") => {
                database::updates(pool, &request).await
            }
            (App::Fortunes(pool), &Method::GET, "/fortunes") => {
                database::fortunes(pool, &request).await
            }
            (App::SessionCounter(counter), &Method::GET, "/") => counter.visit(&request).await,
            (App::Cached(cache), &Method::GET, "/cached") => {
                database::cached(cache, &request).await
            }
            (App::Upload, &Method::POST, "/upload") => upload::upload(request.into_body()).await,
            (App::Stream, &Method::GET, "/stream") => stream::send(&request),
            (App::Sse, &Method::GET, "/events") => sse::push(&request),
            (App::WebSocketEcho, &Method::GET, "/ws") => websocket_echo::upgrade(request),
            _ => answer::not_found(),
        }
    }
}
