use std::convert::Infallible;
use std::error::Error;
use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use hyper::body::Incoming;
use hyper::service::{Service, service_fn};
use hyper::{Method, Request, StatusCode};
use serde::Serialize;

use crate::answer::{self, Answer};
use crate::environment;

static REQUESTS: AtomicU64 = AtomicU64::new(0);
static PASSED: AtomicU64 = AtomicU64::new(0);

#[derive(Serialize)]
struct Tally {
    requests: u64,
    passed: u64,
}

type Answering = BoxFuture<'static, Result<Answer, Infallible>>;

/// A service in a box: each that is around another makes another type, and how many there are is
/// known at the start only.
pub type Layered = Box<
    dyn Service<Request<Incoming>, Response = Answer, Error = Infallible, Future = Answering>
        + Send
        + Sync,
>;

/// The routes, behind as many middlewares as are asked for.
pub fn load() -> Result<Layered, Box<dyn Error>> {
    let wanted = environment::text("WEBDYNO_MIDDLEWARE")?;
    let number: usize = wanted.parse().map_err(|_| {
        format!("WEBDYNO_MIDDLEWARE is {wanted:?}: set it to a number of 0 or more")
    })?;
    let routes: Layered = Box::new(service_fn(|request| route(request).boxed()));
    Ok((0..number).fold(routes, |next, _| Box::new(Counting { next })))
}

/// Counts a request and lets it pass.
struct Counting {
    next: Layered,
}

impl Service<Request<Incoming>> for Counting {
    type Response = Answer;
    type Error = Infallible;
    type Future = Answering;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        PASSED.fetch_add(1, Ordering::Relaxed);
        self.next.call(request)
    }
}

async fn route(request: Request<Incoming>) -> Result<Answer, Infallible> {
    Ok(match (request.method(), request.uri().path()) {
        (&Method::GET, "/hello") => hello(),
        (&Method::GET, "/passed") => passed(),
        _ => answer::not_found(),
    })
}

fn hello() -> Answer {
    REQUESTS.fetch_add(1, Ordering::Relaxed);
    answer::text(StatusCode::OK, "Hello World")
}

fn passed() -> Answer {
    answer::json(&Tally {
        requests: REQUESTS.fetch_add(1, Ordering::Relaxed) + 1,
        passed: PASSED.load(Ordering::Relaxed),
    })
}
