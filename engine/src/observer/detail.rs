//! Reading what is dear: a walk over a process's memory map, a pair of files for each thread.

use std::collections::HashMap;
use std::fs;
use std::ops::AddAssign;

use super::text::{other_thread, text_of};

/// Memory in bytes, exact where `stat` may be behind by some pages for each CPU.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Memory {
    /// Resident: shared pages count in full.
    pub(super) rss: u64,
    /// Proportional: a page shared by n processes counts 1/n in each. What is swapped out is held
    /// all the same, and counts as if it were resident.
    pub(super) pss: u64,
    /// The part of the proportional that is heap and stacks, not files and shared memory. What is
    /// swapped out is: files have their own place on the disk.
    pub(super) anonymous: u64,
}

impl Memory {
    /// Reads a process's memory; `None` where the kernel does not tell.
    pub(super) fn read(pid: i32) -> Option<Memory> {
        // Not kept open: the file stays with the program that ran when it was opened, and a shell
        // that starts a server by `exec` would show the shell's memory ever after.
        let read = |path| Memory::told(&fs::read_to_string(path).ok()?);
        read(format!("/proc/{pid}/smaps_rollup").into())
            .or_else(|| read(other_thread(pid)?.join("smaps_rollup")))
    }

    fn told(text: &str) -> Option<Memory> {
        let bytes = |name| number_after(text, name).map(|kilobytes| kilobytes * 1024);
        let swapped = bytes("\nSwapPss:").unwrap_or(0);
        // The kernel counts huge pages that were set aside (hugetlb) apart from all others.
        let huge = bytes("\nPrivate_Hugetlb:").unwrap_or(0);
        Some(Memory {
            rss: bytes("\nRss:")? + huge,
            pss: bytes("\nPss:")? + swapped + huge,
            anonymous: bytes("\nPss_Anon:").map_or(0, |held| held + swapped + huge),
        })
    }
}

/// What the kernel counts for each thread.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Counters {
    /// Times it gave up a CPU by waiting.
    pub(super) voluntary: u64,
    /// Times it was taken off a CPU.
    pub(super) involuntary: u64,
    /// Nanoseconds it was ready to run and waited for a CPU.
    pub(super) run_delay_ns: u64,
    /// Nanoseconds it ran; 0 where the kernel does not tell.
    pub(super) on_cpu_ns: u64,
}

impl AddAssign for Counters {
    fn add_assign(&mut self, other: Counters) {
        self.voluntary += other.voluntary;
        self.involuntary += other.involuntary;
        self.run_delay_ns += other.run_delay_ns;
        self.on_cpu_ns += other.on_cpu_ns;
    }
}

impl Counters {
    fn read(pid: i32, thread: i32) -> Option<Counters> {
        let read = |file| text_of(&format!("/proc/{pid}/task/{thread}/{file}"));
        let status = read("status").ok()?;
        // Nanoseconds on a CPU, nanoseconds waiting for one, time slices.
        let schedule = read("schedstat").unwrap_or_default();
        let mut times = schedule.split_ascii_whitespace().map(|text| text.parse().unwrap_or(0));
        let (on_cpu_ns, run_delay_ns) = (times.next(), times.next());
        Some(Counters {
            voluntary: number_after(&status, "\nvoluntary_ctxt_switches:")?,
            involuntary: number_after(&status, "\nnonvoluntary_ctxt_switches:")?,
            run_delay_ns: run_delay_ns.unwrap_or(0),
            on_cpu_ns: on_cpu_ns.unwrap_or(0),
        })
    }

    /// Seconds it was ready to run and waited for a CPU; `None` where the kernel does not tell. One
    /// without CONFIG_SCHED_INFO has no such file, others write zeros into it, though whoever can
    /// be looked at has run.
    pub(super) fn run_delay_s(self) -> Option<f64> {
        (self.on_cpu_ns > 0).then(|| self.run_delay_ns as f64 / 1e9)
    }

    fn is_below(self, earlier: Counters) -> bool {
        self.voluntary < earlier.voluntary || self.run_delay_ns < earlier.run_delay_ns
    }
}

/// The counters of a process's threads, those that ended as they were last seen.
#[derive(Debug, Default)]
pub(super) struct Threads {
    live: HashMap<i32, Counters>,
    ended: Counters,
}

impl Threads {
    /// Reads the counters of a process's threads.
    pub(super) fn read(&mut self, pid: i32) {
        let Ok(folder) = fs::read_dir(format!("/proc/{pid}/task")) else { return };
        let threads = folder.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        let seen = threads.filter_map(|thread| Some((thread, Counters::read(pid, thread)?)));
        self.update(seen.collect());
    }

    fn update(&mut self, seen: HashMap<i32, Counters>) {
        for (thread, last) in &self.live {
            // Smaller counters are those of another thread which got the same id.
            if seen.get(thread).is_none_or(|now| now.is_below(*last)) {
                self.ended += *last;
            }
        }
        self.live = seen;
    }

    /// The threads that live and their counters.
    pub(super) fn live(&self) -> impl Iterator<Item = (i32, Counters)> {
        self.live.iter().map(|(thread, counters)| (*thread, *counters))
    }

    /// The sum over all threads there ever were.
    pub(super) fn total(&self) -> Counters {
        let mut total = self.ended;
        self.live.values().for_each(|counters| total += *counters);
        total
    }
}

fn number_after(text: &str, name: &str) -> Option<u64> {
    let at = text.find(name)? + name.len();
    text[at..].split_ascii_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counters(voluntary: u64) -> Counters {
        Counters { voluntary, involuntary: 1, run_delay_ns: 10 * voluntary, on_cpu_ns: 0 }
    }

    #[test]
    fn what_ended_threads_did_stays_counted() {
        let mut threads = Threads::default();
        threads.update(HashMap::from([(1, counters(5)), (2, counters(7))]));
        threads.update(HashMap::from([(1, counters(6))]));
        assert_eq!(threads.total().voluntary, 13);
        threads.update(HashMap::from([(1, counters(2))]));
        assert_eq!(threads.total().voluntary, 15, "thread 1 is another one now");
        threads.update(HashMap::new());
        assert_eq!(threads.total().voluntary, 15);
        assert_eq!(threads.total().run_delay_ns, 150);
    }

    #[test]
    fn how_long_it_waited_is_unknown_where_the_kernel_does_not_tell() {
        assert_eq!(counters(5).run_delay_s(), None);
        let told = Counters { on_cpu_ns: 1, run_delay_ns: 2_500_000_000, ..Counters::default() };
        assert_eq!(told.run_delay_s(), Some(2.5));
        assert_eq!(Counters { run_delay_ns: 0, ..told }.run_delay_s(), Some(0.0));
    }

    #[test]
    fn memory_that_is_swapped_out_is_held() {
        let text = "55-7f ---p 00000000 00:00 0 [rollup]\nRss: 900 kB\nPss: 600 kB\n\
                    Pss_Dirty: 50 kB\nPss_Anon: 400 kB\nSwap: 300 kB\nSwapPss: 200 kB\n";
        let held = |rss: u64, pss: u64, anonymous: u64| {
            Some(Memory { rss: rss << 10, pss: pss << 10, anonymous: anonymous << 10 })
        };
        assert_eq!(Memory::told(text), held(900, 800, 600));
        assert_eq!(Memory::told(&text.replace("SwapPss: 200", "SwapPss: 0")), held(900, 600, 400));
        let old = text.replace("Pss_Anon", "Pss_Other").replace("SwapPss", "Locked");
        assert_eq!(Memory::told(&old), held(900, 600, 0));
        assert_eq!(Memory::told(&text.replace("Rss", "Other")), None);
    }

    #[test]
    fn huge_pages_are_held_too() {
        let text = "55-7f ---p 00000000 00:00 0 [rollup]\nRss: 900 kB\nPss: 600 kB\n\
                    Pss_Anon: 400 kB\nShared_Hugetlb: 0 kB\nPrivate_Hugetlb: 4096 kB\n";
        let held = |kilobytes: u64| kilobytes << 10;
        let (rss, pss, anonymous) = (held(4996), held(4696), held(4496));
        assert_eq!(Memory::told(text), Some(Memory { rss, pss, anonymous }));
    }

    #[test]
    fn this_process_can_be_read() {
        let pid = std::process::id().cast_signed();
        let memory = Memory::read(pid).expect("our own memory is ours to see");
        assert!(memory.pss > 100_000 && (1..=memory.pss).contains(&memory.anonymous));
        let mut threads = Threads::default();
        threads.read(pid);
        assert!(threads.total().voluntary + threads.total().involuntary > 0);
    }
}
