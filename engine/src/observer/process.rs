//! Reading one process: what is cheap enough to read at every sample.

use std::fs::File;
use std::io;
use std::ops::{Add, AddAssign};
use std::os::unix::fs::FileExt;

/// CPU time in seconds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Cpu {
    /// In its own code.
    pub(super) user_s: f64,
    /// In the kernel on its behalf.
    pub(super) system_s: f64,
}

impl Cpu {
    pub(super) fn total_s(self) -> f64 {
        self.user_s + self.system_s
    }

    /// Keeps both parts from going back and their sum exact: how the sum divides is an estimate by
    /// clock ticks, which wobbles.
    pub(super) fn not_below(self, earlier: Cpu) -> Cpu {
        let total = self.total_s().max(earlier.total_s());
        let most = (total - earlier.system_s).max(earlier.user_s);
        let user_s = self.user_s.clamp(earlier.user_s, most);
        Cpu { user_s, system_s: total - user_s }
    }

    /// The same division of another sum.
    pub(super) fn scaled_to(self, total_s: f64) -> Cpu {
        let user = if self.total_s() > 0.0 { self.user_s / self.total_s() } else { 1.0 };
        Cpu { user_s: total_s * user, system_s: total_s * (1.0 - user) }
    }
}

impl Add for Cpu {
    type Output = Cpu;

    fn add(self, other: Cpu) -> Cpu {
        Cpu { user_s: self.user_s + other.user_s, system_s: self.system_s + other.system_s }
    }
}

impl AddAssign for Cpu {
    fn add_assign(&mut self, other: Cpu) {
        *self = *self + other;
    }
}

/// A process that is being watched. Its `stat` file stays open between samples: that saves most
/// of the cost, and never reads another process that got the same id later.
#[derive(Debug)]
pub(super) struct Process {
    pid: i32,
    stat: File,
}

/// What a process was found to use.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Reading {
    /// Its parent's id.
    pub(super) parent: i32,
    /// Whether it has ended, with all its threads, and its parent has not yet asked how.
    pub(super) is_zombie: bool,
    /// What all its threads have used, ended ones included.
    pub(super) own: Cpu,
    /// What its ended children used, and theirs, as far as it waited for them.
    pub(super) reaped: Cpu,
    /// Resident memory; 0 once its first thread has ended.
    pub(super) rss_bytes: u64,
    /// Threads.
    pub(super) threads: u64,
}

impl Process {
    /// Opens a process. Fails where there is none.
    pub(super) fn open(pid: i32) -> io::Result<Process> {
        Ok(Process { pid, stat: File::open(format!("/proc/{pid}/stat"))? })
    }

    /// Reads it; `None` once it is gone.
    pub(super) fn read(&self) -> Option<Reading> {
        let mut buffer = [0u8; 1024];
        let length = self.stat.read_at(&mut buffer, 0).ok()?;
        let mut reading = parse(&buffer[..length])?;
        if let Some(total_s) = cpu_clock_s(self.pid) {
            // The clock counts nanoseconds over all threads; the ticks say how they divide.
            reading.own = reading.own.scaled_to(total_s);
        }
        Some(reading)
    }
}

/// Reads a line of `/proc/PID/stat` (proc(5), which counts its fields from 1).
fn parse(line: &[u8]) -> Option<Reading> {
    // The command's name may hold spaces and brackets: the third field follows its last bracket.
    let text = std::str::from_utf8(&line[memchr::memrchr(b')', line)? + 1..]).ok()?;
    let mut fields = text.split_ascii_whitespace();
    let state = fields.next()?;
    let parent = fields.next()?.parse().ok()?;
    let mut after = |skipped: usize| fields.nth(skipped)?.parse::<u64>().ok();
    let seconds = 1.0 / rustix::param::clock_ticks_per_second() as f64;
    // Fields 14 to 17, 20 and 24.
    let (user, system, reaped_user, reaped_system) = (after(9)?, after(0)?, after(0)?, after(0)?);
    let threads = after(2)?;
    let pages = after(3)?;
    let first_has_ended = matches!(state, "Z" | "X");
    // The first thread counts until the last has ended.
    let is_zombie = first_has_ended && threads <= 1;
    Some(Reading {
        parent,
        is_zombie,
        own: Cpu { user_s: user as f64 * seconds, system_s: system as f64 * seconds },
        reaped: Cpu {
            user_s: reaped_user as f64 * seconds,
            system_s: reaped_system as f64 * seconds,
        },
        rss_bytes: pages * rustix::param::page_size() as u64,
        threads: threads.saturating_sub(u64::from(first_has_ended)),
    })
}

/// CPU seconds of all threads of a process, ended ones included, from its CPU-time clock.
fn cpu_clock_s(pid: i32) -> Option<f64> {
    let mut clock: libc::clockid_t = 0;
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: both pointers are to live values of the right type, which the calls fill.
    let failed = unsafe {
        libc::clock_getcpuclockid(pid, &mut clock) != 0
            || libc::clock_gettime(clock, &mut time) != 0
    };
    (!failed).then(|| time.tv_sec as f64 + time.tv_nsec as f64 / 1e9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_with_brackets_and_spaces_does_not_shift_the_fields() {
        let line =
            b"42 (a) b (c)) S 7 42 42 0 -1 4194304 9 0 0 0 120 30 50 20 20 0 7 0 99 1000 512 1";
        let expected = Reading {
            parent: 7,
            is_zombie: false,
            own: Cpu { user_s: 1.2, system_s: 0.3 },
            reaped: Cpu { user_s: 0.5, system_s: 0.2 },
            threads: 7,
            rss_bytes: 512 * rustix::param::page_size() as u64,
        };
        let read = parse(line).unwrap();
        assert!((read.own.user_s - 1.2).abs() < 1e-9 && (read.own.system_s - 0.3).abs() < 1e-9);
        let rounded = Reading { own: expected.own, reaped: expected.reaped, ..read };
        assert_eq!(rounded, expected);
        assert!(
            (read.reaped.user_s - 0.5).abs() < 1e-9 && (read.reaped.system_s - 0.2).abs() < 1e-9
        );
    }

    #[test]
    fn a_process_whose_first_thread_alone_has_ended_is_no_zombie() {
        let line = |state, threads| {
            format!("42 (a) {state} 7 42 42 0 -1 4 9 0 0 0 1 3 5 2 20 0 {threads} 0 9 0 0 1")
        };
        let read = |state, threads| {
            let read = parse(line(state, threads).as_bytes()).unwrap();
            (read.is_zombie, read.threads)
        };
        assert_eq!(read('Z', 3), (false, 2));
        assert_eq!([read('Z', 1), read('X', 0)], [(true, 0); 2]);
        assert_eq!(read('S', 1), (false, 1));
    }

    #[test]
    fn a_cut_line_is_no_process() {
        assert_eq!(parse(b"42 (a) S 1 42"), None);
        assert_eq!(parse(b""), None);
    }

    #[test]
    fn cpu_times_never_go_back_and_their_sum_stays_exact() {
        let cpu = |user_s, system_s| Cpu { user_s, system_s };
        let now = cpu(0.3, 0.5).not_below(cpu(0.4, 0.2));
        assert!((now.user_s - 0.4).abs() < 1e-12 && (now.total_s() - 0.8).abs() < 1e-12);
        let now = cpu(0.75, 0.05).not_below(cpu(0.4, 0.2));
        assert!((now.user_s - 0.6).abs() < 1e-12 && (now.system_s - 0.2).abs() < 1e-12);
        let now = cpu(0.1, 0.1).not_below(cpu(0.4, 0.2));
        assert!((now.user_s - 0.4).abs() < 1e-12 && (now.system_s - 0.2).abs() < 1e-12);
    }
}
