//! Answers, and what is read off a request.

use std::borrow::Cow;
use std::convert::Infallible;
use std::error::Error;

use futures_util::{Stream, StreamExt};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Either, Full, StreamBody};
use hyper::body::{Bytes, Frame, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::{Request, Response, StatusCode};
use serde::Serialize;
use serde::de::DeserializeOwned;

pub type Answer = Response<Body>;

/// What is there in full, or made while it is sent.
pub type Body = Either<Full<Bytes>, UnsyncBoxBody<Bytes, Infallible>>;

/// Plain text.
pub fn text(status: StatusCode, body: impl Into<Bytes>) -> Answer {
    answer(status, "text/plain; charset=utf-8", body)
}

/// A page.
pub fn html(body: String) -> Answer {
    answer(StatusCode::OK, "text/html; charset=utf-8", body)
}

/// What is in a file.
pub fn file(kind: &'static str, content: Bytes) -> Answer {
    answer(StatusCode::OK, kind, content)
}

/// A value as JSON.
pub fn json(value: &impl Serialize) -> Answer {
    let body = serde_json::to_vec(value).expect("what we answer can be written as JSON");
    answer(StatusCode::OK, "application/json", body)
}

/// Pieces, each of which is made when the connection can take it.
pub fn stream(kind: &'static str, pieces: impl Stream<Item = Bytes> + Send + 'static) -> Answer {
    let frames = pieces.map(|piece| Ok(Frame::data(piece)));
    of(kind, Either::Right(StreamBody::new(frames).boxed_unsync()))
}

/// Nothing, which is all there is.
pub fn no_content() -> Answer {
    let mut response = Response::new(Either::Left(Full::default()));
    *response.status_mut() = StatusCode::NO_CONTENT;
    response
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

/// All parameters of a request's query; none where one is missing or wrong.
pub fn parameters<T: DeserializeOwned>(request: &Request<Incoming>) -> Option<T> {
    serde_urlencoded::from_str(request.uri().query()?).ok()
}

fn answer(status: StatusCode, kind: &'static str, body: impl Into<Bytes>) -> Answer {
    let mut response = of(kind, Either::Left(Full::new(body.into())));
    *response.status_mut() = status;
    response
}

fn of(kind: &'static str, body: Body) -> Answer {
    let mut response = Response::new(body);
    let kind = HeaderValue::from_static(kind);
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}
