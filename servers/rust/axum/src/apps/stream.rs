use std::convert::Infallible;

use axum::Router;
use axum::body::Body;
use axum::extract::Query;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use futures_util::stream;

use crate::pieces::Wanted;

pub fn router() -> Router {
    Router::new().route("/stream", get(send))
}

async fn send(Query(wanted): Query<Wanted>) -> Response {
    if !wanted.is_right() {
        let refused = "n must be 1 to 65536, tag have 18 digits";
        return (StatusCode::BAD_REQUEST, refused).into_response();
    }
    let body = Body::from_stream(stream::iter(wanted.pieces().map(Ok::<_, Infallible>)));
    ([(CONTENT_TYPE, "text/plain; charset=utf-8")], body).into_response()
}
