//! A connection's place in the reactor.

use std::os::fd::OwnedFd;

use super::requests::Address;
use crate::reactor::Errno;

/// What is known of one connection, and of its bytes to be sent.
///
/// | sends | told by | then |
/// |---|---|---|
/// | none under way | neither `dirty` nor `waits` | bytes are put: queued |
/// | queued | `dirty` | a round gathers them: in doubt |
/// | in doubt whether the socket had room for all | `doubt` is the round | it had: none; else the kernel waits |
/// | the kernel waits for room | `waits` | it sent the rest: none |
///
/// In doubt and while the kernel waits, further bytes stay queued.
#[derive(Default)]
pub(super) struct Slot {
    pub(super) socket: Option<OwnedFd>,
    pub(super) generation: u32,
    /// While it is being opened.
    pub(super) address: Option<Address>,
    /// Bytes to be sent.
    pub(super) queued: Vec<u8>,
    /// Bytes last submitted.
    pub(super) sent: Vec<u8>,
    pub(super) dirty: bool,
    /// The kernel still has to send what is in `sent`.
    pub(super) waits: bool,
    /// In which round it sent, until it is known that all was taken.
    pub(super) doubt: u64,
    pub(super) unsendable: Option<Errno>,
}
