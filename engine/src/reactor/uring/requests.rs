//! What is asked of the kernel, and how its answers are told apart.

use std::net::SocketAddr;

use io_uring::opcode::{AsyncCancel2, Connect, PollAdd, RecvMsgMulti, RecvMulti, Send};
use io_uring::squeue::{Entry, Flags};
use io_uring::types::{CancelBuilder, Fd};
use rustix::net::SocketAddrAny;
use rustix::net::addr::SocketAddrArg;

use super::buffers::GROUP;
use crate::reactor::stamp;

/// What a completion is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Bytes came in.
    Receive,
    /// Bytes were sent, or could not be.
    Send,
    /// A connection was opened, or could not be.
    Connect,
    /// The waker was used.
    Wake,
    /// Nothing that matters.
    Other,
}

/// Which connection a completion belongs to: late ones of a slot's former connection are dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    pub kind: Kind,
    pub generation: u32,
    pub slot: usize,
}

/// Generations are counted in what the kind leaves of 32 bits.
pub const GENERATIONS: u32 = 1 << 29;

impl Token {
    pub fn encode(self) -> u64 {
        let kind = self.kind as u64;
        (kind << 61) | (u64::from(self.generation % GENERATIONS) << 32) | self.slot as u64
    }

    pub fn decode(bits: u64) -> Token {
        let kind = match bits >> 61 {
            0 => Kind::Receive,
            1 => Kind::Send,
            2 => Kind::Connect,
            3 => Kind::Wake,
            _ => Kind::Other,
        };
        let generation = (bits >> 32) as u32 % GENERATIONS;
        Token { kind, generation, slot: (bits & u64::from(u32::MAX)) as usize }
    }
}

/// An address as the kernel reads it, which it does when a connection attempt is submitted.
pub type Address = Box<SocketAddrAny>;

pub fn address(address: SocketAddr) -> Address {
    Box::new(address.as_any())
}

pub fn connect(fd: Fd, address: &Address, token: Token) -> Entry {
    Connect::new(fd, address.as_ptr().cast(), address.addr_len()).build().user_data(token.encode())
}

/// Receives again and again, into buffers of the kernel's choice, until it says otherwise. With a
/// `header` each receive begins with it, and with a stamp.
pub fn receive(fd: Fd, header: Option<&libc::msghdr>, token: Token) -> Entry {
    match header {
        None => RecvMulti::new(fd, GROUP).build(),
        Some(header) => RecvMsgMulti::new(fd, header, GROUP).build(),
    }
    .user_data(token.encode())
}

/// The header of receives that bring a stamp.
pub fn stamped() -> Box<libc::msghdr> {
    // SAFETY: a zeroed msghdr is valid.
    let mut header: libc::msghdr = unsafe { std::mem::zeroed() };
    header.msg_controllen = stamp::CONTROL as _;
    Box::new(header)
}

/// Sends at once what the socket has room for. The kernel is done with the bytes when it has been
/// submitted, and answers only if it did not send them all.
pub fn send(fd: Fd, bytes: &[u8], token: Token) -> Entry {
    let flags = libc::MSG_NOSIGNAL | libc::MSG_DONTWAIT | libc::MSG_WAITALL;
    Send::new(fd, bytes.as_ptr(), bytes.len() as u32)
        .flags(flags)
        .build()
        .flags(Flags::SKIP_SUCCESS)
        .user_data(token.encode())
}

/// Sends as soon as there is room; the bytes must stay where they are until it has answered.
pub fn send_later(fd: Fd, bytes: &[u8], token: Token) -> Entry {
    let flags = libc::MSG_NOSIGNAL | libc::MSG_WAITALL;
    let send = Send::new(fd, bytes.as_ptr(), bytes.len() as u32).flags(flags);
    send.build().user_data(token.encode())
}

/// Ends all that is under way on a connection.
pub fn cancel(fd: Fd) -> Entry {
    let other = Token { kind: Kind::Other, generation: 0, slot: 0 };
    let cancel = AsyncCancel2::new(CancelBuilder::fd(fd).all()).build();
    cancel.flags(Flags::SKIP_SUCCESS).user_data(other.encode())
}

/// Tells whenever `fd` can be read.
pub fn watch(fd: Fd) -> Entry {
    let wake = Token { kind: Kind::Wake, generation: 0, slot: 0 };
    PollAdd::new(fd, libc::POLLIN as u32).multi(true).build().user_data(wake.encode())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_come_back_as_they_were() {
        for kind in [Kind::Receive, Kind::Send, Kind::Connect, Kind::Wake, Kind::Other] {
            let token = Token { kind, generation: GENERATIONS - 1, slot: 123_456 };
            assert_eq!(Token::decode(token.encode()), token);
        }
    }
}
