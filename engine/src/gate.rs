//! Where the threads of a load meet, so that all of them start at the same moment.

use std::sync::{Condvar, Mutex};

use crate::os;

/// A gate that opens when every thread has come to it.
#[derive(Debug)]
pub struct Gate {
    state: Mutex<State>,
    opened: Condvar,
}

#[derive(Debug)]
struct State {
    awaited: usize,
    start: Option<u64>,
    start_unix_s: f64,
}

impl Gate {
    /// A gate for `threads` threads.
    pub fn new(threads: usize) -> Gate {
        Gate {
            state: Mutex::new(State { awaited: threads, start: None, start_unix_s: 0.0 }),
            opened: Condvar::new(),
        }
    }

    /// Waits for the others; returns when the load starts, the same time for all.
    pub fn pass(&self) -> u64 {
        self.arrive();
        let mut state = self.state.lock().expect("no thread panics at the gate");
        loop {
            if let Some(start) = state.start {
                return start;
            }
            state = self.opened.wait(state).expect("no thread panics at the gate");
        }
    }

    /// One thread will not come through; the others need not wait for it.
    pub fn withdraw(&self) {
        self.arrive();
    }

    /// When the load started, if it has.
    pub fn start(&self) -> Option<u64> {
        self.state.lock().expect("no thread panics at the gate").start
    }

    /// The same in seconds since 1970; 0 if it has not.
    pub fn start_unix_s(&self) -> f64 {
        self.state.lock().expect("no thread panics at the gate").start_unix_s
    }

    fn arrive(&self) {
        let mut state = self.state.lock().expect("no thread panics at the gate");
        state.awaited = state.awaited.saturating_sub(1);
        if state.awaited == 0 && state.start.is_none() {
            state.start = Some(os::now());
            state.start_unix_s = os::unix_time();
            self.opened.notify_all();
        }
    }
}
