//! What the worker is told of an answer: what one receive brought of it.

use super::error::FrameError;
use crate::check::SWITCHING;
use crate::protocol::{AnswerPart, Fields, Malformed, Parts};

/// How an answer stands after a receive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// More of it is to come.
    Going,
    /// It is whole; `reusable` unless the server closes.
    Whole { reusable: bool },
    /// What came is no answer.
    Broken(FrameError),
}

/// What came of an answer, as far as it borrows nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Came {
    /// Whether it is the first that came of it.
    pub(super) first: bool,
    pub(super) standing: Standing,
}

/// The parts that came in with one receive.
#[derive(Debug)]
pub(crate) struct ReceivedParts<'a> {
    head: Option<AnswerPart<'a>>,
    rest: Option<Result<AnswerPart<'a>, Malformed>>,
}

impl<'a> ReceivedParts<'a> {
    pub(super) fn of(came: Came, payload: &'a [u8]) -> ReceivedParts<'a> {
        let head = AnswerPart::Head { status: SWITCHING, fields: Fields::Text(&[]) };
        let rest = match came.standing {
            Standing::Going => Ok(AnswerPart::Piece(payload)),
            Standing::Whole { reusable } => Ok(AnswerPart::Last { piece: payload, reusable }),
            Standing::Broken(error) => Err(Malformed(error.name())),
        };
        ReceivedParts { head: came.first.then_some(head), rest: Some(rest) }
    }
}

impl Parts for ReceivedParts<'_> {
    fn next(&mut self) -> Option<Result<AnswerPart<'_>, Malformed>> {
        self.head.take().map(Ok).or_else(|| self.rest.take())
    }
}
