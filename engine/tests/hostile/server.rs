//! A server that does to each connection whatever a row says, on a thread of its own.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::fd::AsRawFd;
use std::thread;
use std::time::Duration;

/// One connection, from the server's side; it is closed when it is dropped.
pub struct Peer {
    stream: TcpStream,
    buffer: Vec<u8>,
}

/// Starts a server whose connections are handled by `handle`; its port. It ends with the process.
pub fn start(handle: fn(&mut Peer)) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || {
                stream.set_nodelay(true).unwrap();
                handle(&mut Peer { stream, buffer: Vec::new() });
            });
        }
    });
    port
}

impl Peer {
    /// Waits for the head of the next request; false at the end of the connection. A body, if
    /// there is one, stays unread.
    pub fn request(&mut self) -> bool {
        loop {
            let end = self.buffer.windows(4).position(|end| end == b"\r\n\r\n");
            if let Some(end) = end {
                self.buffer.drain(..end + 4);
                return true;
            }
            if !self.read() {
                return false;
            }
        }
    }

    fn read(&mut self) -> bool {
        let mut piece = [0; 16 * 1024];
        match self.stream.read(&mut piece) {
            Ok(0) | Err(_) => false,
            Ok(count) => {
                self.buffer.extend_from_slice(&piece[..count]);
                true
            }
        }
    }

    /// Reads and forgets until `bytes` have come, or to the end of the connection.
    pub fn swallow(&mut self, bytes: usize) {
        while self.buffer.len() < bytes {
            if !self.read() {
                return;
            }
        }
        self.buffer.drain(..bytes);
    }

    /// The next `bytes` bytes; `None` if the connection ends first.
    pub fn take(&mut self, bytes: usize) -> Option<Vec<u8>> {
        while self.buffer.len() < bytes {
            if !self.read() {
                return None;
            }
        }
        Some(self.buffer.drain(..bytes).collect())
    }

    /// Waits until more has come, or the client has closed the connection, and leaves it unread.
    pub fn await_more(&self) {
        let _ = self.stream.peek(&mut [0]);
    }

    /// Holds the connection open, reading, until the client closes it.
    pub fn hold(&mut self) {
        while self.read() {
            self.buffer.clear();
        }
    }

    /// Sends bytes; whether the client still took them.
    pub fn write(&mut self, bytes: impl AsRef<[u8]>) -> bool {
        self.stream.write_all(bytes.as_ref()).is_ok()
    }

    /// Sends bytes one at a time, with a pause before each.
    pub fn drip(&mut self, bytes: impl AsRef<[u8]>, pause: Duration) -> bool {
        bytes.as_ref().iter().all(|byte| {
            thread::sleep(pause);
            self.write([*byte])
        })
    }

    /// Says that nothing more will be sent, and goes on reading.
    pub fn half_close(&mut self) {
        let _ = self.stream.shutdown(Shutdown::Write);
        self.hold();
    }

    /// Gives up waiting for bytes after `patience`.
    pub fn wait_at_most(&mut self, patience: Duration) {
        self.stream.set_read_timeout(Some(patience)).unwrap();
    }

    /// Has the kernel hold little of what the client sends and nobody reads.
    pub fn hold_little(&mut self) {
        rustix::net::sockopt::set_socket_recv_buffer_size(&self.stream, 4096).unwrap();
    }

    /// Arranges that closing the connection resets it.
    pub fn reset_on_close(&mut self) {
        let linger = libc::linger { l_onoff: 1, l_linger: 0 };
        // SAFETY: the socket is open, and the option's value is a live `linger` of that size.
        let done = unsafe {
            libc::setsockopt(
                self.stream.as_raw_fd(),
                libc::SOL_SOCKET,
                libc::SO_LINGER,
                (&raw const linger).cast(),
                size_of_val(&linger) as libc::socklen_t,
            )
        };
        assert_eq!(done, 0);
    }
}

/// The right answer.
pub const HELLO: &str = "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nHello World";

/// Answers every request of the connection alike, in one piece.
pub fn each(peer: &mut Peer, answer: impl AsRef<[u8]>) {
    while peer.request() && peer.write(answer.as_ref()) {}
}
