use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ntex::service::boxed::{self, BoxService};
use ntex::web::types::Json;
use ntex::web::{self, DefaultError, Responder, ServiceConfig, WebRequest, WebResponse};
use ntex::{Middleware, Service, ServiceCtx, SharedCfg, forward_poll, forward_shutdown};
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
        let route = |path| web::resource(path).middleware(Counting { number });
        config
            .service(route("/hello").route(web::get().to(hello)))
            .service(route("/passed").route(web::get().to(passed)));
    }))
}

async fn hello() -> impl Responder {
    REQUESTS.fetch_add(1, Ordering::Relaxed);
    "Hello World"
}

async fn passed() -> impl Responder {
    Json(Tally {
        requests: REQUESTS.fetch_add(1, Ordering::Relaxed) + 1,
        passed: PASSED.load(Ordering::Relaxed),
    })
}

/// As many middlewares as `number` says, each in a box: each that is mounted by itself makes
/// another type, and the number is known at the start only.
struct Counting {
    number: usize,
}

type Boxed = BoxService<WebRequest<DefaultError>, WebResponse, web::Error>;

impl<S> Middleware<S, SharedCfg> for Counting
where
    S: Service<WebRequest<DefaultError>, Response = WebResponse, Error = web::Error> + 'static,
{
    type Service = Boxed;

    fn create(&self, routes: S, _: SharedCfg) -> Boxed {
        (0..self.number).fold(boxed::service(routes), |next, _| {
            boxed::service(CountingService { next })
        })
    }
}

/// Counts a request and lets it pass.
struct CountingService {
    next: Boxed,
}

impl Service<WebRequest<DefaultError>> for CountingService {
    type Response = WebResponse;
    type Error = web::Error;

    // `ready` is left to `ctx.call`, which waits for the next service: to ask it here as well would
    // have each middleware ask all that are behind it.
    forward_poll!(next);
    forward_shutdown!(next);

    async fn call(
        &self,
        request: WebRequest<DefaultError>,
        ctx: ServiceCtx<'_, Self>,
    ) -> Result<WebResponse, web::Error> {
        PASSED.fetch_add(1, Ordering::Relaxed);
        ctx.call(&self.next, request).await
    }
}
