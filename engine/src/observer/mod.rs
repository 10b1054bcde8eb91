//! The observer: what process trees use, sampled on a thread of its own.
//!
//! A role ("server", "services") is a root process and everything below it, but for what lies
//! below another role's root; orphans are taken in where the caller names them. CPU time is read
//! from each process's own clock, which counts nanoseconds over all its threads, so that short
//! measurements are exact to a scheduler tick (1 to 10 ms for a thread that runs at that moment).
//! What ended processes used stays counted: the kernel adds it to a parent that waits for its
//! child, and for others the last reading stands; where a role has a control group of its own, whose
//! account misses nobody, that is read as well and the larger counts. Files that are dear to read
//! (proportional memory, open files that lie in memory, per-thread counters) are read twice a second,
//! or less often for large processes, and at every mark.

mod account;
mod detail;
mod held;
mod process;
mod record;
mod sampler;
mod search;
mod text;
mod throttle;
mod tree;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::os;
use sampler::Sampler;

/// Bounds of the interval between samples, in seconds.
const INTERVALS_S: RangeInclusive<f64> = 0.001..=10.0;
const NOT_STARTED: &str = "observer: not started; call start() first";

/// Watches process trees from `start` to `stop`.
#[derive(Debug)]
pub struct Observer {
    shared: Arc<Shared>,
    roots: BTreeMap<String, i32>,
    groups: BTreeMap<String, PathBuf>,
    interval: Duration,
    cpu: Option<usize>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<ObserverState>,
    wake: Condvar,
}

#[derive(Debug, Default)]
struct ObserverState {
    /// `None` before the start.
    sampler: Option<Sampler>,
    is_stopped: bool,
}

impl Observer {
    /// Prepares to watch the trees under `roots`, from role to process id, every `interval_s`
    /// seconds. `cpu` is where the sampling thread runs; `None` leaves it to the kernel.
    ///
    /// # Errors
    /// One line, for an interval outside 1 ms to 10 s or a process that does not exist.
    pub fn new(
        roots: BTreeMap<String, i32>,
        interval_s: f64,
        cpu: Option<usize>,
    ) -> Result<Observer, String> {
        if !INTERVALS_S.contains(&interval_s) {
            return Err(format!("observer: interval_s is {interval_s}; give 0.001 to 10 seconds"));
        }
        for (role, &root) in &roots {
            process::Process::open(root).map_err(|error| {
                format!("observer: {role}: process {root} cannot be read ({error}); is it running?")
            })?;
        }
        Ok(Observer {
            shared: Arc::default(),
            roots,
            groups: BTreeMap::new(),
            interval: Duration::from_secs_f64(interval_s),
            cpu,
            thread: Mutex::new(None),
        })
    }

    /// The same with control groups, from role to folder, that hold all processes of the role and
    /// nothing else: what they count as CPU time counts where it is more than their processes show.
    #[must_use]
    pub fn with_groups(mut self, groups: BTreeMap<String, PathBuf>) -> Observer {
        self.groups = groups;
        self
    }

    /// Takes a first whole sample and begins to sample regularly.
    ///
    /// # Errors
    /// When it was started before, or the system gives no thread.
    pub fn start(&self) -> Result<(), String> {
        let mut state = self.shared.lock();
        if state.sampler.is_some() {
            return Err("observer: started already; make a new one".to_owned());
        }
        state.sampler.insert(Sampler::new(&self.roots, &self.groups)).sample(true);
        drop(state);
        let (shared, interval, cpu) = (Arc::clone(&self.shared), self.interval, self.cpu);
        let thread = std::thread::Builder::new()
            .name("observer".to_owned())
            .spawn(move || shared.sample_until_stopped(interval, cpu))
            .map_err(|error| os::no_thread("observer", &error))?;
        *self.thread() = Some(thread);
        Ok(())
    }

    /// Reads everything at this moment, in the calling thread, and remembers it as `name`.
    ///
    /// # Errors
    /// When it was not started.
    pub fn mark(&self, name: &str) -> Result<(), String> {
        self.shared.lock().sampler.as_mut().ok_or(NOT_STARTED)?.mark(name);
        Ok(())
    }

    /// Takes process `pid` and all below it into `role`, whoever its parent is: an orphan is no longer
    /// below the role's root. Nothing happens if it has ended, or is in the role already.
    ///
    /// # Errors
    /// When the observer was not started, or for a role that it does not watch.
    pub fn join(&self, role: &str, pid: i32) -> Result<(), String> {
        self.shared.lock().sampler.as_mut().ok_or(NOT_STARTED)?.join(role, pid)
    }

    /// Lets the sampling stand still, and its clock with it. What processes use meanwhile is in the
    /// next sample.
    ///
    /// # Errors
    /// When it was not started.
    pub fn pause(&self) -> Result<(), String> {
        self.shared.lock().sampler.as_mut().ok_or(NOT_STARTED)?.pause();
        Ok(())
    }

    /// Lets the sampling go on.
    ///
    /// # Errors
    /// When it was not started.
    pub fn resume(&self) -> Result<(), String> {
        self.shared.lock().sampler.as_mut().ok_or(NOT_STARTED)?.resume();
        self.shared.wake.notify_all();
        Ok(())
    }

    /// Takes a last sample, ends the sampling, and gives everything seen as JSON.
    ///
    /// # Errors
    /// When it was not started.
    pub fn stop(&self) -> Result<String, String> {
        let mut state = self.shared.lock();
        let first = !std::mem::replace(&mut state.is_stopped, true);
        let sampler = state.sampler.as_mut().ok_or(NOT_STARTED)?;
        if first {
            sampler.sample(false);
        }
        let summary = sampler.summary(self.interval.as_secs_f64());
        drop(state);
        self.end_thread();
        Ok(summary)
    }

    fn end_thread(&self) {
        self.shared.wake.notify_all();
        if let Some(thread) = self.thread().take() {
            // Had it panicked, what it saw before would still stand.
            let _ = thread.join();
        }
    }

    fn thread(&self) -> MutexGuard<'_, Option<JoinHandle<()>>> {
        self.thread.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Observer {
    fn drop(&mut self) {
        self.shared.lock().is_stopped = true;
        self.end_thread();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, ObserverState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn sample_until_stopped(&self, interval: Duration, cpu: Option<usize>) {
        if let Some(cpu) = cpu {
            // A CPU that is not ours only costs precision: go on where the kernel puts us.
            let _ = os::pin_this_thread(&[cpu]);
        }
        let mut due_s = interval.as_secs_f64();
        let mut state = self.lock();
        while !state.is_stopped {
            let Some(sampler) = state.sampler.as_mut() else { return };
            if sampler.is_paused() {
                state = self.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            if sampler.elapsed_s() >= due_s {
                sampler.sample(false);
                // The grid is kept: after a late sample the next is not late, too.
                let missed = (sampler.elapsed_s() - due_s) / interval.as_secs_f64();
                due_s += interval.as_secs_f64() * (missed.floor() + 1.0);
            }
            let wait = Duration::from_secs_f64((due_s - sampler.elapsed_s()).max(0.0));
            let woken = self.wake.wait_timeout(state, wait);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}
