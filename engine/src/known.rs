//! A small server whose behaviour is known, for judging load generators side by side.
//!
//! It reads requests as far as load generators send them here (a head, no body) and answers each
//! with the same few bytes: at once, or 1 ms after reading with a standstill now and then. One
//! thread, made so that any client is the slower one.

use std::collections::{HashMap, VecDeque};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::fd::AsRawFd;
use std::time::Duration;

use memchr::memmem;
use rustix::buffer::spare_capacity;
use rustix::event::{Timespec, epoll};
use rustix::io::Errno;

use crate::os;

const MS: u64 = 1_000_000;
/// Answers due sooner than this are polled for, so that they are not late by a wake-up.
const POLLED: u64 = MS / 20;
const BATCH: usize = 256;
const QUEUE: i32 = 4096;

const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\n\
    Connection: keep-alive\r\nContent-Length: 11\r\n\r\nHello World";

/// When the server answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Behaviour {
    /// At once.
    Instant,
    /// 1 ms after reading, any number at once; of every 2 s since the first request the time from
    /// 1 s to 1.2 s is a standstill, in which it neither reads nor answers.
    Stall,
}

/// A server that listens.
#[derive(Debug)]
pub struct Known {
    behaviour: Behaviour,
    listener: TcpListener,
    epoll: std::os::fd::OwnedFd,
    open: HashMap<u64, TcpStream>,
    /// When an answer is due, and to whom: in order, as each takes the same time.
    due: VecDeque<(u64, u64)>,
    first: Option<u64>,
    buffer: Vec<u8>,
}

impl Known {
    /// Listens on a free port of 127.0.0.1.
    ///
    /// # Errors
    /// What the system said.
    pub fn listen(behaviour: Behaviour) -> std::io::Result<Known> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        // The standard library's queue of new connections is too short for thousands at once.
        rustix::net::listen(&listener, QUEUE)?;
        listener.set_nonblocking(true)?;
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        add(&epoll, &listener)?;
        Ok(Known {
            behaviour,
            listener,
            epoll,
            open: HashMap::new(),
            due: VecDeque::new(),
            first: None,
            buffer: vec![0; 64 * 1024],
        })
    }

    /// Where it listens.
    ///
    /// # Errors
    /// What the system said.
    pub fn port(&self) -> std::io::Result<u16> {
        Ok(self.listener.local_addr()?.port())
    }

    /// Serves until the process ends.
    ///
    /// # Errors
    /// What the system said; none is expected in working order.
    pub fn serve(mut self) -> std::io::Result<()> {
        os::wake_on_time();
        let mut ready: Vec<epoll::Event> = Vec::with_capacity(BATCH);
        loop {
            let now = os::now();
            let awake = stalled(now, self.first);
            if self.behaviour == Behaviour::Stall && awake > now {
                std::thread::sleep(Duration::from_nanos(awake - now));
                continue;
            }
            while let Some((time, id)) = self.due.front().copied()
                && time <= os::now()
            {
                self.due.pop_front();
                self.answer(id);
            }
            let left = self.due.front().map(|(time, _)| {
                let left = time.saturating_sub(os::now()).saturating_sub(POLLED);
                Timespec {
                    tv_sec: (left / 1_000_000_000) as i64,
                    tv_nsec: (left % 1_000_000_000) as i64,
                }
            });
            ready.clear();
            match epoll::wait(&self.epoll, spare_capacity(&mut ready), left.as_ref()) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
            for event in &ready {
                let id = event.data.u64();
                if id == self.listener.as_raw_fd() as u64 { self.accept()? } else { self.read(id) }
            }
        }
    }

    fn accept(&mut self) -> std::io::Result<()> {
        while let Ok((stream, _)) = self.listener.accept() {
            stream.set_nonblocking(true)?;
            stream.set_nodelay(true)?;
            add(&self.epoll, &stream)?;
            self.open.insert(stream.as_raw_fd() as u64, stream);
        }
        Ok(())
    }

    /// Reads what has come; each empty line ends a request.
    fn read(&mut self, id: u64) {
        loop {
            let Some(stream) = self.open.get_mut(&id) else { return };
            let count = match stream.read(&mut self.buffer) {
                Ok(0) => 0,
                Ok(count) => count,
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => return,
                Err(_) => 0,
            };
            if count == 0 {
                self.open.remove(&id);
                self.due.retain(|(_, other)| *other != id);
                return;
            }
            let requests = memmem::find_iter(&self.buffer[..count], b"\r\n\r\n").count();
            for _ in 0..requests {
                match self.behaviour {
                    Behaviour::Instant => self.answer(id),
                    Behaviour::Stall => {
                        let now = os::now();
                        self.first.get_or_insert(now);
                        self.due.push_back((now + MS, id));
                    }
                }
            }
            // A short read has emptied the socket, and what comes later is a new edge.
            if count < self.buffer.len() {
                return;
            }
        }
    }

    fn answer(&mut self, id: u64) {
        if let Some(stream) = self.open.get_mut(&id) {
            // So little always has room, unless the client reads nothing or is gone.
            let _ = stream.write(ANSWER);
        }
    }
}

fn add(
    epoll: &std::os::fd::OwnedFd,
    socket: &(impl AsRawFd + std::os::fd::AsFd),
) -> Result<(), Errno> {
    let data = epoll::EventData::new_u64(socket.as_raw_fd() as u64);
    let flags = epoll::EventFlags::IN | epoll::EventFlags::RDHUP | epoll::EventFlags::ET;
    epoll::add(epoll, socket, data, flags)
}

/// `time`, or the end of the standstill that it falls into.
fn stalled(time: u64, first: Option<u64>) -> u64 {
    let Some(first) = first else { return time };
    let phase = time.saturating_sub(first) % (2000 * MS);
    if (1000 * MS..1200 * MS).contains(&phase) { time + 1200 * MS - phase } else { time }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_every_two_seconds_a_fifth_of_one_is_a_standstill() {
        let at = |ms: u64| stalled(5 * MS + ms * MS, Some(5 * MS)) / MS - 5;
        assert_eq!([999, 1000, 1199, 1200, 3100].map(at), [999, 1200, 1200, 1200, 3200]);
        assert_eq!(stalled(7, None), 7);
    }

    #[test]
    fn requests_are_answered_however_many_come_at_once() {
        let known = Known::listen(Behaviour::Stall).unwrap();
        let port = known.port().unwrap();
        std::thread::spawn(move || known.serve());
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.write_all(&b"GET / HTTP/1.1\r\n\r\n".repeat(3)).unwrap();
        let mut answers = vec![0; 3 * ANSWER.len()];
        stream.read_exact(&mut answers).unwrap();
        assert_eq!(answers, ANSWER.repeat(3));
    }
}
