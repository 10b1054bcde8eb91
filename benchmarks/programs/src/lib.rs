//! What the floor client and the servers share: epoll, sockets, CPU time.
//!
//! The system calls are made by hand, with as little around them as can be: a yardstick must not
//! be slower than what it measures.

pub mod arguments;
pub mod epoll;
pub mod server;
pub mod usage;

/// Nanoseconds on the monotonic clock.
#[inline]
pub fn now() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a live timespec.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Sleeps until `due`, in nanoseconds on the monotonic clock.
pub fn sleep_until(due: u64) {
    let time = libc::timespec {
        tv_sec: (due / 1_000_000_000) as libc::time_t,
        tv_nsec: (due % 1_000_000_000) as libc::c_long,
    };
    // SAFETY: the pointer is to a live timespec; an interrupted sleep needs no remainder.
    unsafe {
        libc::clock_nanosleep(
            libc::CLOCK_MONOTONIC,
            libc::TIMER_ABSTIME,
            &raw const time,
            std::ptr::null_mut(),
        );
    }
}
