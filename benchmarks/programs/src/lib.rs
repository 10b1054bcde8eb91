//! What the yardsticks share: sleep and CPU time. Sockets they share with the known server.
//!
//! The system calls are made by hand, with as little around them as can be: a yardstick must not
//! be slower than what it measures.

pub mod usage;

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
