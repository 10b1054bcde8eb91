//! The floor client: what a load over epoll costs when nothing is done with the answers.
//!
//! Each connection sends the same prebuilt request again once as many bytes have come as one
//! answer has. Nothing is parsed, timed or recorded, so no client over epoll can cost less.
//!
//! `floor port=8080 connections=64 seconds=3 bytes=165`, `bytes` being the length of an answer

use std::collections::HashMap;
use std::net::TcpStream;
use std::os::fd::AsRawFd;
use std::time::Duration;

use webdyno_benchmarks::arguments::value;
use webdyno_benchmarks::epoll::{Epoll, receive, send};
use webdyno_benchmarks::{now, server, usage};

/// The same bytes as the engine sends.
fn request(port: u16) -> Vec<u8> {
    format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n").into_bytes()
}

fn main() {
    let port: u16 = value("port", 8080);
    let seconds: f64 = value("seconds", 3.0);
    let answer: usize = value("bytes", server::ANSWER.len());
    let request = request(port);

    let mut epoll = Epoll::new().expect("an epoll set");
    let mut received: HashMap<i32, usize> = HashMap::new();
    let streams: Vec<TcpStream> = (0..value("connections", 64))
        .map(|_| {
            let stream = TcpStream::connect(("127.0.0.1", port)).expect("a server on that port");
            stream.set_nodelay(true).expect("a TCP socket");
            epoll.add(&stream).expect("room in the epoll set");
            received.insert(stream.as_raw_fd(), 0);
            stream
        })
        .collect();
    // A table by descriptor, because a map's look-ups would be part of the floor.
    let mut table = vec![0; received.keys().max().map_or(0, |fd| *fd as usize + 1)];

    let (user_before, system_before) = usage::cpu_seconds();
    let start = now();
    let end = start + (seconds * 1e9) as u64;
    for stream in &streams {
        send(stream.as_raw_fd(), &request);
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
                send(fd, &request);
            }
        }
    }
    let elapsed = (now() - start) as f64 / 1e9;
    let (user, system) = usage::cpu_seconds();
    let (user, system) = (user - user_before, system - system_before);
    println!(
        "{{\"requests\": {requests}, \"elapsed_s\": {elapsed}, \"cpu_user_s\": {user}, \
         \"cpu_system_s\": {system}, \"peak_bytes\": {}}}",
        usage::peak_bytes()
    );
}
