use std::convert::Infallible;
use std::time::SystemTime;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::Query;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use futures_util::stream;
use serde::Deserialize;

const BYTES: usize = 4096;
const MOST: u32 = 65_536;
const TAG_DIGITS: usize = 18;

#[derive(Deserialize)]
struct Wanted {
    n: u32,
    tag: String,
}

pub fn router() -> Router {
    Router::new().route("/stream", get(send))
}

async fn send(Query(wanted): Query<Wanted>) -> Response {
    if !wanted.is_right() {
        let refused = "n must be 1 to 65536, tag have 18 digits";
        return (StatusCode::BAD_REQUEST, refused).into_response();
    }
    let body = Body::from_stream(stream::iter(wanted.pieces()));
    ([(CONTENT_TYPE, "text/plain; charset=utf-8")], body).into_response()
}

impl Wanted {
    fn is_right(&self) -> bool {
        let whole_tag =
            self.tag.len() == TAG_DIGITS && self.tag.bytes().all(|b| b.is_ascii_digit());
        whole_tag && (1..=MOST).contains(&self.n)
    }

    /// The pieces, each made when the connection can take it.
    fn pieces(self) -> impl Iterator<Item = Result<Bytes, Infallible>> {
        (0..self.n).map(move |number| {
            let mut piece = format!("{number:010} {} {:016} ", self.tag, micros()).into_bytes();
            piece.resize(BYTES - 1, b'.');
            piece.push(b'\n');
            Ok(piece.into())
        })
    }
}

/// The time in microseconds since 1970.
fn micros() -> u128 {
    SystemTime::UNIX_EPOCH
        .elapsed()
        .map_or(0, |since| since.as_micros())
}
