use std::convert::Infallible;

use actix_web::error::ErrorBadRequest;
use actix_web::http::header::ContentType;
use actix_web::web::{Bytes, Query, ServiceConfig};
use actix_web::{HttpResponse, Responder, get};
use futures_util::stream;

use crate::pieces::Wanted;

pub fn mount(config: &mut ServiceConfig) {
    config.service(send);
}

#[get("/stream")]
async fn send(Query(wanted): Query<Wanted>) -> actix_web::Result<impl Responder> {
    if !wanted.is_right() {
        return Err(ErrorBadRequest("n must be 1 to 65536, tag have 18 digits"));
    }
    let pieces = wanted
        .pieces()
        .map(|piece| Ok::<_, Infallible>(Bytes::from(piece)));
    Ok(HttpResponse::Ok()
        .content_type(ContentType::plaintext())
        .streaming(stream::iter(pieces)))
}
