//! What a parser says of the bytes it was given.

/// What the bytes given to the parser led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerEvent {
    /// All bytes are used up and the answer goes on.
    NeedMore,
    /// The head is whole: see the parser's `head` and `headers`.
    Head,
    /// A piece of the body: this range of the bytes just given, framing removed.
    Body {
        /// First byte.
        start: usize,
        /// One past the last byte.
        end: usize,
    },
    /// The answer is whole. What follows belongs to the next one.
    Complete,
}

/// An event, and how many of the given bytes are done with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// Bytes of the input that need not be given again.
    pub consumed: usize,
    /// What they were.
    pub event: AnswerEvent,
}
