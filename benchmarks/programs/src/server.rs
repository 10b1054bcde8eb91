//! What the servers share: accepting connections and finding whole requests.

use std::collections::HashMap;
use std::net::{TcpListener, TcpStream};
use std::os::fd::{AsRawFd, RawFd};
use std::time::Duration;

use crate::epoll::{Epoll, receive};

/// The connections of a server: an epoll set, and what has been received of each.
pub struct Connections {
    epoll: Epoll,
    listener: TcpListener,
    open: HashMap<RawFd, TcpStream>,
    ready: Vec<RawFd>,
    buffer: Vec<u8>,
}

impl Connections {
    /// Listens on a port of 127.0.0.1; 0 takes a free one. The port is printed on standard output.
    ///
    /// # Panics
    /// When the port is taken.
    pub fn listen(port: u16) -> Connections {
        let listener = TcpListener::bind(("127.0.0.1", port)).expect("a free port");
        // The standard library's queue of new connections is too short for thousands at once.
        // SAFETY: the descriptor is a listening socket's.
        unsafe { libc::listen(listener.as_raw_fd(), 4096) };
        println!("{}", listener.local_addr().expect("a bound port").port());
        listener.set_nonblocking(true).expect("a socket can be made non-blocking");
        raise_file_limit();
        Connections::of(listener)
    }

    /// Another thread's share of the connections that come to the same port.
    ///
    /// # Panics
    /// When there are no file descriptors left.
    pub fn share(&self) -> Connections {
        Connections::of(self.listener.try_clone().expect("a file descriptor"))
    }

    fn of(listener: TcpListener) -> Connections {
        let epoll = Epoll::new().expect("an epoll set");
        epoll.add(&listener).expect("room in the epoll set");
        let (open, ready) = (HashMap::new(), Vec::new());
        Connections { epoll, listener, open, ready, buffer: vec![0; 64 * 1024] }
    }

    /// How many connections are open.
    pub fn open(&self) -> usize {
        self.open.len()
    }

    /// Waits for requests, and calls `request` with the connection of each that came.
    ///
    /// Each receive is taken for whole requests, as many as end in an empty line: the clients of
    /// these benchmarks send a small request in one piece and no body.
    pub fn serve(&mut self, timeout: Option<Duration>, mut request: impl FnMut(RawFd)) {
        self.ready.clear();
        self.ready.extend(self.epoll.wait(timeout));
        for index in 0..self.ready.len() {
            let fd = self.ready[index];
            if fd == self.listener.as_raw_fd() {
                while let Ok((stream, _)) = self.listener.accept() {
                    stream.set_nodelay(true).expect("a TCP socket");
                    self.epoll.add(&stream).expect("room in the epoll set");
                    self.open.insert(stream.as_raw_fd(), stream);
                }
                continue;
            }
            loop {
                let received = receive(fd, &mut self.buffer);
                if received == 0 {
                    self.open.remove(&fd);
                } else if received > 0 {
                    let bytes = &self.buffer[..received as usize];
                    let requests = bytes.windows(4).filter(|end| *end == b"\r\n\r\n").count();
                    (0..requests).for_each(|_| request(fd));
                } else if std::io::Error::last_os_error().kind() != std::io::ErrorKind::WouldBlock {
                    self.open.remove(&fd);
                }
                // A short receive has emptied the socket.
                if received < self.buffer.len() as isize {
                    break;
                }
            }
        }
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

/// The answer of every server here: small, with the headers a usual server sends.
pub const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\nServer: mini\r\n\
    Date: Thu, 01 Jan 2026 00:00:00 GMT\r\nContent-Type: text/plain; charset=utf-8\r\n\
    Connection: keep-alive\r\nContent-Length: 11\r\n\r\nHello World";
