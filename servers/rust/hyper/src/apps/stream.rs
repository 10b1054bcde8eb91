use futures_util::stream;
use hyper::body::{Bytes, Incoming};
use hyper::{Request, StatusCode};

use crate::answer::{self, Answer, parameters};
use crate::pieces::Wanted;

pub fn send(request: &Request<Incoming>) -> Answer {
    match parameters::<Wanted>(request).filter(Wanted::is_right) {
        Some(wanted) => {
            let pieces = stream::iter(wanted.pieces().map(Bytes::from));
            answer::stream("text/plain; charset=utf-8", pieces)
        }
        None => {
            let refused = "n must be 1 to 65536, tag have 18 digits";
            answer::text(StatusCode::BAD_REQUEST, refused)
        }
    }
}
