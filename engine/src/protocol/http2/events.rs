//! What the worker is told of a stream, one event and one part of an answer at a time.

use crate::protocol::{AnswerPart, Malformed, Parts};
use crate::reactor::Failure;

/// The one part that came in.
#[derive(Debug)]
pub(crate) struct SinglePart<'a>(Option<AnswerPart<'a>>);

impl<'a> SinglePart<'a> {
    pub(super) fn of(part: AnswerPart<'a>) -> SinglePart<'a> {
        SinglePart(Some(part))
    }
}

impl Parts for SinglePart<'_> {
    fn next(&mut self) -> Option<Result<AnswerPart<'_>, Malformed>> {
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
