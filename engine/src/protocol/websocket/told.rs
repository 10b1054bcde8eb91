//! What the worker is told of an answer: what one receive brought of it.

use super::error::FrameError;
use crate::check::SWITCHING;
use crate::protocol::{Fields, Malformed, Part, Parts};

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
pub(crate) struct Told<'a> {
    came: Came,
    payload: &'a [u8],
    done: bool,
}

impl<'a> Told<'a> {
    pub(super) fn of(came: Came, payload: &'a [u8]) -> Told<'a> {
        Told { came, payload, done: false }
    }
}

impl Parts for Told<'_> {
    fn next(&mut self) -> Option<Result<Part<'_>, Malformed>> {
        if let Standing::Broken(error) = self.came.standing {
            return Some(Err(Malformed(error.name())));
        }
        if std::mem::take(&mut self.came.first) {
            return Some(Ok(Part::Head { status: SWITCHING, fields: Fields::Text(&[]) }));
        }
        if std::mem::replace(&mut self.done, true) {
            return None;
        }
        Some(Ok(match self.came.standing {
            Standing::Whole { reusable } => Part::Last { piece: self.payload, reusable },
            _ => Part::Piece(self.payload),
        }))
    }
}
