//! What can be wrong with a server's frames.

/// A way in which frames break the protocol, or are no answer. Every kind is counted as `malformed`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FrameError {
    /// The frame is masked, which only a client's may be (section 5.1).
    Masked,
    /// A reserved bit is set, though no extension was agreed on (section 5.2).
    ReservedBits,
    /// An opcode without a meaning.
    ReservedOpcode,
    /// A ping, pong or close in several frames (section 5.4).
    FragmentedControl,
    /// A ping, pong or close with more than 125 bytes (section 5.5).
    LongControl,
    /// A length that is not written in the fewest bytes, or beyond 63 bits (section 5.2).
    BadLength,
    /// The message is longer than is held for checks.
    TooLong,
    /// A frame that goes on with a message, where none has begun.
    LoneContinuation,
    /// A message begins within another.
    Interrupted,
    /// A close with one byte, or a code that is never sent (section 7.4).
    BadClose,
    /// A text, or the reason of a close, that is not UTF-8 (section 8.1).
    NotUtf8,
    /// A message that answers none.
    Unsolicited,
    /// A text was answered by a binary message.
    BinaryAnswer,
}

impl FrameError {
    /// A stable name for counting: lower case, words joined by `_`.
    pub fn name(self) -> &'static str {
        match self {
            FrameError::Masked => "masked_frame",
            FrameError::ReservedBits => "reserved_bits",
            FrameError::ReservedOpcode => "reserved_opcode",
            FrameError::FragmentedControl => "fragmented_control",
            FrameError::LongControl => "long_control",
            FrameError::BadLength => "bad_frame_length",
            FrameError::TooLong => "message_too_long",
            FrameError::LoneContinuation => "lone_continuation",
            FrameError::Interrupted => "interrupted_message",
            FrameError::BadClose => "bad_close",
            FrameError::NotUtf8 => "not_utf8",
            FrameError::Unsolicited => "unsolicited",
            FrameError::BinaryAnswer => "binary_answer",
        }
    }

    /// The code of the close that tells the server so (section 7.4.1).
    pub(super) fn close_code(self) -> u16 {
        match self {
            FrameError::NotUtf8 => 1007,
            FrameError::TooLong => 1009,
            FrameError::Unsolicited | FrameError::BinaryAnswer => 1008,
            _ => 1002,
        }
    }
}
