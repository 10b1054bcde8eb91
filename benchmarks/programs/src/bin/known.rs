//! Servers whose latencies a simulation can tell: for judging whether a client measures the truth.
//!
//! `known model=stall port=8080`, the models being
//! - `stall`: answers 1 ms after reading, any number at once, and stands still for 200 ms every 2 s
//! - `heavy`: answers each after a time drawn from a Pareto distribution (0.5 ms, α = 1.5, at most
//!   500 ms), any number at once
//! - `queue`: one at a time, each taking `service_us`: M/D/1 under Poisson arrivals
//! - `slow-start`: answers after 20 ms at first, falling in a straight line to 1 ms within 2 s of
//!   the first request, any number at once
//!
//! It polls while an answer is due within some microseconds, so as to be right to fewer.
//!
//! With `log=FILE` it writes when it answered each request, in the order they were read, once the
//! last connection has closed: monotonic nanoseconds, 8 bytes each, little-endian. On a busy machine
//! it is late now and then, and only it knows when.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::os::fd::RawFd;
use std::time::Duration;

use webdyno_benchmarks::arguments::value;
use webdyno_benchmarks::epoll::send;
use webdyno_benchmarks::now;
use webdyno_benchmarks::server::{ANSWER, Connections};

const MS: u64 = 1_000_000;
/// Answers due sooner than this are polled for.
const POLLED: u64 = MS / 20;

/// When an answer is due, given when its request was read.
enum Model {
    Stall { first: Option<u64> },
    Heavy { state: u64 },
    Queue { service: u64, free: u64 },
    SlowStart { first: Option<u64> },
}

impl Model {
    fn new(name: &str) -> Model {
        match name {
            "stall" => Model::Stall { first: None },
            "heavy" => Model::Heavy { state: 0x9E37_79B9_7F4A_7C15 },
            "queue" => Model::Queue { service: value("service_us", 40) * 1000, free: 0 },
            "slow-start" => Model::SlowStart { first: None },
            _ => panic!("model={name}: no such model; use stall, heavy, queue or slow-start"),
        }
    }

    fn due(&mut self, now: u64) -> u64 {
        match self {
            Model::Stall { first } => stalled(now + MS, *first.get_or_insert(now)),
            Model::Heavy { state } => now + pareto(state),
            Model::Queue { service, free } => {
                *free = now.max(*free) + *service;
                *free
            }
            Model::SlowStart { first } => {
                let age = now - *first.get_or_insert(now);
                now + MS + 19 * MS * (2000 * MS).saturating_sub(age) / (2000 * MS)
            }
        }
    }

    /// When the server next does anything, at `now` or after a stall.
    fn awake(&self, now: u64) -> u64 {
        match self {
            Model::Stall { first: Some(first) } => stalled(now, *first),
            _ => now,
        }
    }
}

/// `time`, or the end of the stall it falls into. Of every 2 s since the first request, the time
/// from 1 s to 1.2 s is a stall.
fn stalled(time: u64, first: u64) -> u64 {
    let phase = time.saturating_sub(first) % (2000 * MS);
    if (1000 * MS..1200 * MS).contains(&phase) { time + 1200 * MS - phase } else { time }
}

/// A time with a heavy tail, by the inverse of its distribution; `state` is a xorshift generator's.
fn pareto(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    let unit = ((*state >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
    ((0.5 * unit.powf(-1.0 / 1.5)).min(500.0) * MS as f64) as u64
}

fn main() {
    let mut connections = Connections::listen(value("port", 0));
    let mut model = Model::new(&value("model", "stall".to_owned()));
    let log: String = value("log", String::new());
    let mut answered: Vec<u64> = Vec::new();
    // When, on which connection, and the how many-th request it was.
    let mut due: BinaryHeap<Reverse<(u64, RawFd, usize)>> = BinaryHeap::new();
    // SAFETY: no pointers are passed. Without it the kernel wakes up to 50 µs late.
    unsafe { libc::prctl(libc::PR_SET_TIMERSLACK, 1) };
    loop {
        let time = now();
        let awake = model.awake(time);
        if awake > time {
            std::thread::sleep(Duration::from_nanos(awake - time));
            continue;
        }
        while let Some(Reverse((at, fd, number))) = due.peek().copied()
            && at <= now()
        {
            due.pop();
            answered[number] = now();
            send(fd, ANSWER);
        }
        let left = due.peek().map(|Reverse((at, ..))| at.saturating_sub(now()));
        let timeout = left.map(|left| Duration::from_nanos(left.saturating_sub(POLLED)));
        connections.serve(timeout, |fd| {
            let now = now();
            due.push(Reverse((model.due(now), fd, answered.len())));
            answered.push(0);
        });
        if !answered.is_empty() && !log.is_empty() && connections.open() == 0 {
            let bytes: Vec<u8> = answered.drain(..).flat_map(u64::to_le_bytes).collect();
            due.clear();
            // Written aside and renamed, so that a reader finds it whole.
            let aside = format!("{log}.part");
            std::fs::write(&aside, bytes).expect("a file can be written");
            std::fs::rename(&aside, &log).expect("a file can be renamed");
        }
    }
}
