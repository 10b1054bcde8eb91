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
