//! The floor client: what a load costs when nothing is done with the answers.
//!
//! Nothing is parsed, timed or recorded, so no client costs less that waits as this one does. In a
//! closed load each connection sends the same prebuilt request again, over epoll, once as many bytes
//! have come as one answer has. At a `rate` it sleeps until the next request is due, takes the
//! answer of the one before, sends, and sleeps again: three system calls and one wake-up a request.
//!
//! `floor port=8080 connections=64 seconds=3 bytes=165`, `bytes` being the length of an answer
//! `floor port=8080 connections=64 seconds=3 rate=1000`

use std::io;
use std::net::TcpStream;
use std::os::fd::AsRawFd;
use std::time::Duration;

use webdyno_benchmarks::{sleep_until, usage};
use webdyno_known_server::arguments::value;
use webdyno_known_server::epoll::{Epoll, receive, send};
use webdyno_known_server::{ANSWER, now};

/// The same bytes as the engine sends.
fn request(port: u16) -> Vec<u8> {
    format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n").into_bytes()
}

fn main() {
    let port: u16 = value("port", 8080);
    let seconds: f64 = value("seconds", 3.0);
    let rate: f64 = value("rate", 0.0);
    let request = request(port);
    let streams: Vec<TcpStream> = (0..value("connections", 64))
        .map(|_| {
            let stream = TcpStream::connect(("127.0.0.1", port)).expect("a server on that port");
            stream.set_nodelay(true).expect("a TCP socket");
            stream
        })
        .collect();

    let (user_before, system_before) = usage::cpu_seconds();
    let start = now();
    let end = start + (seconds * 1e9) as u64;
    let requests = if rate > 0.0 {
        paced(&streams, &request, start, end, rate)
    } else {
        closed(&streams, &request, end).expect("an epoll set with room")
    };
    let elapsed = (now() - start) as f64 / 1e9;
    let (user, system) = usage::cpu_seconds();
    let (user, system) = (user - user_before, system - system_before);
    println!(
        "{{\"requests\": {requests}, \"elapsed_s\": {elapsed}, \"cpu_user_s\": {user}, \
         \"cpu_system_s\": {system}, \"peak_bytes\": {}}}",
        usage::peak_bytes()
    );
}

/// As fast as the answers come; how many came whole.
fn closed(streams: &[TcpStream], request: &[u8], end: u64) -> io::Result<u64> {
    let answer: usize = value("bytes", ANSWER.len());
    let mut epoll = Epoll::new()?;
    for stream in streams {
        epoll.add(stream)?;
    }
    // A table by descriptor, because a map's look-ups would be part of the floor.
    let highest = streams.iter().map(|stream| stream.as_raw_fd() as usize).max();
    let mut table = vec![0; highest.map_or(0, |fd| fd + 1)];
    for stream in streams {
        send(stream.as_raw_fd(), request);
    }
    let mut buffer = vec![0; 64 * 1024];
    let mut requests = 0u64;
    // The clock is read once a batch: the floor has to know when to stop.
    while now() < end {
        for fd in epoll.wait(Some(Duration::from_millis(100))) {
            let count = receive(fd, &mut buffer);
            if count <= 0 {
                continue;
            }
            let so_far: &mut usize = &mut table[fd as usize];
            *so_far += count as usize;
            if *so_far >= answer {
                *so_far = 0;
                requests += 1;
                send(fd, request);
            }
        }
    }
    Ok(requests)
}

/// One request after the other at even distances, connections in turn; how many were sent.
fn paced(streams: &[TcpStream], request: &[u8], start: u64, end: u64, rate: f64) -> u64 {
    let mut buffer = vec![0; 64 * 1024];
    let mut sent = 0u64;
    let mut last = None;
    usage::precise_timers();
    loop {
        let due = start + (sent as f64 * 1e9 / rate) as u64;
        sleep_until(due.min(end));
        if let Some(fd) = last {
            receive(fd, &mut buffer);
        }
        if due >= end {
            return sent;
        }
        let fd = streams[sent as usize % streams.len()].as_raw_fd();
        send(fd, request);
        last = Some(fd);
        sent += 1;
    }
}
