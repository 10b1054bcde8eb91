//! What comes in: asked for once, in buffers of the kernel's choice.

use std::ops::Range;
use std::os::fd::AsRawFd;

use io_uring::types::{Fd, RecvMsgOut};

use super::Uring;
use super::requests::{self, Kind};

impl Uring {
    /// Asks for all that comes in on a slot's connection.
    pub(super) fn receive(&mut self, slot: usize) {
        let token = self.token(Kind::Receive, slot);
        if let Some(socket) = &self.slots[slot].socket {
            let header = self.stamps.as_ref().map(|(_, header)| &**header);
            let entry = requests::receive(Fd(socket.as_raw_fd()), header, token);
            self.push(&entry);
        }
    }

    /// Asks again for those that found no buffer.
    pub(super) fn renew(&mut self) {
        for token in std::mem::take(&mut self.starved) {
            if self.slots[token.slot].generation == token.generation {
                self.receive(token.slot);
            }
        }
    }

    /// Where in a filled buffer the bytes lie, and when the last of them came in.
    pub(super) fn found(&self, buffer: u16, length: usize) -> (Option<u64>, Range<usize>) {
        let Some((stamps, header)) = &self.stamps else {
            return (None, 0..length);
        };
        let bytes = self.buffers.bytes(buffer);
        let Ok(message) = RecvMsgOut::parse(&bytes[..length], header) else {
            return (None, 0..0);
        };
        (stamps.read(message.control_data()), length - message.payload_data().len()..length)
    }
}
