use std::convert::Infallible;
use std::time::SystemTime;

use actix_web::error::ErrorBadRequest;
use actix_web::http::header::ContentType;
use actix_web::web::{Bytes, Query, ServiceConfig};
use actix_web::{HttpResponse, Responder, get};
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

pub fn mount(config: &mut ServiceConfig) {
    config.service(send);
}

#[get("/stream")]
async fn send(Query(wanted): Query<Wanted>) -> actix_web::Result<impl Responder> {
    if !wanted.is_right() {
        return Err(ErrorBadRequest("n must be 1 to 65536, tag have 18 digits"));
    }
    Ok(HttpResponse::Ok()
        .content_type(ContentType::plaintext())
        .streaming(stream::iter(wanted.pieces())))
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
