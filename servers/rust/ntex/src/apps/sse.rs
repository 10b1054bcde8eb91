use std::time::Duration;

use futures_util::{Stream, stream};
use ntex::http::header::CACHE_CONTROL;
use ntex::task::yield_to;
use ntex::util::Bytes;
use ntex::web::error::ErrorBadRequest;
use ntex::web::types::Query;
use ntex::web::{self, HttpRequest, HttpResponse, ServiceConfig};
use serde::{Deserialize, Serialize};
use tokio::time::sleep;

use crate::decimal;
use crate::stamps::{is_tag, micros};

const MOST: u32 = 10_000;
const LONGEST_MS: u64 = 1000;

#[derive(Deserialize)]
struct Wanted {
    #[serde(deserialize_with = "decimal::deserialize")]
    n: u32,
    tag: String,
    #[serde(default, deserialize_with = "decimal::deserialize")]
    gap: u64,
}

#[derive(Serialize)]
struct Pushed<'a> {
    number: u32,
    tag: &'a str,
    made: u128,
}

pub fn mount(config: &mut ServiceConfig) {
    config.service(push);
}

#[web::get("/events")]
async fn push(wanted: Query<Wanted>, request: HttpRequest) -> Result<HttpResponse, web::Error> {
    let wanted = wanted.into_inner();
    let refused = || ErrorBadRequest("n must be 1 to 10000, tag have 18 digits");
    let last = last_id(&request).ok_or_else(refused)?;
    let right = (1..=MOST).contains(&wanted.n) && wanted.gap <= LONGEST_MS && last <= wanted.n;
    if !right || !is_tag(&wanted.tag) {
        return Err(refused().into());
    }
    if last == wanted.n {
        return Ok(HttpResponse::NoContent().finish());
    }
    Ok(HttpResponse::Ok()
        .content_type("text/event-stream")
        .header(CACHE_CONTROL, "no-cache")
        .streaming(Box::pin(events(last, wanted))))
}

/// The number of the event that the client has; none where it is no number.
fn last_id(request: &HttpRequest) -> Option<u32> {
    match request.headers().get("last-event-id") {
        Some(value) => decimal::parse(value.to_str().ok()?),
        None => Some(0),
    }
}

/// The events after the last one that the client has, each made when its turn has come.
fn events(last: u32, wanted: Wanted) -> impl Stream<Item = serde_json::Result<Bytes>> {
    let gap = Duration::from_millis(wanted.gap);
    stream::unfold((last, wanted), move |(number, wanted)| async move {
        if number == wanted.n {
            return None;
        }
        if number > last {
            if gap.is_zero() {
                // ntex writes to the socket after the task that filled its buffer.
                yield_to().await;
            } else {
                // Not by ntex's own timer, which counts in steps of 16 ms.
                sleep(gap).await;
            }
        }
        let number = number + 1;
        let pushed = Pushed {
            number,
            tag: &wanted.tag,
            made: micros(),
        };
        let event = serde_json::to_string(&pushed)
            .map(|data| format!("id: {number}\ndata: {data}\n\n").into());
        Some((event, (number, wanted)))
    })
}
