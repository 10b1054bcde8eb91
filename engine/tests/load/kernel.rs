//! What this machine's kernel offers, asked of the kernel itself and not of the engine.

use std::io;
use std::os::fd::{FromRawFd, OwnedFd};

use libc::{EACCES, ENOSYS, EPERM, SYS_io_uring_setup};

/// The first kernel that has all of io_uring that the engine uses.
const NEEDED: (u32, u32) = (6, 1);
/// The size of the kernel's `struct io_uring_params` in words.
const PARAMETERS: usize = 30;

/// Whether the kernel has enough of io_uring and lets this process use it: where it says so, the
/// engine has to be able to. A container or an administrator may forbid it.
///
/// # Panics
/// The kernel refuses for another reason than these.
pub fn offers_uring() -> bool {
    let mut parameters = [0_u32; PARAMETERS];
    // SAFETY: the kernel reads and writes one struct of this size, which lives until it returns.
    let ring = unsafe { libc::syscall(SYS_io_uring_setup, 1, parameters.as_mut_ptr()) };
    if ring >= 0 {
        // SAFETY: the kernel has just made this descriptor, which nobody else has.
        drop(unsafe { OwnedFd::from_raw_fd(ring as i32) });
        return release() >= NEEDED;
    }
    let error = io::Error::last_os_error();
    let refused = matches!(error.raw_os_error(), Some(ENOSYS | EPERM | EACCES));
    assert!(refused, "io_uring_setup: {error}");
    false
}

fn release() -> (u32, u32) {
    let name = rustix::system::uname();
    let release = name.release().to_str().expect("a release is text");
    let mut numbers = release.split(|sign: char| !sign.is_ascii_digit()).map(str::parse);
    let mut next = || numbers.next().expect("a release has two numbers").expect("of few digits");
    (next(), next())
}
