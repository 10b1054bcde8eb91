//! Pausing a load: its threads stand still, and so do their clocks.
//!
//! Loads on servers that are compared can take turns in short slices, so that whatever the machine
//! does meanwhile falls on all of them alike. A paused load keeps its connections and what is under
//! way on them; the time that passes is in none of its figures.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};

use crate::os;

/// Where the threads of a load wait while it is paused.
#[derive(Debug, Default)]
pub struct Pause {
    requested: AtomicBool,
    tally: Mutex<PauseTally>,
    changed: Condvar,
}

/// Who stands still, and how long it has been so.
#[derive(Debug, Default)]
struct PauseTally {
    /// Threads that stand still.
    holding: usize,
    /// When the pause under way began, on the clock that does not stand still.
    began: Option<u64>,
    /// Nanoseconds of the pauses that are over.
    over: u64,
}

impl Pause {
    /// Whether a thread is to `hold`. Cheap enough to ask at every turn of its loop.
    pub fn is_requested(&self) -> bool {
        self.requested.load(Ordering::Relaxed)
    }

    /// Stands still until the load goes on, and the calling thread's clock with it.
    pub fn hold(&self) {
        os::stand_still(|| {
            let mut tally = self.tally();
            tally.holding += 1;
            self.changed.notify_all();
            while self.is_requested() {
                tally = self.changed.wait(tally).expect("no thread panics in a pause");
            }
            tally.holding -= 1;
        });
    }

    /// Asks the threads to hold; `wake` ends what they wait for. Returns once as many do as
    /// `running` says there are.
    pub fn begin(&self, wake: impl Fn(), running: impl Fn() -> usize) {
        let mut tally = self.tally();
        self.requested.store(true, Ordering::Relaxed);
        wake();
        while tally.holding < running() {
            tally = self.changed.wait(tally).expect("no thread panics in a pause");
        }
        tally.began.get_or_insert_with(os::now);
    }

    /// Lets the threads go on.
    pub fn end(&self) {
        let mut tally = self.tally();
        self.requested.store(false, Ordering::Relaxed);
        if let Some(began) = tally.began.take() {
            tally.over += os::now() - began;
        }
        self.changed.notify_all();
    }

    /// A thread has ended: whoever waits for the threads to hold need not wait for it.
    pub fn one_less(&self) {
        let _tally = self.tally();
        self.changed.notify_all();
    }

    /// Nanoseconds of all pauses so far, the one under way included.
    pub fn total(&self) -> u64 {
        let tally = self.tally();
        tally.over + tally.began.map_or(0, |began| os::now() - began)
    }

    fn tally(&self) -> MutexGuard<'_, PauseTally> {
        self.tally.lock().expect("no thread panics in a pause")
    }
}
