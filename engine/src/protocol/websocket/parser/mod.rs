//! The state machine of a server's frames (section 5).

mod header;

use super::error::FrameError;
use super::opcode::Opcode;
use super::utf8::Utf8;
use crate::check::LONGEST_CHECKED;
use header::{Frame, Header, LONGEST_CONTROL};

/// The longest message that is read, in bytes.
const LONGEST: u64 = LONGEST_CHECKED as u64;

/// Which kind of data a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// UTF-8.
    Text,
    /// Any bytes.
    Binary,
}

/// What the bytes given to the parser led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameEvent {
    /// All bytes are used up, and nothing more is whole.
    NeedMore,
    /// A piece of a message: this range of the bytes just given, perhaps empty where it is the last.
    Piece {
        /// Of the message.
        kind: Kind,
        /// First byte.
        start: usize,
        /// One past the last byte.
        end: usize,
        /// Whether the message is whole with it.
        last: bool,
    },
    /// A ping; [`FrameParser::control`] has its payload, which a pong must send back.
    Ping,
    /// A pong.
    Pong,
    /// The server closes, for a reason of this number if it gave one. Nothing may follow.
    Close(Option<u16>),
}

/// An event, and how many of the given bytes are done with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// Bytes of the input that need not be given again.
    pub consumed: usize,
    /// What they were.
    pub event: FrameEvent,
}

/// What the next byte belongs to.
///
/// | from | when | to |
/// |---|---|---|
/// | `Header` | the header of a frame with data is whole | `Data` |
/// | `Header` | that of a ping, pong or close is | `Control` |
/// | `Data`, `Control` | the payload is whole | `Header` |
/// | any | what came breaks the protocol | `Failed` |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FrameState {
    Header,
    /// So many bytes of the payload are to come, of a message that is whole with them if `fin`.
    Data {
        left: u64,
        fin: bool,
    },
    Control {
        opcode: Opcode,
        length: usize,
    },
    Failed(FrameError),
}

/// Reads the frames of one connection.
#[derive(Debug)]
pub struct FrameParser {
    state: FrameState,
    header: Header,
    /// The message that has begun, and its bytes so far.
    message: Option<(Kind, u64)>,
    utf8: Utf8,
    control: [u8; LONGEST_CONTROL],
    /// Bytes of the control frame that have come.
    controlled: usize,
}

impl Default for FrameParser {
    fn default() -> FrameParser {
        FrameParser {
            state: FrameState::Header,
            header: Header::default(),
            message: None,
            utf8: Utf8::default(),
            control: [0; LONGEST_CONTROL],
            controlled: 0,
        }
    }
}

impl FrameParser {
    /// The payload of a ping, pong or close, right after its event.
    pub fn control(&self) -> &[u8] {
        &self.control[..self.controlled]
    }

    /// Whether a message has begun that is not whole.
    pub fn is_within_message(&self) -> bool {
        self.message.is_some()
    }

    /// Reads up to the next event.
    ///
    /// # Errors
    /// The first way in which the frames break the protocol.
    pub fn advance(&mut self, input: &[u8]) -> Result<Step, FrameError> {
        let step = self.read(input);
        if let Err(error) = step {
            self.state = FrameState::Failed(error);
        }
        step
    }

    fn read(&mut self, input: &[u8]) -> Result<Step, FrameError> {
        let mut consumed = 0;
        loop {
            let rest = &input[consumed..];
            match self.state {
                FrameState::Failed(error) => return Err(error),
                FrameState::Header => {
                    let (taken, frame) = self.header.read(rest, self.message.is_some())?;
                    consumed += taken;
                    match frame {
                        Some(frame) => self.begin(frame)?,
                        None => return Ok(Step { consumed, event: FrameEvent::NeedMore }),
                    }
                }
                FrameState::Data { left, fin } => {
                    let length = usize::try_from(left).unwrap_or(usize::MAX).min(rest.len());
                    if length == 0 && left > 0 {
                        return Ok(Step { consumed, event: FrameEvent::NeedMore });
                    }
                    if let Some(event) = self.read_data(&rest[..length], left, fin, consumed)? {
                        return Ok(Step { consumed: consumed + length, event });
                    }
                    consumed += length;
                }
                FrameState::Control { opcode, length } => {
                    let lacking = length - self.controlled;
                    let piece = &rest[..lacking.min(rest.len())];
                    self.control[self.controlled..][..piece.len()].copy_from_slice(piece);
                    self.controlled += piece.len();
                    consumed += piece.len();
                    if self.controlled < length {
                        return Ok(Step { consumed, event: FrameEvent::NeedMore });
                    }
                    self.state = FrameState::Header;
                    let event = match opcode {
                        Opcode::Ping => FrameEvent::Ping,
                        Opcode::Pong => FrameEvent::Pong,
                        _ => FrameEvent::Close(close_code(self.control())?),
                    };
                    return Ok(Step { consumed, event });
                }
            }
        }
    }

    /// The header of a frame is whole: its payload comes next.
    fn begin(&mut self, frame: Frame) -> Result<(), FrameError> {
        let Frame { fin, opcode, length } = frame;
        let (kind, before) = match (opcode, self.message) {
            (Opcode::Text, _) => (Kind::Text, 0),
            (Opcode::Binary, _) => (Kind::Binary, 0),
            (Opcode::Continuation, Some(message)) => message,
            (Opcode::Continuation, None) => return Err(FrameError::LoneContinuation),
            (Opcode::Close | Opcode::Ping | Opcode::Pong, _) => {
                self.controlled = 0;
                self.state = FrameState::Control { opcode, length: length as usize };
                return Ok(());
            }
        };
        if before + length > LONGEST {
            return Err(FrameError::TooLong);
        }
        self.message = Some((kind, before + length));
        self.state = FrameState::Data { left: length, fin };
        Ok(())
    }

    /// A piece of a frame's payload, which stands at `start` of the input; no event if it is empty and
    /// ends nothing.
    fn read_data(
        &mut self,
        piece: &[u8],
        left: u64,
        fin: bool,
        start: usize,
    ) -> Result<Option<FrameEvent>, FrameError> {
        let Some((kind, _)) = self.message else { return Err(FrameError::LoneContinuation) };
        let left = left - piece.len() as u64;
        let last = fin && left == 0;
        let is_right =
            kind == Kind::Binary || (self.utf8.goes_on(piece) && (!last || self.utf8.ends()));
        if !is_right {
            return Err(FrameError::NotUtf8);
        }
        self.state = if left > 0 { FrameState::Data { left, fin } } else { FrameState::Header };
        if last {
            self.message = None;
        }
        let event = FrameEvent::Piece { kind, start, end: start + piece.len(), last };
        Ok((last || !piece.is_empty()).then_some(event))
    }
}

/// The code of a close's payload, which may be empty (sections 5.5.1 and 7.4).
fn close_code(payload: &[u8]) -> Result<Option<u16>, FrameError> {
    let Some((code, reason)) = payload.split_first_chunk::<2>() else {
        return if payload.is_empty() { Ok(None) } else { Err(FrameError::BadClose) };
    };
    let code = u16::from_be_bytes(*code);
    if !matches!(code, 1000..=1003 | 1007..=1014 | 3000..=4999) {
        return Err(FrameError::BadClose);
    }
    match str::from_utf8(reason) {
        Ok(_) => Ok(Some(code)),
        Err(_) => Err(FrameError::NotUtf8),
    }
}

#[cfg(test)]
mod tests;
