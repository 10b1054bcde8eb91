//! The only code that touches sockets.
//!
//! A [`Reactor`] holds a thread's connections by slot and tells what happens to them as
//! [`SocketEvent`]s. The trait speaks of what was received rather than of readiness, so that both a
//! readiness interface (epoll) and a completion interface (io_uring) can stand behind it.

mod epoll;
mod failure;
#[cfg(test)]
pub(crate) mod fake;
mod own;
mod route;
mod stamp;
pub(crate) mod target;
mod uring;
mod waker;

use std::time::Duration;

pub use epoll::Epoll;
pub use failure::Failure;
pub use route::{Route, Routes, check_ports};
pub use rustix::io::Errno;
pub use uring::Uring;
pub use waker::Waker;

use crate::record::layers::Layers;

/// Something that happened to the connection in `slot`.
#[derive(Debug)]
pub enum SocketEvent<'a> {
    /// It is open.
    Connected {
        /// Which connection.
        slot: usize,
    },
    /// It could not be opened.
    ConnectFailed {
        /// Which connection.
        slot: usize,
        /// Why.
        error: Failure,
    },
    /// Bytes came in; they are gone when the next event is asked for.
    Received {
        /// Which connection.
        slot: usize,
        /// The bytes, at least one.
        bytes: &'a [u8],
        /// When the last of them reached this machine's network stack, if the kernel tells.
        at: Option<u64>,
    },
    /// The peer ended it: in order when `error` is `None`.
    Closed {
        /// Which connection.
        slot: usize,
        /// What was wrong, e.g. that the connection was reset.
        error: Option<Failure>,
    },
}

/// Non-blocking connections of one thread.
///
/// After `ConnectFailed` and `Closed` the slot still has to be closed by the caller. A closed
/// slot reports nothing more of its former connection.
pub trait Reactor {
    /// The name results carry.
    fn name(&self) -> &'static str;

    /// Begins to open a connection in a free slot; how it ends is an event, unless it failed here.
    ///
    /// # Errors
    /// What the kernel said, e.g. that there are no file descriptors or ports left.
    fn connect(&mut self, slot: usize, route: Route) -> Result<(), Errno>;

    /// Sends all the bytes; what the kernel does not take at once is kept and sent when it does.
    ///
    /// # Errors
    /// What the kernel said, e.g. that the peer reset the connection.
    fn send(&mut self, slot: usize, bytes: &[u8]) -> Result<(), Errno>;

    /// How many bytes the kernel has yet to take of what was sent, encrypted where they are.
    fn unsent(&self, slot: usize) -> usize;

    /// Closes the connection, if there is one, and frees the slot.
    fn close(&mut self, slot: usize);

    /// Waits until there are events, the waker is used, or the time is up.
    ///
    /// # Errors
    /// What the kernel said; none is expected in working order.
    fn wait(&mut self, timeout: Duration) -> Result<(), Errno>;

    /// Waits until the time is up, whatever comes in meanwhile: the next wait brings it.
    ///
    /// # Errors
    /// What the kernel said; none is expected in working order.
    fn sleep(&mut self, timeout: Duration) -> Result<(), Errno>;

    /// The next event of the last wait, or `None` when all have been given.
    fn next_event(&mut self) -> Option<SocketEvent<'_>>;

    /// Why a connection that is still being opened is not open, where it is waited for no longer.
    fn overdue(&self, slot: usize) -> Failure {
        let _ = slot;
        Errno::TIMEDOUT.into()
    }

    /// What the layers recorded so far; sockets alone have none.
    fn layers(&self) -> Layers {
        Layers::default()
    }
}

/// One that is chosen when a load starts, so that what lies over it is compiled once.
impl Reactor for Box<dyn Reactor + '_> {
    fn name(&self) -> &'static str {
        (**self).name()
    }

    fn connect(&mut self, slot: usize, route: Route) -> Result<(), Errno> {
        (**self).connect(slot, route)
    }

    fn send(&mut self, slot: usize, bytes: &[u8]) -> Result<(), Errno> {
        (**self).send(slot, bytes)
    }

    fn unsent(&self, slot: usize) -> usize {
        (**self).unsent(slot)
    }

    fn close(&mut self, slot: usize) {
        (**self).close(slot);
    }

    fn wait(&mut self, timeout: Duration) -> Result<(), Errno> {
        (**self).wait(timeout)
    }

    fn sleep(&mut self, timeout: Duration) -> Result<(), Errno> {
        (**self).sleep(timeout)
    }

    fn next_event(&mut self) -> Option<SocketEvent<'_>> {
        (**self).next_event()
    }

    fn overdue(&self, slot: usize) -> Failure {
        (**self).overdue(slot)
    }

    fn layers(&self) -> Layers {
        (**self).layers()
    }
}
