//! A minimal HTTP server: answers every request alike and at once, on one thread or several.
//!
//! `mini port=8080 threads=1`

use std::thread;

use webdyno_benchmarks::arguments::value;
use webdyno_benchmarks::epoll::send;
use webdyno_benchmarks::server::{ANSWER, Connections};

fn main() {
    let connections = Connections::listen(value("port", 0));
    for _ in 1..value("threads", 1) {
        let share = connections.share();
        thread::spawn(move || answer(share));
    }
    answer(connections);
}

fn answer(mut connections: Connections) {
    loop {
        connections.serve(None, |fd| {
            send(fd, ANSWER);
        });
    }
}
