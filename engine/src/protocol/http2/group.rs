//! The slots that share a connection, and the connections they have.

use std::collections::VecDeque;

use super::transport::{LinkPhase, Transport};

/// A group of slots. It has room for two connections: a server that asks to leave one (GOAWAY) still
/// answers what it took, while what comes next goes to another.
#[derive(Debug, Default)]
pub(super) struct Group {
    pub(super) transports: [Option<Transport>; ROOM],
    /// The one that takes requests, or soon will.
    pub(super) current: Option<usize>,
    /// Slots that wait for it.
    pub(super) waiting: Vec<usize>,
    /// Slots whose request waits for a stream, because the server allows no more at once.
    pub(super) parked: VecDeque<usize>,
    /// Whether the last one was left as dead.
    pub(super) abandoned: bool,
    /// Whether it was open by then but for the server's settings.
    pub(super) unsettled: bool,
    /// Slots that the worker holds.
    pub(super) members: usize,
}

/// Connections of a group, at most.
pub(super) const ROOM: usize = 2;

impl Group {
    /// The connection that takes requests now.
    pub(super) fn open(&mut self) -> Option<(usize, &mut Transport)> {
        let place = self.current?;
        let transport = self.transports[place].as_mut()?;
        (transport.phase == LinkPhase::Open).then_some((place, transport))
    }

    /// A place for another connection.
    pub(super) fn free(&self) -> Option<usize> {
        self.transports.iter().position(Option::is_none)
    }
}
