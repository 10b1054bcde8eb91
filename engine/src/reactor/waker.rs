//! Ends a reactor's wait from another thread.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;

use rustix::event::{EventfdFlags, eventfd};
use rustix::io::Errno;

/// A handle that other threads may keep and use at any time.
#[derive(Debug, Clone)]
pub struct Waker(Arc<OwnedFd>);

impl Waker {
    /// A waker for one reactor.
    ///
    /// # Errors
    /// When there are no file descriptors left.
    pub fn new() -> Result<Waker, Errno> {
        let flags = EventfdFlags::NONBLOCK | EventfdFlags::CLOEXEC;
        Ok(Waker(Arc::new(eventfd(0, flags)?)))
    }

    /// Ends the wait under way, or the next one.
    pub fn wake(&self) {
        // The write can fail only when the counter is at its limit: the wake-up is then due anyway.
        let _ = rustix::io::write(&self.0, &1u64.to_ne_bytes());
    }

    /// Forgets the wake-ups so far.
    pub(super) fn clear(&self) {
        let _ = rustix::io::read(&self.0, &mut [0; 8]);
    }

    pub(super) fn as_fd(&self) -> BorrowedFd<'_> {
        AsFd::as_fd(&*self.0)
    }
}
