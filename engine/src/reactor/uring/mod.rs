//! Connections over io_uring.
//!
//! A connection's receive is asked for once and goes on by itself; what it brings lies in buffers
//! that all connections of the thread share. Sends are gathered and submitted together, by the
//! same system call that waits: a request then costs its share of one system call.

mod buffers;
mod end;
#[cfg(test)]
#[path = "../../../tests/load/kernel.rs"]
pub(super) mod kernel;
mod receives;
mod requests;
mod sends;
mod slot;

use std::collections::VecDeque;
use std::io;
use std::mem::ManuallyDrop;
use std::net::SocketAddr;
use std::os::fd::{AsRawFd, OwnedFd};
use std::time::Duration;

use io_uring::types::{Fd, SubmitArgs, Timespec};
use io_uring::{EnterFlags, IoUring, cqueue, squeue};
use rustix::net::{self, AddressFamily, Shutdown, SocketFlags, SocketType, sockopt};

use super::stamp::{self, Stamps};
use super::{Errno, Failure, Reactor, Route, SocketEvent, Waker, own};
use buffers::Buffers;
use requests::{GENERATIONS, Kind, Token};
use slot::Slot;

/// Requests to the kernel before they must be submitted.
const QUEUE: u32 = 256;
/// Completions the kernel holds ready; it keeps more, but slower.
const COMPLETIONS: u32 = 4096;

/// A reactor over io_uring.
pub struct Uring {
    ring: IoUring,
    /// Dropped by hand, in `end`.
    buffers: ManuallyDrop<Buffers>,
    /// Where receives bring stamps: how to read them, and the header they are asked for with.
    stamps: Option<(Stamps, Box<libc::msghdr>)>,
    waker: Waker,
    slots: Vec<Slot>,
    ready: VecDeque<cqueue::Entry>,
    /// The buffer of the last event.
    held: Option<u16>,
    /// Slots with bytes to be sent.
    dirty: Vec<usize>,
    /// Receives that found no buffer.
    starved: Vec<Token>,
    /// Connections that were closed before all that was asked for them was submitted.
    leaving: Vec<(OwnedFd, Slot)>,
    /// Counts the waits.
    round: u64,
    own: own::Watch,
}

impl Uring {
    /// A reactor with `slots` free slots, which `waker` can wake. If `stamped`, its events say when
    /// bytes came in.
    ///
    /// # Errors
    /// When the kernel has no io_uring, or not enough of it (6.1 has), or forbids it.
    pub fn new(slots: usize, waker: Waker, stamped: bool) -> Result<Uring, Errno> {
        let ring = IoUring::builder()
            .setup_single_issuer()
            .setup_defer_taskrun()
            .setup_submit_all()
            .setup_cqsize(COMPLETIONS)
            .build(QUEUE)
            .map_err(errno)?;
        let buffers = ManuallyDrop::new(Buffers::new(&ring.submitter()).map_err(errno)?);
        let mut table = Vec::new();
        table.resize_with(slots, Slot::default);
        let mut uring = Uring {
            ring,
            buffers,
            stamps: stamped.then(|| (Stamps::new(), requests::stamped())),
            waker,
            slots: table,
            ready: VecDeque::new(),
            held: None,
            dirty: Vec::new(),
            starved: Vec::new(),
            leaving: Vec::new(),
            round: 1,
            own: own::Watch::default(),
        };
        let wake = Fd(uring.waker.as_fd().as_raw_fd());
        uring.push(&requests::watch(wake));
        Ok(uring)
    }

    fn push(&mut self, entry: &squeue::Entry) {
        // SAFETY: an entry points to a boxed address, a header or bytes to be sent, which this reactor
        // owns and neither moves nor changes before the completion; `close` drops them only after it
        // has submitted that they are cancelled, and `drop` only after everything is.
        while unsafe { self.ring.submission().push(entry) }.is_err() {
            // What fails is told by its completion.
            let _ = self.ring.submit();
        }
    }

    fn token(&self, kind: Kind, slot: usize) -> Token {
        Token { kind, generation: self.slots[slot].generation, slot }
    }

    /// Submits what is queued, and waits until `least` completions are there or the time is up.
    fn enter(&mut self, least: usize, timeout: Duration) -> Result<(), Errno> {
        self.round += 1;
        self.renew();
        self.gather();
        let queued = self.ring.submission().len();
        if timeout.is_zero() && queued == 0 && !self.ready.is_empty() {
            return Ok(()); // The sleep before has brought them.
        }
        let entered = if timeout.is_zero() || !self.ready.is_empty() {
            let flags = EnterFlags::GETEVENTS.bits();
            // SAFETY: no argument is passed, so the kernel reads no memory beyond the queue's own.
            unsafe { self.ring.submitter().enter::<()>(queued as u32, 0, flags, None) }
        } else {
            let time = Timespec::new().sec(timeout.as_secs()).nsec(timeout.subsec_nanos());
            self.ring.submitter().submit_with_args(least, &SubmitArgs::new().timespec(&time))
        };
        match entered.map_err(errno) {
            // Busy: completions must be taken before more can be submitted.
            Ok(_) | Err(Errno::INTR | Errno::TIME | Errno::BUSY | Errno::AGAIN) => {}
            Err(error) => return Err(error),
        }
        let all_submitted = self.ring.submission().is_empty();
        self.reap();
        if !self.leaving.is_empty() && all_submitted {
            self.leaving.clear();
        }
        if let Some((stamps, _)) = &mut self.stamps {
            stamps.adjust();
        }
        Ok(())
    }

    /// Takes what has completed: sends are seen to at once, all else when it is asked for.
    fn reap(&mut self) {
        let seen = self.ready.len();
        self.ready.extend(self.ring.completion());
        for number in seen..self.ready.len() {
            let completion = &self.ready[number];
            let (token, result) = (Token::decode(completion.user_data()), completion.result());
            if token.kind == Kind::Send && self.is_current(token) {
                self.not_all_sent(token, result);
            }
        }
    }

    /// Whether a completion is of the connection that its slot has now.
    fn is_current(&self, token: Token) -> bool {
        self.slots.get(token.slot).is_some_and(|slot| slot.generation == token.generation)
    }
}

fn errno(error: io::Error) -> Errno {
    Errno::from_io_error(&error).unwrap_or(Errno::IO)
}

impl Reactor for Uring {
    fn name(&self) -> &'static str {
        "io_uring"
    }

    fn connect(&mut self, slot: usize, route: Route) -> Result<(), Errno> {
        let address = route.to;
        let family = match address {
            SocketAddr::V4(_) => AddressFamily::INET,
            SocketAddr::V6(_) => AddressFamily::INET6,
        };
        let socket = net::socket_with(family, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
        sockopt::set_tcp_nodelay(&socket, true)?;
        if let Some(from) = route.from {
            net::bind(&socket, &from)?;
        }
        if self.stamps.is_some() {
            stamp::ask(&socket);
        }
        let address = requests::address(address);
        let token = self.token(Kind::Connect, slot);
        let request = requests::connect(Fd(socket.as_raw_fd()), &address, token);
        let entry = &mut self.slots[slot];
        entry.socket = Some(socket);
        entry.address = Some(address);
        self.push(&request);
        Ok(())
    }

    fn send(&mut self, slot: usize, bytes: &[u8]) -> Result<(), Errno> {
        self.put(slot, bytes)
    }

    fn unsent(&self, slot: usize) -> usize {
        self.slots[slot].unsent()
    }

    fn close(&mut self, slot: usize) {
        let entry = &mut self.slots[slot];
        let Some(socket) = entry.socket.take() else {
            return;
        };
        let next = Slot { generation: (entry.generation + 1) % GENERATIONS, ..Slot::default() };
        let former = std::mem::replace(entry, next);
        former.say_last(&socket, self.round);
        // What is under way would keep the connection open.
        self.push(&requests::cancel(Fd(socket.as_raw_fd())));
        let _ = self.ring.submit();
        let _ = net::shutdown(&socket, Shutdown::Both);
        if !self.ring.submission().is_empty() {
            // The kernel has yet to read what it was asked to cancel.
            self.leaving.push((socket, former));
        }
    }

    fn wait(&mut self, timeout: Duration) -> Result<(), Errno> {
        self.enter(1, timeout)
    }

    fn sleep(&mut self, timeout: Duration) -> Result<(), Errno> {
        // More than can come in: the kernel then wakes nobody for what does.
        self.enter(COMPLETIONS as usize, timeout)
    }

    fn next_event(&mut self) -> Option<SocketEvent<'_>> {
        if let Some(held) = self.held.take() {
            self.buffers.give_back(held);
        }
        while let Some(completion) = self.ready.pop_front() {
            let token = Token::decode(completion.user_data());
            let (slot, result) = (token.slot, completion.result());
            self.held = cqueue::buffer_select(completion.flags());
            let current = self.is_current(token);
            let more = cqueue::more(completion.flags());
            match token.kind {
                Kind::Wake => {
                    self.waker.clear();
                    if !more {
                        let wake = Fd(self.waker.as_fd().as_raw_fd());
                        self.push(&requests::watch(wake));
                    }
                }
                Kind::Connect if current => {
                    let entry = &mut self.slots[slot];
                    entry.address = None;
                    let opened =
                        if result < 0 { Err(Errno::from_raw_os_error(-result)) } else { Ok(()) };
                    let socket = entry.socket.as_ref().expect("a connecting slot is open");
                    if let Err(error) = self.own.check(socket, opened) {
                        return Some(SocketEvent::ConnectFailed { slot, error: error.into() });
                    }
                    self.receive(slot);
                    return Some(SocketEvent::Connected { slot });
                }
                Kind::Receive if current => {
                    let entry = &mut self.slots[slot];
                    entry.doubt = 0;
                    match result {
                        1.. => {
                            let Some(buffer) = self.held else { continue };
                            let (at, range) = self.found(buffer, result as usize);
                            if range.is_empty() {
                                let error = self.slots[slot].unsendable.take().map(Failure::from);
                                return Some(SocketEvent::Closed { slot, error });
                            }
                            if !more {
                                self.receive(slot);
                            }
                            let bytes = &self.buffers.bytes(buffer)[range];
                            return Some(SocketEvent::Received { slot, bytes, at });
                        }
                        0 => {
                            let error = entry.unsendable.take().map(Failure::from);
                            return Some(SocketEvent::Closed { slot, error });
                        }
                        _ if result == -libc::ENOBUFS => self.starved.push(token),
                        _ => {
                            let error = Some(Errno::from_raw_os_error(-result));
                            return Some(SocketEvent::Closed {
                                slot,
                                error: error.map(Failure::from),
                            });
                        }
                    }
                }
                _ => {}
            }
            if let Some(held) = self.held.take() {
                self.buffers.give_back(held);
            }
        }
        None
    }
}
