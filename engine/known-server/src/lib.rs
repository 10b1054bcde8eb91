//! A server whose behaviour is known, for judging load generators side by side.
//!
//! It reads requests as far as load generators send them here (a head, no body) and answers each
//! with the same few bytes, when its [`Model`] says. It is made so that any client is the slower
//! one: the system calls are made by hand, with as little around them as can be.

pub mod arguments;
mod connections;
pub mod epoll;
mod model;
mod server;

pub use connections::ANSWER;
pub use model::Model;
pub use server::Server;

/// Nanoseconds on the monotonic clock.
#[inline]
pub fn now() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a live timespec.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}
