//! A minimal HTTP server: answers every request alike and at once, on one thread.
//!
//! `mini port=8080`

use webdyno_benchmarks::arguments::value;
use webdyno_benchmarks::epoll::send;
use webdyno_benchmarks::server::{ANSWER, Connections};

fn main() {
    let mut connections = Connections::listen(value("port", 0));
    loop {
        connections.serve(None, |fd| {
            send(fd, ANSWER);
        });
    }
}
