//! What the worker is told of a stream, one event and one part of an answer at a time.

use crate::protocol::{Malformed, Part, Parts};
use crate::reactor::Failure;

/// The one part that came in.
#[derive(Debug)]
pub(crate) struct Only<'a>(Option<Part<'a>>);

impl<'a> Only<'a> {
    pub(super) fn of(part: Part<'a>) -> Only<'a> {
        Only(Some(part))
    }
}

impl Parts for Only<'_> {
    fn next(&mut self) -> Option<Result<Part<'_>, Malformed>> {
        self.0.take().map(Ok)
    }
}

/// An event, as far as it borrows nothing.
#[derive(Debug)]
pub(super) enum Next {
    Connected,
    ConnectFailed(Failure),
    Closed(Failure),
    Head(u16),
    Piece,
    Last,
}
