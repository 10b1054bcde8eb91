//! A server whose behaviour a test knows exactly: a thread for each connection.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

/// A server on a port of its own, until it is dropped.
pub struct Server {
    pub port: u16,
    requests: Arc<AtomicU64>,
    stop: Arc<AtomicBool>,
}

/// One connection, from the server's side.
pub struct Peer {
    stream: TcpStream,
    buffer: Vec<u8>,
    requests: Arc<AtomicU64>,
}

impl Server {
    /// A server that handles each connection with `handle`, and closes it when that returns.
    pub fn start(handle: impl Fn(Peer) + Send + Sync + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (requests, stop) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        let (seen, stopped, handle) = (requests.clone(), stop.clone(), Arc::new(handle));
        thread::spawn(move || {
            for stream in listener.incoming() {
                if stopped.load(Ordering::SeqCst) {
                    break;
                }
                let Ok(stream) = stream else { continue };
                let (handle, requests) = (handle.clone(), seen.clone());
                thread::spawn(move || {
                    stream.set_nodelay(true).unwrap();
                    handle(Peer { stream, buffer: Vec::new(), requests });
                });
            }
        });
        Server { port, requests, stop }
    }

    /// A server that answers every request with what `answer` gives for its head and body, and
    /// keeps the connection; an empty answer closes it.
    pub fn answering(answer: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static) -> Server {
        Server::start(move |mut peer| {
            while let Some(request) = peer.request() {
                let answer = answer(&request);
                if answer.is_empty() || !peer.write(&answer) {
                    break;
                }
            }
        })
    }

    /// Whole requests received so far.
    pub fn requests(&self) -> u64 {
        self.requests.load(Ordering::SeqCst)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        // Ends the wait for the next connection.
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

impl Peer {
    /// The next request as text, `None` at the end of the connection.
    pub fn request(&mut self) -> Option<String> {
        loop {
            if let Some(length) = whole_request(&self.buffer) {
                let request: Vec<u8> = self.buffer.drain(..length).collect();
                self.requests.fetch_add(1, Ordering::SeqCst);
                return Some(String::from_utf8_lossy(&request).into_owned());
            }
            let mut piece = [0; 16 * 1024];
            match self.stream.read(&mut piece) {
                Ok(0) | Err(_) => return None,
                Ok(count) => self.buffer.extend_from_slice(&piece[..count]),
            }
        }
    }

    /// The connection, for who is to end it from outside.
    pub fn shared(&self) -> TcpStream {
        self.stream.try_clone().unwrap()
    }

    /// Sends bytes; whether the client still took them.
    pub fn write(&mut self, bytes: &[u8]) -> bool {
        self.stream.write_all(bytes).is_ok()
    }
}

fn whole_request(bytes: &[u8]) -> Option<usize> {
    let head = bytes.windows(4).position(|end| end == b"\r\n\r\n")? + 4;
    let text = String::from_utf8_lossy(&bytes[..head]).to_ascii_lowercase();
    let body = text.split("content-length: ").nth(1);
    let body = body.map_or(0, |rest| rest.lines().next().unwrap().parse().unwrap());
    (bytes.len() >= head + body).then_some(head + body)
}

/// An answer with a status, further header lines, and a body.
pub fn answer(status: u16, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 {status} S\r\n{headers}Content-Length: {length}\r\n\r\n{body}").into_bytes()
}

/// The usual answer.
pub fn hello() -> Vec<u8> {
    answer(200, "Content-Type: text/plain\r\n", "Hello World")
}
