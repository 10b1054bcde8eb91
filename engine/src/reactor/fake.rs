//! Connections for unit tests, whose peer reads nothing.

use std::time::Duration;

use super::{Errno, Reactor, Route, SocketEvent};

/// Connections that bring the same bytes on their first slot over and over, or nothing where there are
/// none, and take none.
#[derive(Debug, Default)]
pub(crate) struct Fake {
    pub(crate) brings: &'static [u8],
    pub(crate) unsent: usize,
}

impl Reactor for Fake {
    fn name(&self) -> &'static str {
        "fake"
    }

    fn connect(&mut self, _slot: usize, _route: Route) -> Result<(), Errno> {
        Ok(())
    }

    fn send(&mut self, _slot: usize, bytes: &[u8]) -> Result<(), Errno> {
        self.unsent += bytes.len();
        Ok(())
    }

    fn unsent(&self, _slot: usize) -> usize {
        self.unsent
    }

    fn close(&mut self, _slot: usize) {}

    fn wait(&mut self, _timeout: Duration) -> Result<(), Errno> {
        Ok(())
    }

    fn sleep(&mut self, _timeout: Duration) -> Result<(), Errno> {
        Ok(())
    }

    fn next_event(&mut self) -> Option<SocketEvent<'_>> {
        let bytes = Some(self.brings).filter(|bytes| !bytes.is_empty());
        bytes.map(|bytes| SocketEvent::Received { slot: 0, bytes, at: None })
    }
}
