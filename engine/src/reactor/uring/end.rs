//! The end of a reactor: what the kernel was lent outlives what was asked of it.

use std::io;
use std::mem::{self, ManuallyDrop};

use io_uring::types::{CancelBuilder, Timespec};

use super::Uring;

/// How long a reactor that is dropped waits for the kernel to cancel what is under way.
const LONGEST_CANCEL_S: u64 = 1;

impl Uring {
    /// Cancels all that was asked of the kernel: whether nothing is under way any more.
    fn cancel_all(&self) -> bool {
        let limit = Timespec::new().sec(LONGEST_CANCEL_S);
        match self.ring.submitter().register_sync_cancel(Some(limit), CancelBuilder::any()) {
            Ok(()) => true,
            Err(error) => error.kind() == io::ErrorKind::NotFound,
        }
    }
}

impl Drop for Uring {
    /// Frees what the kernel may read or write once nothing is under way; where that cannot be had,
    /// the memory stays for good.
    fn drop(&mut self) {
        if self.cancel_all() {
            // SAFETY: the buffers are not used after this, nor by anything under way in the kernel.
            unsafe { ManuallyDrop::drop(&mut self.buffers) }
        } else {
            mem::forget(mem::take(&mut self.slots));
            mem::forget(mem::take(&mut self.leaving));
            mem::forget(self.stamps.take());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::time::Duration;

    use super::*;
    use crate::reactor::uring::kernel::offers_uring;
    use crate::reactor::{Reactor, Route, SocketEvent, Waker};

    #[test]
    fn a_reactor_that_is_dropped_leaves_nothing_under_way() {
        if !offers_uring() {
            return;
        }
        let mut uring = Uring::new(1, Waker::new().unwrap(), false).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let route = Route { to: listener.local_addr().unwrap(), from: None };
        uring.connect(0, route).unwrap();
        while !matches!(uring.next_event(), Some(SocketEvent::Connected { .. })) {
            uring.wait(Duration::from_millis(10)).unwrap();
        }
        uring.wait(Duration::ZERO).unwrap();
        assert!(uring.cancel_all(), "a receive and the waker's poll");
        uring.wait(Duration::ZERO).unwrap();
        let cancelled = |done: &&io_uring::cqueue::Entry| done.result() == -libc::ECANCELED;
        assert_eq!(uring.ready.iter().filter(cancelled).count(), 2);
    }
}
