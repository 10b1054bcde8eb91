//! The kernel's word on when bytes came in.
//!
//! A thread that sleeps until its next send need not be woken by an answer to time it: the kernel
//! stamps every packet as it comes in, and tells the stamp of the last byte when it is read.

use std::os::fd::{AsRawFd, OwnedFd};
use std::time::Duration;

use rustix::io::Errno;
use rustix::time::{ClockId, clock_gettime};

use crate::os;

/// Room for one control message that holds a `timespec`.
pub const CONTROL: usize = 64;

/// Reads stamps, which are in wall-clock time, as times on the monotonic clock.
#[derive(Debug)]
pub struct Stamps {
    /// Wall clock less the system's monotonic clock, in nanoseconds, as of the last wait. Not less a
    /// load thread's own clock: that one stands still in pauses.
    ahead: i64,
}

impl Stamps {
    pub fn new() -> Stamps {
        let mut stamps = Stamps { ahead: 0 };
        stamps.adjust();
        stamps
    }

    /// Compares the clocks anew: the wall clock may be set while a load runs. A stamp from before
    /// that is seen to be wrong, because it lies before the request or after its reading.
    pub fn adjust(&mut self) {
        let wall = clock_gettime(ClockId::Realtime);
        let wall = wall.tv_sec * 1_000_000_000 + wall.tv_nsec;
        self.ahead = wall - os::system_now() as i64;
    }

    /// Receives once: how many bytes, and when the last of them came in.
    pub fn receive(
        &self,
        socket: &OwnedFd,
        buffer: &mut [u8],
    ) -> Result<(usize, Option<u64>), Errno> {
        let mut control = Control([0; CONTROL]);
        let mut piece = libc::iovec { iov_base: buffer.as_mut_ptr().cast(), iov_len: buffer.len() };
        // SAFETY: a zeroed msghdr is valid; every pointer put into it is to live memory of the
        // length that is said, and the kernel writes no more than that.
        let (count, message) = unsafe {
            let mut message: libc::msghdr = std::mem::zeroed();
            message.msg_iov = &raw mut piece;
            message.msg_iovlen = 1;
            message.msg_control = control.0.as_mut_ptr().cast();
            message.msg_controllen = CONTROL as _;
            (libc::recvmsg(socket.as_raw_fd(), &raw mut message, libc::MSG_DONTWAIT), message)
        };
        if count < 0 {
            return Err(last_error());
        }
        let control = &control.0[..message.msg_controllen.min(CONTROL)];
        Ok((count as usize, self.read(control)))
    }

    /// The stamp in control messages, of which it is the first, if it is there.
    pub fn read(&self, control: &[u8]) -> Option<u64> {
        // A `cmsghdr` (length, level, type) and a `timespec` (seconds, nanoseconds).
        let level = i32::from_ne_bytes(control.get(8..12)?.try_into().ok()?);
        let kind = i32::from_ne_bytes(control.get(12..16)?.try_into().ok()?);
        if (level, kind) != (libc::SOL_SOCKET, libc::SCM_TIMESTAMPNS) {
            return None;
        }
        let seconds = i64::from_ne_bytes(control.get(16..24)?.try_into().ok()?);
        let nanoseconds = i64::from_ne_bytes(control.get(24..32)?.try_into().ok()?);
        let system = u64::try_from(seconds * 1_000_000_000 + nanoseconds - self.ahead).ok()?;
        Some(os::then(system))
    }
}

/// Control messages begin at multiples of a word.
#[repr(align(8))]
struct Control([u8; CONTROL]);

/// Has the kernel stamp what comes in on `socket`. One that does not leaves the time of reading.
pub fn ask(socket: &OwnedFd) {
    let on: libc::c_int = 1;
    // SAFETY: the pointer is to a live integer of the length that is said.
    unsafe {
        libc::setsockopt(
            socket.as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_TIMESTAMPNS,
            (&raw const on).cast(),
            size_of_val(&on) as libc::socklen_t,
        );
    }
}

/// Sleeps for a time, whatever comes in.
pub fn sleep(timeout: Duration) {
    let request = libc::timespec {
        tv_sec: timeout.as_secs() as libc::time_t,
        tv_nsec: timeout.subsec_nanos().into(),
    };
    // SAFETY: the pointer is to a live timespec; none is given for what a signal leaves.
    unsafe {
        libc::clock_nanosleep(libc::CLOCK_MONOTONIC, 0, &raw const request, std::ptr::null_mut());
    }
}

fn last_error() -> Errno {
    let error = std::io::Error::last_os_error();
    Errno::from_io_error(&error).unwrap_or(Errno::IO)
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::net::{TcpListener, TcpStream};

    use super::*;

    #[test]
    fn a_stamp_tells_when_bytes_came_not_when_they_were_read() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut server = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let client = OwnedFd::from(listener.accept().unwrap().0);
        ask(&client);
        let mut buffer = [0; 64];
        // The kernel begins to stamp some time after it was first asked to.
        for _ in 0..50 {
            let before = os::now();
            server.write_all(b"answer").unwrap();
            let sent = os::now();
            sleep(Duration::from_millis(20));
            let (count, at) = Stamps::new().receive(&client, &mut buffer).unwrap();
            assert_eq!(&buffer[..count], b"answer");
            // On loopback the sender itself brings the bytes to the receiver; a microsecond is for
            // reading two clocks one after the other.
            if let Some(at) = at {
                assert!((before - 1000..sent + 10_000_000).contains(&at), "{before} {at} {sent}");
                return;
            }
        }
        panic!("no stamp came");
    }

    #[test]
    fn a_stamp_from_before_or_within_a_pause_is_as_late_as_it_was() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut server = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let client = OwnedFd::from(listener.accept().unwrap().0);
        ask(&client);
        let mut buffer = [0; 64];
        let (mut before, mut within) = (0, 0);
        for _ in 0..50 {
            for during in [false, true] {
                let begun = os::now();
                let mut write = || server.write_all(b"answer").unwrap();
                if !during {
                    write();
                }
                os::stand_still(|| {
                    sleep(Duration::from_millis(10));
                    if during {
                        write();
                    }
                    sleep(Duration::from_millis(10));
                });
                let (_, at) = Stamps::new().receive(&client, &mut buffer).unwrap();
                if let Some(at) = at {
                    // An answer is never read to have come before what asked for it.
                    assert!(at + 1000 >= begun && at <= os::now(), "{during}: {begun} {at}");
                    *(if during { &mut within } else { &mut before }) += 1;
                }
            }
            if before > 3 && within > 3 {
                return;
            }
        }
        panic!("no stamps came");
    }

    #[test]
    fn nothing_to_read_is_no_stamp() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let received = Stamps::new().receive(&OwnedFd::from(stream), &mut [0; 8]);
        assert_eq!(received, Err(Errno::AGAIN));
    }
}
