//! Accepts connections and finds whole requests.

use std::collections::HashMap;
use std::io;
use std::net::{TcpListener, TcpStream};
use std::os::fd::{AsRawFd, RawFd};
use std::time::Duration;

use crate::epoll::{Epoll, receive, send};

/// A connection, told apart from others that had its descriptor before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Peer {
    fd: RawFd,
    generation: u64,
}

impl Peer {
    /// Answers a request that has just come.
    pub fn answer(self) {
        // So little always has room, unless the client reads nothing or is gone.
        send(self.fd, ANSWER);
    }
}

/// The connections of a server: an epoll set, and what has been received of each.
pub struct Connections {
    epoll: Epoll,
    listener: TcpListener,
    open: HashMap<RawFd, TcpStream>,
    /// How many connections each descriptor has been of.
    generations: Vec<u64>,
    ready: Vec<RawFd>,
    buffer: Vec<u8>,
}

impl Connections {
    /// Listens on a port of 127.0.0.1; 0 takes a free one.
    ///
    /// # Errors
    /// What the system said, e.g. that the port is taken.
    pub fn listen(port: u16) -> io::Result<Connections> {
        let listener = TcpListener::bind(("127.0.0.1", port))?;
        // The standard library's queue of new connections is too short for thousands at once.
        // SAFETY: the descriptor is a listening socket's.
        unsafe { libc::listen(listener.as_raw_fd(), 4096) };
        listener.set_nonblocking(true)?;
        raise_file_limit();
        Connections::of(listener)
    }

    /// Where it listens.
    ///
    /// # Errors
    /// What the system said.
    pub fn port(&self) -> io::Result<u16> {
        Ok(self.listener.local_addr()?.port())
    }

    /// Another thread's share of the connections that come to the same port.
    ///
    /// # Errors
    /// When there are no file descriptors left.
    pub fn share(&self) -> io::Result<Connections> {
        Connections::of(self.listener.try_clone()?)
    }

    fn of(listener: TcpListener) -> io::Result<Connections> {
        let epoll = Epoll::new()?;
        epoll.add(&listener)?;
        let (open, ready) = (HashMap::new(), Vec::new());
        let (generations, buffer) = (Vec::new(), vec![0; 64 * 1024]);
        Ok(Connections { epoll, listener, open, generations, ready, buffer })
    }

    /// How many connections are open.
    pub fn open(&self) -> usize {
        self.open.len()
    }

    /// Answers a request that came before, if its connection is still open.
    pub fn answer(&self, peer: Peer) {
        let generation = self.generations[peer.fd as usize];
        if generation == peer.generation && self.open.contains_key(&peer.fd) {
            peer.answer();
        }
    }

    /// Waits for requests, and calls `request` with the connection of each that came.
    ///
    /// Each receive is taken for whole requests, as many as end in an empty line: the clients of
    /// these benchmarks send a small request in one piece and no body.
    ///
    /// # Errors
    /// What the system said; none is expected in working order.
    pub fn serve(
        &mut self,
        timeout: Option<Duration>,
        mut request: impl FnMut(Peer),
    ) -> io::Result<()> {
        self.ready.clear();
        self.ready.extend(self.epoll.wait(timeout));
        for index in 0..self.ready.len() {
            let fd = self.ready[index];
            if fd == self.listener.as_raw_fd() {
                while let Ok((stream, _)) = self.listener.accept() {
                    stream.set_nodelay(true)?;
                    self.epoll.add(&stream)?;
                    let fd = stream.as_raw_fd();
                    if self.generations.len() <= fd as usize {
                        self.generations.resize(fd as usize + 1, 0);
                    }
                    self.generations[fd as usize] += 1;
                    self.open.insert(fd, stream);
                }
                continue;
            }
            let peer = Peer { fd, generation: self.generations[fd as usize] };
            loop {
                let received = receive(fd, &mut self.buffer);
                if received == 0 {
                    self.open.remove(&fd);
                } else if received > 0 {
                    let bytes = &self.buffer[..received as usize];
                    let requests = bytes.windows(4).filter(|end| *end == b"\r\n\r\n").count();
                    (0..requests).for_each(|_| request(peer));
                } else if io::Error::last_os_error().kind() != io::ErrorKind::WouldBlock {
                    self.open.remove(&fd);
                }
                // A short receive has emptied the socket.
                if received < self.buffer.len() as isize {
                    break;
                }
            }
        }
        Ok(())
    }
}

fn raise_file_limit() {
    // SAFETY: both pointers are to a live rlimit.
    unsafe {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit);
        limit.rlim_cur = limit.rlim_max;
        libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limit);
    }
}

/// The answer of every model: small, with the headers a usual server sends.
pub const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\nServer: mini\r\n\
    Date: Thu, 01 Jan 2026 00:00:00 GMT\r\nContent-Type: text/plain; charset=utf-8\r\n\
    Connection: keep-alive\r\nContent-Length: 11\r\n\r\nHello World";
