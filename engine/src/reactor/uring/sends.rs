//! What goes out: gathered, and submitted together.

use std::os::fd::{AsRawFd, OwnedFd};

use io_uring::types::Fd;
use rustix::net::{self, SendFlags};

use super::requests::{self, Kind, Token};
use super::slot::Slot;
use super::{Errno, Uring, errno};

/// Sends gathered before they are submitted without waiting: each is late by those before it.
const GATHERED: usize = 8;

impl Uring {
    /// Puts bytes to what is sent next; enough of them together are submitted at once.
    ///
    /// # Errors
    /// The slot is not open, or what the kernel said.
    pub(super) fn put(&mut self, slot: usize, bytes: &[u8]) -> Result<(), Errno> {
        let entry = &mut self.slots[slot];
        if entry.socket.is_none() {
            return Err(Errno::NOTCONN);
        }
        entry.queued.extend_from_slice(bytes);
        if !entry.dirty {
            entry.dirty = true;
            self.dirty.push(slot);
        }
        if self.dirty.len() >= GATHERED {
            self.gather();
            self.ring.submit().map_err(errno)?;
        }
        Ok(())
    }

    /// Puts what was gathered into the queue of requests.
    pub(super) fn gather(&mut self) {
        // Those that were submitted early may have been cut short: what follows them has to wait.
        self.reap();
        let mut dirty = std::mem::take(&mut self.dirty);
        dirty.retain(|&slot| {
            let token = self.token(Kind::Send, slot);
            let entry = &mut self.slots[slot];
            let Some(socket) = entry.socket.as_ref().filter(|_| entry.dirty) else {
                return false;
            };
            if entry.waits || entry.doubt == self.round {
                return true;
            }
            std::mem::swap(&mut entry.queued, &mut entry.sent);
            entry.queued.clear();
            entry.dirty = false;
            entry.doubt = self.round;
            let request = requests::send(Fd(socket.as_raw_fd()), &entry.sent, token);
            self.push(&request);
            false
        });
        self.dirty.append(&mut dirty);
    }

    /// Not all that was submitted could be sent at once.
    pub(super) fn not_all_sent(&mut self, token: Token, result: i32) {
        let entry = &mut self.slots[token.slot];
        let taken = match result {
            0.. => result as usize,
            _ if result == -libc::EAGAIN => 0,
            _ => {
                entry.waits = false;
                entry.unsendable = Some(Errno::from_raw_os_error(-result));
                return;
            }
        };
        entry.sent.drain(..taken.min(entry.sent.len()));
        entry.waits = !entry.sent.is_empty();
        if let Some(socket) = entry.socket.as_ref().filter(|_| entry.waits) {
            let request = requests::send_later(Fd(socket.as_raw_fd()), &entry.sent, token);
            self.push(&request);
        }
    }
}

impl Slot {
    /// Bytes that the kernel has yet to take.
    pub(super) fn unsent(&self) -> usize {
        self.queued.len() + if self.waits { self.sent.len() } else { 0 }
    }

    /// Sends at once what is still queued when its connection is closed in this `round`, such as a
    /// goodbye, as far as the socket has room. It stays unsaid where it could overtake what was sent
    /// before.
    pub(super) fn say_last(&self, socket: &OwnedFd, round: u64) {
        if self.dirty && !self.waits && self.doubt != round {
            // The connection is closed, whatever comes of it.
            let _ = net::send(socket, &self.queued, SendFlags::NOSIGNAL | SendFlags::DONTWAIT);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::net::TcpListener;
    use std::time::{Duration, Instant};

    use super::*;
    use crate::reactor::uring::kernel::offers_uring;
    use crate::reactor::{Reactor, Route, SocketEvent, Waker};

    #[test]
    fn nothing_overtakes_a_send_that_was_submitted_early_and_cut_short() {
        if !offers_uring() {
            return;
        }
        let mut uring = Uring::new(GATHERED, Waker::new().unwrap(), false).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let route = Route { to: listener.local_addr().unwrap(), from: None };
        let mut peers = Vec::new();
        for slot in 0..GATHERED {
            uring.connect(slot, route).unwrap();
            while !matches!(uring.next_event(), Some(SocketEvent::Connected { .. })) {
                uring.wait(Duration::from_millis(10)).unwrap();
            }
            peers.push(listener.accept().unwrap().0);
        }
        let mut sent: Vec<u8> = (0..16 << 20).map(|byte: u32| (byte % 251) as u8).collect();
        uring.send(0, &sent).unwrap();
        for slot in 1..GATHERED {
            uring.send(slot, b"x").unwrap();
        }
        assert!(uring.dirty.is_empty(), "all were submitted");
        uring.send(0, b"the end").unwrap();
        sent.extend(b"the end");
        let length = sent.len();
        let mut peer = peers.swap_remove(0);
        peer.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        let reader = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(50));
            let mut read = vec![0; length];
            peer.read_exact(&mut read).map(|()| read)
        });
        let begun = Instant::now();
        while !reader.is_finished() && begun.elapsed() < Duration::from_secs(20) {
            uring.wait(Duration::from_millis(10)).unwrap();
            while uring.next_event().is_some() {}
        }
        let read = reader.join().unwrap().expect("all of it comes");
        assert!(read == sent, "in order");
    }
}
