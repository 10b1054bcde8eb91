use std::error::Error;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use actix_web::body::BoxBody;
use actix_web::dev::{Service, ServiceRequest, ServiceResponse, Transform};
use actix_web::middleware::{Next, from_fn};
use actix_web::web::{self, Json, ServiceConfig};
use actix_web::{Responder, get};
use futures_util::future::LocalBoxFuture;
use serde::Serialize;

use super::Mount;
use crate::environment;

static REQUESTS: AtomicU64 = AtomicU64::new(0);
static PASSED: AtomicU64 = AtomicU64::new(0);

#[derive(Serialize)]
struct Tally {
    requests: u64,
    passed: u64,
}

pub fn load() -> Result<Mount, Box<dyn Error>> {
    let wanted = environment::text("WEBDYNO_MIDDLEWARE")?;
    let number: usize = wanted.parse().map_err(|_| {
        format!("WEBDYNO_MIDDLEWARE is {wanted:?}: set it to a number of 0 or more")
    })?;
    Ok(Arc::new(move |config: &mut ServiceConfig| {
        let routes = web::scope("");
        if number == 0 {
            config.service(routes.service(hello).service(passed));
        } else {
            let counting = Repeated::new(from_fn(count), number);
            config.service(routes.wrap(counting).service(hello).service(passed));
        }
    }))
}

async fn count(request: ServiceRequest, next: Next<BoxBody>) -> actix_web::Result<ServiceResponse> {
    PASSED.fetch_add(1, Ordering::Relaxed);
    next.call(request).await
}

#[get("/hello")]
async fn hello() -> impl Responder {
    REQUESTS.fetch_add(1, Ordering::Relaxed);
    "Hello World"
}

#[get("/passed")]
async fn passed() -> impl Responder {
    Json(Tally {
        requests: REQUESTS.fetch_add(1, Ordering::Relaxed) + 1,
        passed: PASSED.load(Ordering::Relaxed),
    })
}

/// `wrap`, called as often as `number` says: each call of it makes another type, and the number is
/// known at the start only. What `from_fn` makes has one type, whatever it is wrapped around.
struct Repeated<M> {
    middleware: Rc<M>,
    number: usize,
}

impl<M> Repeated<M> {
    /// `number` is 1 or more.
    fn new(middleware: M, number: usize) -> Self {
        Self {
            middleware: Rc::new(middleware),
            number,
        }
    }
}

impl<S, M, T> Transform<S, ServiceRequest> for Repeated<M>
where
    S: 'static,
    T: Service<ServiceRequest, Response = ServiceResponse, Error = actix_web::Error> + 'static,
    M: Transform<
            S,
            ServiceRequest,
            Response = ServiceResponse,
            Error = actix_web::Error,
            Transform = T,
            InitError = (),
        > + Transform<
            T,
            ServiceRequest,
            Response = ServiceResponse,
            Error = actix_web::Error,
            Transform = T,
            InitError = (),
        > + 'static,
{
    type Response = ServiceResponse;
    type Error = actix_web::Error;
    type Transform = T;
    type InitError = ();
    type Future = LocalBoxFuture<'static, Result<T, ()>>;

    fn new_transform(&self, routes: S) -> Self::Future {
        let middleware = Rc::clone(&self.middleware);
        let number = self.number;
        Box::pin(async move {
            let mut wrapped = middleware.new_transform(routes).await?;
            for _ in 1..number {
                wrapped = middleware.new_transform(wrapped).await?;
            }
            Ok(wrapped)
        })
    }
}
