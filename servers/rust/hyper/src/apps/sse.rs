use std::time::Duration;

use futures_util::{Stream, stream};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CACHE_CONTROL, HeaderValue};
use hyper::{HeaderMap, Request, StatusCode};
use serde::{Deserialize, Serialize};
use tokio::task::yield_now;
use tokio::time::sleep;

use crate::answer::{self, Answer, parameters};
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

pub fn push(request: &Request<Incoming>) -> Answer {
    let Some((last, wanted)) = asked(request) else {
        let refused = "n must be 1 to 10000, tag have 18 digits";
        return answer::text(StatusCode::BAD_REQUEST, refused);
    };
    if last == wanted.n {
        return answer::no_content();
    }
    let mut answer = answer::stream("text/event-stream", events(last, wanted));
    let kept = HeaderValue::from_static("no-cache");
    answer.headers_mut().insert(CACHE_CONTROL, kept);
    answer
}

/// The last event that the client has, and what it wants; none where the request is not right.
fn asked(request: &Request<Incoming>) -> Option<(u32, Wanted)> {
    let wanted: Wanted = parameters(request)?;
    let last = last_id(request.headers())?;
    let right = (1..=MOST).contains(&wanted.n) && wanted.gap <= LONGEST_MS && last <= wanted.n;
    (right && is_tag(&wanted.tag)).then_some((last, wanted))
}

/// The number of the event that the client has; none where it is no number.
fn last_id(headers: &HeaderMap) -> Option<u32> {
    match headers.get("last-event-id") {
        Some(value) => decimal::parse(value.to_str().ok()?),
        None => Some(0),
    }
}

/// The events after the last one that the client has, each made when its turn has come.
fn events(last: u32, wanted: Wanted) -> impl Stream<Item = Bytes> {
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
        let data = serde_json::to_string(&pushed).expect("an event can be written as JSON");
        let event = format!("id: {number}\ndata: {data}\n\n");
        Some((event.into(), (number, wanted)))
    })
}
