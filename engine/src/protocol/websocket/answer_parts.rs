//! What the worker is told of an answer: what one receive brought of it.

use super::error::FrameError;
use crate::check::SWITCHING;
use crate::protocol::{AnswerPart, Fields, Malformed, Parts};

/// How far the message that answers has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MessageState {
    /// More of it is to come.
    Partial,
    /// It is complete; the connection is `reusable` unless the server closes.
    Complete { reusable: bool },
    /// What was received is no answer.
    Malformed(FrameError),
}

/// What a receive brought of the message that answers, but for its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MessageUpdate {
    /// Whether nothing was received of the message before.
    pub(super) first: bool,
    pub(super) state: MessageState,
}

/// The parts that one receive brought.
#[derive(Debug)]
pub(crate) struct ReceivedParts<'a> {
    head: Option<AnswerPart<'a>>,
    rest: Option<Result<AnswerPart<'a>, Malformed>>,
}

impl<'a> ReceivedParts<'a> {
    pub(super) fn of(update: MessageUpdate, payload: &'a [u8]) -> ReceivedParts<'a> {
        let head = AnswerPart::Head { status: SWITCHING, fields: Fields::Text(&[]) };
        let rest = match update.state {
            MessageState::Partial => Ok(AnswerPart::Piece(payload)),
            MessageState::Complete { reusable } => {
                Ok(AnswerPart::Last { piece: payload, reusable })
            }
            MessageState::Malformed(error) => Err(Malformed(error.name())),
        };
        ReceivedParts { head: update.first.then_some(head), rest: Some(rest) }
    }
}

impl Parts for ReceivedParts<'_> {
    fn next(&mut self) -> Option<Result<AnswerPart<'_>, Malformed>> {
        self.head.take().map(Ok).or_else(|| self.rest.take())
    }
}
