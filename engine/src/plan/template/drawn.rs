//! What is known of a request once it was drawn.

use super::values::SLOTS;

/// What was drawn for a request: needed to write it, and to judge its answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Drawn {
    pub(super) request_index: usize,
    pub(super) is_head: bool,
    pub(super) closes: bool,
    /// What was drawn for each of its variables.
    pub(super) values: [i64; SLOTS],
}

impl Drawn {
    /// Which of the load's requests it is.
    pub fn request_index(&self) -> usize {
        self.request_index
    }

    /// Whether it is a HEAD, whose answer has no body.
    pub fn is_head(&self) -> bool {
        self.is_head
    }

    /// Whether it says, by `Connection: close`, that its connection is to end with the answer.
    pub fn closes(&self) -> bool {
        self.closes
    }
}
