//! Edge-triggered epoll over sockets that are registered once.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::time::Duration;

/// Events taken from the kernel at once, as in the engine.
const BATCH: usize = 256;

/// An epoll set. Tokens are file descriptors.
pub struct Epoll {
    epoll: OwnedFd,
    ready: Vec<libc::epoll_event>,
}

impl Epoll {
    /// An empty set.
    ///
    /// # Errors
    /// When there are no file descriptors left.
    pub fn new() -> io::Result<Epoll> {
        // SAFETY: no pointers are passed; a descriptor that comes back is owned by nobody else.
        let epoll = unsafe {
            let epoll = libc::epoll_create1(libc::EPOLL_CLOEXEC);
            if epoll < 0 {
                return Err(io::Error::last_os_error());
            }
            OwnedFd::from_raw_fd(epoll)
        };
        Ok(Epoll { epoll, ready: vec![libc::epoll_event { events: 0, u64: 0 }; BATCH] })
    }

    /// Adds a socket; its every new input is told once.
    ///
    /// # Errors
    /// What the kernel said.
    pub fn add(&self, socket: &impl AsRawFd) -> io::Result<()> {
        let fd = socket.as_raw_fd();
        let events = (libc::EPOLLIN | libc::EPOLLRDHUP | libc::EPOLLET) as u32;
        let mut event = libc::epoll_event { events, u64: fd as u64 };
        let epoll = self.epoll.as_raw_fd();
        // SAFETY: the pointer is to a live event, which the kernel copies.
        let done = unsafe { libc::epoll_ctl(epoll, libc::EPOLL_CTL_ADD, fd, &raw mut event) };
        if done < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
    }

    /// Waits for input, forever without a `timeout`; the descriptors that have some.
    pub fn wait(&mut self, timeout: Option<Duration>) -> impl Iterator<Item = RawFd> + '_ {
        let limit = timeout.map(|timeout| libc::timespec {
            tv_sec: timeout.as_secs() as libc::time_t,
            tv_nsec: libc::c_long::from(timeout.subsec_nanos() as i32),
        });
        let limit = limit.as_ref().map_or(std::ptr::null(), |limit| &raw const *limit);
        let (epoll, batch) = (self.epoll.as_raw_fd(), BATCH as libc::c_int);
        // SAFETY: `ready` has room for a batch; the timeout is null or points to a live timespec.
        let count = unsafe {
            libc::epoll_pwait2(epoll, self.ready.as_mut_ptr(), batch, limit, std::ptr::null())
        };
        self.ready[..count.max(0) as usize].iter().map(|event| event.u64 as RawFd)
    }
}

/// Receives once: how many bytes, 0 at the end, negative for none or an error.
#[inline]
pub fn receive(fd: RawFd, buffer: &mut [u8]) -> isize {
    // SAFETY: the buffer is live and as long as is said.
    unsafe { libc::recv(fd, buffer.as_mut_ptr().cast(), buffer.len(), libc::MSG_DONTWAIT) }
}

/// Sends once: how many bytes, negative for an error.
#[inline]
pub fn send(fd: RawFd, bytes: &[u8]) -> isize {
    let flags = libc::MSG_NOSIGNAL | libc::MSG_DONTWAIT;
    // SAFETY: the bytes are live and as many as is said.
    unsafe { libc::send(fd, bytes.as_ptr().cast(), bytes.len(), flags) }
}
