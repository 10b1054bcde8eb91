//! How often something dear is done, by what it costs.

use rustix::time::{ClockId, clock_gettime};

/// How often something is done.
pub(super) struct Throttle {
    /// Seconds from one time to the next ...
    pub(super) every_s: f64,
    /// ... or more, so that it takes no more of a core.
    pub(super) share: f64,
}

impl Throttle {
    /// When to do again what was done at `now_s` for `cost_s` of CPU time.
    pub(super) fn next_s(&self, now_s: f64, cost_s: f64) -> f64 {
        now_s + self.every_s.max(cost_s / self.share)
    }
}

/// CPU seconds of the calling thread.
pub(super) fn thread_cpu_s() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

#[cfg(test)]
mod tests {
    use super::*;

    const THROTTLE: Throttle = Throttle { every_s: 0.5, share: 0.003 };

    #[test]
    fn what_is_dear_is_read_less_often() {
        assert_eq!(THROTTLE.next_s(1.0, 0.000_1), 1.5);
        assert_eq!(THROTTLE.next_s(1.0, 0.006), 3.0);
    }
}
