//! A request to be sent: what it says, in no protocol's words yet.

use super::compile::{Compiled, Template};
use super::drawn::Drawn;
use super::values::Slots;

/// A request to be sent. Each protocol writes it in its own way.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    compiled: &'a Compiled,
    drawn: &'a Drawn,
    cookies: &'a [u8],
}

impl<'a> Request<'a> {
    /// What was `drawn`, from a user with `cookies` (`a=1; b=2`, or none).
    pub fn new(compiled: &'a Compiled, drawn: &'a Drawn, cookies: &'a [u8]) -> Request<'a> {
        Request { compiled, drawn, cookies }
    }

    /// What was drawn for it.
    pub fn drawn(&self) -> &'a Drawn {
        self.drawn
    }

    /// The value of its `Cookie` header; empty where it has none.
    pub fn cookies(&self) -> &'a [u8] {
        self.cookies
    }

    pub(crate) fn template(&self) -> &'a Template {
        &self.compiled.templates()[self.drawn.request_index()]
    }

    pub(crate) fn slots(&self) -> Slots<'a> {
        self.compiled.slots(self.drawn)
    }
}
