//! The state machine of an answer.

use super::ParseError;
use super::chunked::Chunked;
use super::event::{AnswerEvent, Step};
use super::head::{self, Head, Headers};
use super::split::SplitHead;
use crate::protocol::HEAD_BYTES;

/// Interim answers before a final one; no server has use for more.
const INTERIM_LIMIT: u8 = 32;

/// What an answer may cost before it is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a head, and of all trailers together.
    pub head_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { head_bytes: HEAD_BYTES }
    }
}

/// What of an answer the next byte belongs to.
///
/// | from | when | to |
/// |---|---|---|
/// | `Idle` | a request was sent | `Head` |
/// | `Head` | an interim head (1xx) is whole | `Head` |
/// | `Head` | the head is whole | `Length`, `Chunked` or `UntilClose`, as it says |
/// | `Length`, `Chunked` | the body is whole | `Idle` |
/// | `UntilClose` | the connection ended | `Idle` |
/// | any | what came breaks the protocol | `Failed` |
/// | `Failed` | a request was sent | `Head` |
/// | any | the connection is new | `Idle` |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AnswerState {
    /// No answer is expected.
    Idle,
    Head,
    Length(u64),
    Chunked(Chunked),
    UntilClose,
    Failed(ParseError),
}

/// Where the head that was parsed last stands.
#[derive(Debug, Clone, Copy)]
enum Place {
    /// In the input of the `advance` that returned [`AnswerEvent::Head`].
    Input { start: usize, end: usize },
    /// In the parser's own buffer, because it came in pieces.
    Buffer,
}

/// Reads answers, one after the other, from bytes in any pieces.
///
/// For each answer: [`begin`](Self::begin), then [`advance`](Self::advance) with what was read,
/// again with what that left over, until [`AnswerEvent::Complete`] or an error. After an error the
/// connection is of no more use: the same error comes back until `begin`.
#[derive(Debug)]
pub struct ResponseParser {
    state: AnswerState,
    is_head: bool,
    interim: u8,
    head: Head,
    place: Place,
    split: SplitHead,
    limits: Limits,
}

impl ResponseParser {
    /// A parser that expects no answer yet.
    pub fn new(limits: Limits) -> Self {
        Self {
            state: AnswerState::Idle,
            is_head: false,
            interim: 0,
            head: Head::NONE,
            place: Place::Input { start: 0, end: 0 },
            split: SplitHead::default(),
            limits,
        }
    }

    /// Expects an answer; `is_head` if the request was a HEAD, whose answer has no body.
    pub fn begin(&mut self, is_head: bool) {
        self.state = AnswerState::Head;
        self.is_head = is_head;
        self.interim = 0;
        if !self.split.is_empty() {
            self.split.clear();
        }
    }

    /// The head of the answer under way, from [`AnswerEvent::Head`] on.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// The headers, right after [`AnswerEvent::Head`]; `input` is what that `advance` was given.
    ///
    /// They are parsed here and not before, because most answers' headers are never looked at.
    pub fn headers<'a>(&'a self, input: &'a [u8]) -> Headers<'a> {
        Headers::new(self.head_text(input))
    }

    /// The same as one text, status line and empty line included.
    pub(super) fn head_text<'a>(&'a self, input: &'a [u8]) -> &'a [u8] {
        match self.place {
            Place::Input { start, end } => input.get(start..end).unwrap_or_default(),
            Place::Buffer => self.split.bytes(),
        }
    }

    /// Expects no answer: the connection is new.
    pub fn forget(&mut self) {
        self.state = AnswerState::Idle;
        self.split.clear();
    }

    /// Reads up to the next event.
    ///
    /// # Errors
    /// The first way in which the answer breaks the protocol.
    #[inline]
    pub fn advance(&mut self, input: &[u8]) -> Result<Step, ParseError> {
        let step = match &mut self.state {
            AnswerState::Head => self.advance_head(input),
            AnswerState::Length(0) => Ok(Step { consumed: 0, event: AnswerEvent::Complete }),
            AnswerState::Length(_) | AnswerState::UntilClose if input.is_empty() => {
                Ok(Step { consumed: 0, event: AnswerEvent::NeedMore })
            }
            AnswerState::Length(left) => {
                let end = usize::try_from(*left).unwrap_or(usize::MAX).min(input.len());
                *left -= end as u64;
                Ok(Step { consumed: end, event: AnswerEvent::Body { start: 0, end } })
            }
            AnswerState::UntilClose => {
                let end = input.len();
                Ok(Step { consumed: end, event: AnswerEvent::Body { start: 0, end } })
            }
            AnswerState::Chunked(chunked) => chunked.advance(input, self.limits.head_bytes),
            AnswerState::Idle if input.is_empty() => {
                Ok(Step { consumed: 0, event: AnswerEvent::NeedMore })
            }
            AnswerState::Idle => Err(ParseError::Unsolicited),
            AnswerState::Failed(error) => Err(*error),
        };
        match step {
            Ok(Step { event: AnswerEvent::Complete, .. }) => self.state = AnswerState::Idle,
            Ok(_) => {}
            Err(error) => self.state = AnswerState::Failed(error),
        }
        step
    }

    /// The peer closed its side. `Ok(true)` if that completes the answer (or it was complete but
    /// for the event), `Ok(false)` if none had begun.
    ///
    /// # Errors
    /// The answer was cut off, or had failed before.
    pub fn eof(&mut self) -> Result<bool, ParseError> {
        let outcome = match self.state {
            AnswerState::Idle => Ok(false),
            AnswerState::Head if self.split.is_empty() && self.interim == 0 => Ok(false),
            AnswerState::Head => Err(ParseError::TruncatedHead),
            AnswerState::Length(0) | AnswerState::UntilClose => Ok(true),
            AnswerState::Length(_) => Err(ParseError::TruncatedBody),
            AnswerState::Chunked(_) => Err(ParseError::TruncatedChunks),
            AnswerState::Failed(error) => Err(error),
        };
        match outcome {
            Ok(true) => self.state = AnswerState::Idle,
            Ok(false) => {}
            Err(error) => self.state = AnswerState::Failed(error),
        }
        outcome
    }

    fn advance_head(&mut self, input: &[u8]) -> Result<Step, ParseError> {
        let mut consumed = 0;
        loop {
            let rest = &input[consumed..];
            let Some((length, head)) = self.read_head(rest, consumed)? else {
                return Ok(Step { consumed: input.len(), event: AnswerEvent::NeedMore });
            };
            consumed += length;
            if head.status >= 200 {
                self.head = head;
                self.frame();
                return Ok(Step { consumed, event: AnswerEvent::Head });
            }
            if head.status == 101 {
                return Err(ParseError::UnexpectedUpgrade);
            }
            self.interim += 1;
            if self.interim > INTERIM_LIMIT {
                return Err(ParseError::TooManyInterim);
            }
            self.split.clear();
        }
    }

    /// A whole head at the start of `rest`, which is read in place wherever that can be.
    fn read_head(
        &mut self,
        rest: &[u8],
        offset: usize,
    ) -> Result<Option<(usize, Head)>, ParseError> {
        let limit = self.limits.head_bytes;
        if self.split.is_empty() {
            let within = &rest[..rest.len().min(limit)];
            if let Some((length, head)) = head::parse(within)? {
                self.place = Place::Input { start: offset, end: offset + length };
                return Ok(Some((length, head)));
            }
            if rest.is_empty() {
                return Ok(None);
            }
        }
        self.place = Place::Buffer;
        self.split.add(rest, limit)
    }

    /// What follows the head (RFC 9112, section 6.3).
    fn frame(&mut self) {
        self.state = if self.is_head || matches!(self.head.status, 204 | 304) {
            AnswerState::Length(0)
        } else if self.head.chunked {
            AnswerState::Chunked(Chunked::START)
        } else if let Some(length) = self.head.content_length {
            AnswerState::Length(length)
        } else {
            self.head.keep_alive = false;
            AnswerState::UntilClose
        };
    }
}
