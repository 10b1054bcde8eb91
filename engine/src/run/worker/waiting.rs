//! How a thread waits: for events, for the next send, for the end of a pause.

use std::cmp::Reverse;
use std::ops::RangeInclusive;
use std::time::Duration;

use super::Worker;
use crate::os;
use crate::protocol::Protocol;
use crate::reactor::Errno;

/// Only so long a thread sleeps without looking at what comes in: a connection that the server
/// closes meanwhile could be given the next request before that is seen.
const RESTS: RangeInclusive<Duration> = Duration::from_micros(10)..=Duration::from_millis(2);

impl<P: Protocol> Worker<'_, P> {
    pub(super) fn hold_if_asked(&self) {
        if self.shared.pause.is_requested() {
            self.shared.pause.hold();
        }
    }

    /// Whether the thread can sleep until its next send, and read then what came in meanwhile: one
    /// wake-up for a request rather than two. The kernel tells when the answers came; the server
    /// must not notice, and no connection may be wanted before.
    pub(super) fn may_rest(&self, timeout: Duration) -> bool {
        self.rests
            && RESTS.contains(&timeout)
            && !self.bulky
            && self.connecting == 0
            && self.has_idle()
    }

    /// How long nothing needs to be done, if nothing comes in.
    pub(super) fn timeout(&mut self, now: u64) -> Duration {
        let mut until = self.exchange.recorder.next_tick().min(self.next_scan);
        if let Some(Reverse((time, _))) = self.retries.peek() {
            until = until.min(*time);
        }
        let deadline = self.pace.deadline();
        if deadline > now {
            until = until.min(deadline);
        }
        let due = if self.has_idle() { Some(self.pace.next_due()) } else { self.due_unserved() };
        if let Some(due) = due
            && due < until
        {
            until = self.punctual.aim(due, now);
        }
        Duration::from_nanos(until.saturating_sub(now))
    }

    /// Waits for events and handles them; whether there were any.
    pub(super) fn look(&mut self, timeout: Duration) -> Result<bool, String> {
        let due = self.unstamped.then(|| os::now() + timeout.as_nanos() as u64);
        self.protocol.wait(timeout).map_err(waiting_failed)?;
        if let Some(due) = due {
            self.exchange.recorder.looked(due, os::now());
        }
        let mut any = false;
        while self.handle_event() {
            any = true;
        }
        Ok(any)
    }

    /// Sleeps for a time, and reads then what came in meanwhile.
    pub(super) fn rest(&mut self, timeout: Duration) -> Result<(), String> {
        self.protocol.sleep(timeout).map_err(waiting_failed)?;
        self.look(Duration::ZERO)?;
        Ok(())
    }
}

pub(super) fn waiting_failed(error: Errno) -> String {
    if matches!(error, Errno::NOSYS | Errno::PERM) {
        return "load: this kernel, or the sandbox around Webdyno, does not allow epoll_pwait2; use \
                Linux 5.11 or newer"
            .to_owned();
    }
    format!("load: waiting for events failed: {error}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_that_is_too_old_is_named() {
        for error in [Errno::NOSYS, Errno::PERM] {
            assert!(waiting_failed(error).ends_with("use Linux 5.11 or newer"), "{error}");
        }
        assert!(waiting_failed(Errno::BADF).starts_with("load: waiting for events failed: "));
    }
}
