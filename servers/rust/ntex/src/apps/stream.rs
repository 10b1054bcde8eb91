use std::convert::Infallible;

use futures_util::stream;
use ntex::util::Bytes;
use ntex::web::error::ErrorBadRequest;
use ntex::web::types::Query;
use ntex::web::{self, HttpResponse, ServiceConfig};

use crate::pieces::Wanted;

pub fn mount(config: &mut ServiceConfig) {
    config.service(send);
}

#[web::get("/stream")]
async fn send(wanted: Query<Wanted>) -> Result<HttpResponse, web::Error> {
    let wanted = wanted.into_inner();
    if !wanted.is_right() {
        return Err(ErrorBadRequest("n must be 1 to 65536, tag have 18 digits").into());
    }
    let pieces = wanted
        .pieces()
        .map(|piece| Ok::<_, Infallible>(Bytes::from(piece)));
    Ok(HttpResponse::Ok()
        .content_type("text/plain; charset=utf-8")
        .streaming(stream::iter(pieces)))
}
