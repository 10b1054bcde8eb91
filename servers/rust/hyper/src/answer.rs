//! Answers, and what is read off a request.

use std::borrow::Cow;
use std::error::Error;

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::{Request, Response, StatusCode};
use serde::Serialize;

pub type Answer = Response<Full<Bytes>>;

/// Plain text.
pub fn text(status: StatusCode, body: impl Into<Bytes>) -> Answer {
    answer(status, "text/plain; charset=utf-8", body)
}

/// A page.
pub fn html(body: String) -> Answer {
    answer(StatusCode::OK, "text/html; charset=utf-8", body)
}

/// A value as JSON.
pub fn json(value: &impl Serialize) -> Answer {
    let body = serde_json::to_vec(value).expect("what we answer can be written as JSON");
    answer(StatusCode::OK, "application/json", body)
}

pub fn not_found() -> Answer {
    text(StatusCode::NOT_FOUND, "Not Found")
}

/// The answer of `found`, or a 500 whose reason is logged.
pub fn or_error(found: Result<Answer, Box<dyn Error>>) -> Answer {
    found.unwrap_or_else(|error| {
        eprintln!("server: {error}");
        text(StatusCode::INTERNAL_SERVER_ERROR, "Internal Server Error")
    })
}

/// The parameter `name` of a request's query.
pub fn parameter<'a>(request: &'a Request<Incoming>, name: &str) -> Option<Cow<'a, str>> {
    let query = request.uri().query()?;
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    pairs.find(|(key, _)| key == name).map(|(_, value)| value)
}

fn answer(status: StatusCode, kind: &'static str, body: impl Into<Bytes>) -> Answer {
    let mut response = Response::new(Full::new(body.into()));
    *response.status_mut() = status;
    let kind = HeaderValue::from_static(kind);
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}
