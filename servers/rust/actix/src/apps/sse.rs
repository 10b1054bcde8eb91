use std::time::Duration;

use actix_web::error::ErrorBadRequest;
use actix_web::http::header::{CacheControl, CacheDirective};
use actix_web::rt::{task::yield_now, time::sleep};
use actix_web::web::{Bytes, Query, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse, get};
use futures_util::{Stream, stream};
use serde::{Deserialize, Serialize};

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

#[get("/events")]
async fn push(
    Query(wanted): Query<Wanted>,
    request: HttpRequest,
) -> actix_web::Result<HttpResponse> {
    let refused = || ErrorBadRequest("n must be 1 to 10000, tag have 18 digits");
    let last = last_id(&request).ok_or_else(refused)?;
    let right = (1..=MOST).contains(&wanted.n) && wanted.gap <= LONGEST_MS && last <= wanted.n;
    if !right || !is_tag(&wanted.tag) {
        return Err(refused());
    }
    if last == wanted.n {
        return Ok(HttpResponse::NoContent().finish());
    }
    Ok(HttpResponse::Ok()
        .content_type("text/event-stream")
        .insert_header(CacheControl(vec![CacheDirective::NoCache]))
        .streaming(events(last, wanted)))
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
                // Actix writes to the socket only when the stream is pending.
                yield_now().await;
            } else {
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
