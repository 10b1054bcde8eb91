//! What a load thread asks of the operating system: clocks, CPU time, placement, file limits.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io;
use std::num::NonZeroU64;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::thread::{CpuSet, sched_setaffinity, set_current_timer_slack};
use rustix::time::{ClockId, clock_gettime};

thread_local! {
    /// Nanoseconds for which the calling thread's clock has stood still.
    static STOOD_STILL: Cell<u64> = const { Cell::new(0) };
    /// Its last pauses, the latest last.
    static PAUSES: RefCell<VecDeque<Still>> = const { RefCell::new(VecDeque::new()) };
}

/// Pauses that a thread remembers: whatever came in before them has been read long ago.
const PAUSES_KEPT: usize = 16;

/// A time for which a thread's clock stood still.
#[derive(Debug, Clone, Copy)]
struct Still {
    /// On the clock of the system.
    began: u64,
    ended: u64,
    /// Nanoseconds for which the thread's had stood still before.
    before: u64,
}

/// Nanoseconds on the monotonic clock, less those that the calling thread spent in `stand_still`;
/// every time inside the engine is of this kind.
#[inline]
pub fn now() -> u64 {
    system_now() - STOOD_STILL.get()
}

/// What the system's clock showed when the calling thread's showed `now`, if that was after its last
/// pause.
#[inline]
pub fn on_system(now: u64) -> u64 {
    now + STOOD_STILL.get()
}

/// Nanoseconds on the system's monotonic clock.
#[inline]
pub fn system_now() -> u64 {
    let time = clock_gettime(ClockId::Monotonic);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// What the calling thread's clock showed when the system's showed `system`, a time in the past.
pub fn then(system: u64) -> u64 {
    PAUSES.with_borrow(|pauses| {
        let after = pauses.iter().rev().take_while(|pause| system < pause.ended).last();
        match after {
            None => system.saturating_sub(STOOD_STILL.get()),
            // Within a pause it stood still.
            Some(pause) => system.min(pause.began).saturating_sub(pause.before),
        }
    })
}

/// Does `body` while the calling thread's clock stands still.
pub fn stand_still(body: impl FnOnce()) {
    let (began, before) = (system_now(), STOOD_STILL.get());
    body();
    let ended = system_now();
    STOOD_STILL.set(before + (ended - began));
    PAUSES.with_borrow_mut(|pauses| {
        if pauses.len() == PAUSES_KEPT {
            pauses.pop_front();
        }
        pauses.push_back(Still { began, ended, before });
    });
}

/// CPU time that the calling thread has used, in nanoseconds.
pub fn thread_cpu() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Seconds since 1970.
pub fn unix_time() -> f64 {
    let time = clock_gettime(ClockId::Realtime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// CPU time a thread has used, in seconds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct CpuTime {
    /// In its own code.
    pub user_s: f64,
    /// In the kernel on its behalf.
    pub system_s: f64,
}

impl CpuTime {
    /// What the calling thread has used so far.
    pub fn of_this_thread() -> CpuTime {
        let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
        // SAFETY: the pointer is to a live rusage, which the call fills; a zeroed one is valid too.
        let usage = unsafe {
            libc::getrusage(libc::RUSAGE_THREAD, usage.as_mut_ptr());
            usage.assume_init()
        };
        let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
        CpuTime { user_s: seconds(usage.ru_utime), system_s: seconds(usage.ru_stime) }
    }

    /// User and system together.
    pub fn total_s(&self) -> f64 {
        self.user_s + self.system_s
    }

    /// What was used after `earlier`.
    pub fn less(&self, earlier: CpuTime) -> CpuTime {
        CpuTime {
            user_s: (self.user_s - earlier.user_s).max(0.0),
            system_s: (self.system_s - earlier.system_s).max(0.0),
        }
    }
}

/// Has the kernel wake the calling thread when its timers fall due, not up to 50 µs later.
pub fn wake_on_time() {
    // A kernel that refuses leaves the default slack; the send lag then shows it.
    let _ = set_current_timer_slack(NonZeroU64::new(1));
}

/// Pins the calling thread to `cpus`.
pub fn pin_this_thread(cpus: &[usize]) -> io::Result<()> {
    let mut set = CpuSet::new();
    for &cpu in cpus {
        if cpu >= CpuSet::MAX_CPU {
            return Err(io::Error::from(io::ErrorKind::InvalidInput));
        }
        set.set(cpu);
    }
    Ok(sched_setaffinity(None, &set)?)
}

/// How many files this process has open; 0 where the system does not tell.
pub fn open_files() -> u64 {
    std::fs::read_dir("/proc/self/fd").map_or(0, |files| files.count() as u64)
}

/// Raises the soft limit of open files as far as `needed` asks and the hard limit allows.
///
/// # Errors
/// One line with the remedy, where the hard limit is too low.
pub fn raise_file_limit(needed: u64) -> Result<(), String> {
    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_none_or(|current| current >= needed) {
        return Ok(());
    }
    if limit.maximum.is_some_and(|maximum| maximum < needed) {
        return Err(format!(
            "load: {needed} open files are needed, but the limit is {}; use fewer connections or \
             raise the hard limit (ulimit -Hn)",
            limit.maximum.unwrap_or(0)
        ));
    }
    let raised = Rlimit { current: Some(needed), maximum: limit.maximum };
    setrlimit(Resource::Nofile, raised).map_err(|error| {
        format!(
            "load: the limit of open files cannot be raised to {needed}: {error}; raise it \
             (ulimit -n)"
        )
    })
}

/// What helps where the system gives no further file.
pub const FILES: &str = "the limit of open files may be reached (ulimit -n)";

/// What is said where the system gives `who` no thread.
pub fn no_thread(who: &str, error: &io::Error) -> String {
    format!("{who}: no thread: {error}; the limit of processes may be reached (ulimit -u)")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_time_before_within_or_after_pauses_is_what_the_clock_showed_then() {
        let (mut outside, mut within) = (Vec::new(), Vec::new());
        for _ in 0..3 {
            outside.push((system_now(), now(), system_now()));
            let (before, mut times) = (now(), (0, 0));
            stand_still(|| {
                times.0 = system_now();
                std::thread::sleep(Duration::from_millis(1));
                times.1 = system_now();
            });
            within.push((before, times, now()));
        }
        outside.push((system_now(), now(), system_now()));
        let (earlier, own, later) = outside[3];
        assert!((earlier..=later).contains(&on_system(own)), "{earlier} {own} {later}");
        for (earlier, own, later) in outside {
            assert!((then(earlier)..=then(later)).contains(&own), "{earlier} {own} {later}");
        }
        for (before, times, after) in within {
            let stood = then(times.0);
            assert_eq!(stood, then(times.1));
            assert!((before..=after).contains(&stood), "{before} {stood} {after}");
        }
    }
}
