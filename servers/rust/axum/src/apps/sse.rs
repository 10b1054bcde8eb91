use std::time::Duration;

use axum::extract::Query;
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Error, Router};
use futures_util::{Stream, stream};
use serde::{Deserialize, Serialize};
use tokio::task::yield_now;
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

pub fn router() -> Router {
    Router::new().route("/events", get(push))
}

async fn push(
    Query(wanted): Query<Wanted>,
    headers: HeaderMap,
) -> Result<Response, (StatusCode, &'static str)> {
    let refused = (
        StatusCode::BAD_REQUEST,
        "n must be 1 to 10000, tag have 18 digits",
    );
    let last = last_id(&headers).ok_or(refused)?;
    let right = (1..=MOST).contains(&wanted.n) && wanted.gap <= LONGEST_MS && last <= wanted.n;
    if !right || !is_tag(&wanted.tag) {
        return Err(refused);
    }
    if last == wanted.n {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    Ok(Sse::new(events(last, wanted)).into_response())
}

/// The number of the event that the client has; none where it is no number.
fn last_id(headers: &HeaderMap) -> Option<u32> {
    match headers.get("last-event-id") {
        Some(value) => decimal::parse(value.to_str().ok()?),
        None => Some(0),
    }
}

/// The events after the last one that the client has, each made when its turn has come.
fn events(last: u32, wanted: Wanted) -> impl Stream<Item = Result<Event, Error>> {
    let gap = Duration::from_millis(wanted.gap);
    stream::unfold((last, wanted), move |(number, wanted)| async move {
        if number == wanted.n {
            return None;
        }
        if number > last {
            if gap.is_zero() {
                // Hyper writes to the socket only when the stream is pending.
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
        let event = Event::default().id(number.to_string()).json_data(pushed);
        Some((event, (number, wanted)))
    })
}
