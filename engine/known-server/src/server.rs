//! Serves requests as a model says.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::connections::{Connections, Peer};
use crate::model::{MS, Model};
use crate::now;

/// Answers due sooner than this are polled for, so that they are not late by a wake-up.
const POLLED: u64 = MS / 20;

/// A server that listens.
pub struct Server(Connections);

impl Server {
    /// Listens on a port of 127.0.0.1; 0 takes a free one.
    ///
    /// # Errors
    /// What the system said, e.g. that the port is taken.
    pub fn listen(port: u16) -> io::Result<Server> {
        Connections::listen(port).map(Server)
    }

    /// Where it listens.
    ///
    /// # Errors
    /// What the system said.
    pub fn port(&self) -> io::Result<u16> {
        self.0.port()
    }

    /// A server for another thread's share of the connections that come to the same port.
    ///
    /// # Errors
    /// When there are no file descriptors left.
    pub fn share(&self) -> io::Result<Server> {
        self.0.share().map(Server)
    }

    /// Serves until the process ends. When the last connection has closed, it writes into `log` when
    /// it answered; an instant server does not.
    ///
    /// # Errors
    /// What the system said; none is expected in working order.
    pub fn serve(mut self, model: Model, log: Option<PathBuf>) -> io::Result<()> {
        if matches!(model, Model::Instant) {
            loop {
                self.0.serve(None, Peer::answer)?;
            }
        }
        self.serve_later(model, log.as_deref())
    }

    fn serve_later(&mut self, mut model: Model, log: Option<&Path>) -> io::Result<()> {
        let mut answered: Vec<u64> = Vec::new();
        // When, on which connection, and the how many-th request it was.
        let mut due: BinaryHeap<Reverse<(u64, Peer, usize)>> = BinaryHeap::new();
        // SAFETY: no pointers are passed. Without it the kernel wakes up to 50 µs late.
        unsafe { libc::prctl(libc::PR_SET_TIMERSLACK, 1 as libc::c_ulong) };
        loop {
            let time = now();
            let awake = model.awake(time);
            if awake > time {
                std::thread::sleep(Duration::from_nanos(awake - time));
                continue;
            }
            while let Some(Reverse((at, peer, number))) = due.peek().copied()
                && at <= now()
            {
                due.pop();
                if log.is_some() {
                    answered[number] = now();
                }
                self.0.answer(peer);
            }
            let left = due.peek().map(|Reverse((at, ..))| at.saturating_sub(now()));
            let timeout = left.map(|left| Duration::from_nanos(left.saturating_sub(POLLED)));
            let mut number = answered.len();
            self.0.serve(timeout, |peer| {
                let now = now();
                due.push(Reverse((model.due(now), peer, number)));
                number += usize::from(log.is_some());
            })?;
            answered.resize(number, 0);
            if self.0.open() == 0 {
                due.clear();
                if let Some(log) = log.filter(|_| !answered.is_empty()) {
                    write(log, &std::mem::take(&mut answered))?;
                }
            }
        }
    }
}

/// Written aside and renamed, so that a reader finds it whole.
fn write(log: &Path, answered: &[u64]) -> io::Result<()> {
    let bytes: Vec<u8> = answered.iter().copied().flat_map(u64::to_le_bytes).collect();
    let mut aside = log.as_os_str().to_owned();
    aside.push(".part");
    std::fs::write(&aside, bytes)?;
    std::fs::rename(&aside, log)
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpStream;

    use super::*;
    use crate::ANSWER;

    fn served(model: &str, log: Option<PathBuf>) -> TcpStream {
        let server = Server::listen(0).unwrap();
        let port = server.port().unwrap();
        let model = Model::of(model, 40).unwrap();
        std::thread::spawn(move || server.serve(model, log));
        TcpStream::connect(("127.0.0.1", port)).unwrap()
    }

    fn ask(stream: &mut TcpStream) {
        stream.write_all(&b"GET / HTTP/1.1\r\n\r\n".repeat(3)).unwrap();
        let mut answers = vec![0; 3 * ANSWER.len()];
        stream.read_exact(&mut answers).unwrap();
        assert_eq!(answers, ANSWER.repeat(3));
    }

    #[test]
    fn requests_are_answered_however_many_come_at_once() {
        for name in Model::NAMES {
            ask(&mut served(name, None));
        }
    }

    #[test]
    fn the_log_tells_when_each_request_was_answered() {
        let name = format!("webdyno-known-{}", std::process::id());
        let log = std::env::temp_dir().join(name);
        let before = now();
        let mut stream = served("queue", Some(log.clone()));
        ask(&mut stream);
        let after = now();
        drop(stream);
        let bytes = loop {
            match std::fs::read(&log) {
                Ok(bytes) => break bytes,
                Err(_) => std::thread::sleep(Duration::from_millis(1)),
            }
        };
        std::fs::remove_file(&log).unwrap();
        let times: Vec<u64> =
            bytes.chunks(8).map(|time| u64::from_le_bytes(time.try_into().unwrap())).collect();
        assert_eq!(times.len(), 3);
        assert!(times.is_sorted() && times[0] >= before && times[2] <= after, "{times:?}");
    }
}
