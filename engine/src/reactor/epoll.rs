//! Connections over epoll.
//!
//! Each socket is registered once, edge-triggered and for both directions, and never again: a
//! request then costs one send, one receive and its share of one wait. Edge triggering spares the
//! kernel from polling every socket of the last batch again at the next wait.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::os::fd::OwnedFd;
use std::time::Duration;

use rustix::buffer::spare_capacity;
use rustix::event::{Timespec, epoll};
use rustix::io::Errno;
use rustix::net::{self, AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, sockopt};

use super::stamp::{self, Stamps};
use super::{Failure, Reactor, Route, SocketEvent, Waker, own};

/// Events taken from the kernel at once.
const BATCH: usize = 256;
/// Bytes received at once, into one buffer that all connections of the thread share.
const BUFFER: usize = 64 * 1024;
const WAKER: u64 = u64::MAX;

const INTEREST: epoll::EventFlags = epoll::EventFlags::IN
    .union(epoll::EventFlags::OUT)
    .union(epoll::EventFlags::RDHUP)
    .union(epoll::EventFlags::ET);
const INPUT: epoll::EventFlags = epoll::EventFlags::IN
    .union(epoll::EventFlags::RDHUP)
    .union(epoll::EventFlags::HUP)
    .union(epoll::EventFlags::ERR);
const END: epoll::EventFlags =
    epoll::EventFlags::RDHUP.union(epoll::EventFlags::HUP).union(epoll::EventFlags::ERR);

/// A reactor over epoll.
pub struct Epoll {
    epoll: OwnedFd,
    waker: Waker,
    slots: Vec<Slot>,
    ready: Vec<epoll::Event>,
    at: usize,
    /// Slots that hold input which no further edge will announce.
    more: VecDeque<u64>,
    /// How many of `more` are to be looked at in this round.
    more_now: usize,
    buffer: Box<[u8]>,
    /// Where the kernel is to tell when bytes came in.
    stamps: Option<Stamps>,
    own: own::Watch,
}

/// A connection's place: free without `socket`, then `connecting`, then open.
#[derive(Debug, Default)]
struct Slot {
    socket: Option<OwnedFd>,
    /// Tells a slot's connections apart, so that late events of an old one are dropped.
    generation: u32,
    connecting: bool,
    unsent: Vec<u8>,
    /// Why a part of a request could not be sent, until what the server said is read.
    unsendable: Option<Errno>,
}

impl Epoll {
    /// A reactor with `slots` free slots, which `waker` can wake. If `stamped`, its events say when
    /// bytes came in.
    ///
    /// # Errors
    /// When there are no file descriptors left.
    pub fn new(slots: usize, waker: Waker, stamped: bool) -> Result<Epoll, Errno> {
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        let data = epoll::EventData::new_u64(WAKER);
        epoll::add(&epoll, waker.as_fd(), data, epoll::EventFlags::IN)?;
        let mut table = Vec::new();
        table.resize_with(slots, Slot::default);
        Ok(Epoll {
            epoll,
            waker,
            slots: table,
            ready: Vec::with_capacity(BATCH),
            at: 0,
            more: VecDeque::new(),
            more_now: 0,
            buffer: vec![0; BUFFER].into_boxed_slice(),
            stamps: stamped.then(Stamps::new),
            own: own::Watch::default(),
        })
    }

    fn next_ready(&mut self) -> Option<(u64, epoll::EventFlags)> {
        if let Some(event) = self.ready.get(self.at) {
            self.at += 1;
            return Some((event.data.u64(), event.flags));
        }
        if self.more_now > 0 {
            self.more_now -= 1;
            return self.more.pop_front().map(|token| (token, INPUT));
        }
        None
    }

    /// Ends a connection attempt.
    fn connected(
        &mut self,
        slot: usize,
        token: u64,
        flags: epoll::EventFlags,
    ) -> SocketEvent<'static> {
        let entry = &mut self.slots[slot];
        entry.connecting = false;
        let socket = entry.socket.as_ref().expect("a connecting slot is open");
        let opened = sockopt::socket_error(socket).and_then(|opened| opened);
        match self.own.check(socket, opened) {
            Ok(()) => {
                if flags.intersects(INPUT) {
                    self.more.push_back(token);
                }
                SocketEvent::Connected { slot }
            }
            Err(error) => SocketEvent::ConnectFailed { slot, error: error.into() },
        }
    }

    /// Sends what the kernel did not take before.
    fn flush(&mut self, slot: usize) {
        let entry = &mut self.slots[slot];
        let Some(socket) = &entry.socket else {
            return;
        };
        let (sent, error) = send_some(socket, &entry.unsent);
        entry.unsent.drain(..sent);
        if entry.unsent.is_empty() || error.is_some() {
            entry.unsent = Vec::new();
        }
        entry.unsendable = error;
    }
}

/// Sends what the kernel takes at once, which may be nothing, and tells why it takes no more where
/// that is not for want of room.
fn send_some(socket: &OwnedFd, bytes: &[u8]) -> (usize, Option<Errno>) {
    let mut sent = 0;
    // A short send says that the buffer is full; only a further one makes sure that epoll tells
    // when there is room again.
    while sent < bytes.len() {
        match net::send(socket, &bytes[sent..], SendFlags::NOSIGNAL) {
            Ok(count) => sent += count,
            Err(Errno::AGAIN) => break,
            Err(Errno::INTR) => {}
            Err(error) => return (sent, Some(error)),
        }
    }
    (sent, None)
}

fn token(slot: usize, generation: u32) -> u64 {
    (u64::from(generation) << 32) | slot as u64
}

impl Reactor for Epoll {
    fn name(&self) -> &'static str {
        "epoll"
    }

    fn connect(&mut self, slot: usize, route: Route) -> Result<(), Errno> {
        let address = route.to;
        let family = match address {
            SocketAddr::V4(_) => AddressFamily::INET,
            SocketAddr::V6(_) => AddressFamily::INET6,
        };
        let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
        let socket = net::socket_with(family, SocketType::STREAM, flags, None)?;
        sockopt::set_tcp_nodelay(&socket, true)?;
        if let Some(from) = route.from {
            net::bind(&socket, &from)?;
        }
        if self.stamps.is_some() {
            stamp::ask(&socket);
        }
        match net::connect(&socket, &address) {
            Ok(()) | Err(Errno::INPROGRESS | Errno::INTR) => {}
            refused => return self.own.check(&socket, refused),
        }
        let entry = &mut self.slots[slot];
        let data = epoll::EventData::new_u64(token(slot, entry.generation));
        epoll::add(&self.epoll, &socket, data, INTEREST)?;
        entry.socket = Some(socket);
        entry.connecting = true;
        Ok(())
    }

    fn send(&mut self, slot: usize, bytes: &[u8]) -> Result<(), Errno> {
        let entry = &mut self.slots[slot];
        let Some(socket) = &entry.socket else {
            return Err(Errno::NOTCONN);
        };
        let (sent, error) =
            if entry.unsent.is_empty() { send_some(socket, bytes) } else { (0, None) };
        match error {
            None => entry.unsent.extend_from_slice(&bytes[sent..]),
            Some(error) if sent == 0 => return Err(error),
            Some(error) => {
                entry.unsendable = Some(error);
                self.more.push_back(token(slot, entry.generation));
            }
        }
        Ok(())
    }

    fn unsent(&self, slot: usize) -> usize {
        self.slots[slot].unsent.len()
    }

    fn close(&mut self, slot: usize) {
        let entry = &mut self.slots[slot];
        // Closing the socket takes it out of the epoll set as well.
        if entry.socket.take().is_some() {
            entry.generation = entry.generation.wrapping_add(1);
            entry.connecting = false;
            entry.unsent = Vec::new();
            entry.unsendable = None;
        }
    }

    fn wait(&mut self, timeout: Duration) -> Result<(), Errno> {
        self.ready.clear();
        self.at = 0;
        self.more_now = self.more.len();
        let timeout = if self.more_now > 0 { Duration::ZERO } else { timeout };
        let timeout = Timespec {
            tv_sec: timeout.as_secs() as i64,
            tv_nsec: i64::from(timeout.subsec_nanos()),
        };
        match epoll::wait(&self.epoll, spare_capacity(&mut self.ready), Some(&timeout)) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error),
        }
        if let Some(stamps) = &mut self.stamps {
            stamps.adjust();
        }
        Ok(())
    }

    fn sleep(&mut self, timeout: Duration) -> Result<(), Errno> {
        stamp::sleep(timeout);
        Ok(())
    }

    fn next_event(&mut self) -> Option<SocketEvent<'_>> {
        while let Some((token, flags)) = self.next_ready() {
            if token == WAKER {
                self.waker.clear();
                continue;
            }
            let slot = (token & u64::from(u32::MAX)) as usize;
            let entry = &mut self.slots[slot];
            if entry.generation != (token >> 32) as u32 {
                continue;
            }
            if entry.connecting {
                return Some(self.connected(slot, token, flags));
            }
            if !entry.unsent.is_empty() && flags.contains(epoll::EventFlags::OUT) {
                self.flush(slot);
            }
            let entry = &mut self.slots[slot];
            let unsendable = entry.unsendable.take();
            if !flags.intersects(INPUT) && unsendable.is_none() {
                continue;
            }
            let Some(socket) = &entry.socket else {
                continue;
            };
            // A server may answer and close before it has read the whole request: what it said is
            // still there to be read, and only then does the failure to send end the connection.
            let received = match &self.stamps {
                None => net::recv(socket, &mut *self.buffer, RecvFlags::empty())
                    .map(|(_, count)| (count, None)),
                Some(stamps) => stamps.receive(socket, &mut self.buffer),
            };
            match received {
                Ok((0, _)) => {
                    return Some(SocketEvent::Closed {
                        slot,
                        error: unsendable.map(Failure::from),
                    });
                }
                Ok((count, at)) => {
                    // A short receive has emptied the socket, and what comes later is a new edge;
                    // but the end of the stream may be part of this one.
                    if count == BUFFER || flags.intersects(END) || unsendable.is_some() {
                        self.more.push_back(token);
                    }
                    let bytes = &self.buffer[..count];
                    return Some(SocketEvent::Received { slot, bytes, at });
                }
                Err(Errno::AGAIN | Errno::INTR) if unsendable.is_none() => {}
                Err(error) => {
                    let error = Failure::from(unsendable.unwrap_or(error));
                    return Some(SocketEvent::Closed { slot, error: Some(error) });
                }
            }
        }
        None
    }
}
