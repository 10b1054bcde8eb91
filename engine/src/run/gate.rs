//! Where the threads of a load meet, so that all of them start at the same moment: at once when the
//! last has come, or at an instant that was agreed with others.

use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

use crate::os;
use crate::record::result::Start;

/// How long before an agreed instant a thread is awake, in nanoseconds: longer than waking takes.
const AWAKE: u64 = 100_000;

/// A gate that opens when every thread has come to it and nobody holds it.
#[derive(Debug)]
pub struct Gate {
    state: Mutex<GateState>,
    opened: Condvar,
    /// How long after the start the last thread was through, in nanoseconds.
    late: AtomicU64,
}

/// Whether the gate is open.
///
/// | from | when | to |
/// |---|---|---|
/// | `Closed` | the last thread that is awaited has come, and nobody holds it | `Open` |
/// | `Closed` | who holds it lets go, and every thread has come | `Open` |
#[derive(Debug)]
enum GateState {
    /// Threads that come have to wait.
    Closed {
        /// Threads that have yet to come.
        awaited: usize,
        /// Whether somebody holds it.
        held: bool,
        /// The instant that was agreed with others, in nanoseconds.
        agreed: Option<u64>,
    },
    /// Whoever comes goes through, for good.
    Open {
        /// When the load starts, in nanoseconds.
        start: u64,
        /// The same in seconds since 1970.
        start_unix_s: f64,
        /// The instant that was agreed with others, in nanoseconds.
        agreed: Option<u64>,
    },
}

impl Gate {
    /// A gate for `threads` threads, which opens only once it was let go if it is `held`.
    pub fn new(threads: usize, held: bool) -> Gate {
        let state = GateState::Closed { awaited: threads, held, agreed: None };
        Gate { state: Mutex::new(state), opened: Condvar::new(), late: AtomicU64::new(0) }
    }

    /// The place of one thread among those that are awaited.
    pub fn place(&self) -> Place<'_> {
        Place { gate: self }
    }

    fn pass(&self) -> u64 {
        self.arrive();
        let mut state = self.state();
        let (start, base) = loop {
            if let GateState::Open { start, agreed, .. } = *state {
                break (start, agreed.unwrap_or(start));
            }
            state = self.opened.wait(state).expect("no thread panics at the gate");
        };
        drop(state);
        wait_until(start);
        self.late.fetch_max(os::now().saturating_sub(base), Relaxed);
        start
    }

    /// Nobody holds the gate any more: it opens `at` this time, or at once.
    pub fn let_through(&self, at: Option<u64>) {
        let mut state = self.state();
        if let GateState::Closed { held: held @ true, agreed, .. } = &mut *state {
            *held = false;
            *agreed = at;
            self.open_if_due(&mut state);
        }
    }

    /// Whether every thread has come, and waits.
    pub fn is_full(&self) -> bool {
        matches!(*self.state(), GateState::Closed { awaited: 0, .. })
    }

    /// When the load starts, once that is known.
    pub fn start(&self) -> Option<u64> {
        match *self.state() {
            GateState::Closed { .. } => None,
            GateState::Open { start, .. } => Some(start),
        }
    }

    /// When the load started, as its result tells it; 0 if it has not.
    pub fn started(&self) -> Start {
        let late_us = self.late().map(|late| late as f64 / 1e3);
        let unix_s = match *self.state() {
            GateState::Closed { .. } => 0.0,
            GateState::Open { start_unix_s, .. } => start_unix_s,
        };
        Start { unix_s, late_us }
    }

    /// How long after the agreed instant the last thread was through, in nanoseconds; `None` where
    /// none was agreed.
    fn late(&self) -> Option<u64> {
        let (GateState::Closed { agreed, .. } | GateState::Open { agreed, .. }) = *self.state();
        agreed.map(|_| self.late.load(Relaxed))
    }

    fn arrive(&self) {
        let mut state = self.state();
        if let GateState::Closed { awaited, .. } = &mut *state {
            *awaited = awaited.saturating_sub(1);
            self.open_if_due(&mut state);
        }
    }

    fn open_if_due(&self, state: &mut GateState) {
        if let GateState::Closed { awaited: 0, held: false, agreed } = *state {
            let now = os::now();
            let start = agreed.unwrap_or(now).max(now);
            let start_unix_s = os::unix_time() + (start - now) as f64 / 1e9;
            *state = GateState::Open { start, start_unix_s, agreed };
            self.opened.notify_all();
        }
    }

    fn state(&self) -> MutexGuard<'_, GateState> {
        self.state.lock().expect("no thread panics at the gate")
    }
}

/// A thread's place among those that a gate awaits. A thread that drops it, be it because it failed
/// or panicked, will not come through: the others need not wait for it.
#[derive(Debug)]
pub struct Place<'a> {
    gate: &'a Gate,
}

impl Place<'_> {
    /// Waits for the others; returns when the load starts, with that time, the same for all.
    pub fn pass(self) -> u64 {
        ManuallyDrop::new(self).gate.pass()
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.gate.arrive();
    }
}

/// Sleeps until shortly before `time`, and polls for the rest.
fn wait_until(time: u64) {
    loop {
        let left = time.saturating_sub(os::now());
        if left == 0 {
            return;
        }
        if left > AWAKE {
            std::thread::sleep(Duration::from_nanos(left - AWAKE));
        } else {
            std::hint::spin_loop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_held_gate_opens_at_the_agreed_instant_for_all() {
        let gate = Gate::new(2, true);
        std::thread::scope(|scope| {
            let passing: Vec<_> =
                (0..2).map(|_| scope.spawn(|| (gate.place().pass(), os::now()))).collect();
            while !gate.is_full() {
                std::thread::yield_now();
            }
            assert_eq!((gate.start(), gate.late()), (None, None));
            let agreed = os::now() + 20_000_000;
            gate.let_through(Some(agreed));
            for thread in passing {
                let (start, passed) = thread.join().unwrap();
                assert_eq!(start, agreed);
                assert!(passed >= agreed);
            }
        });
        assert!(gate.late().is_some() && !gate.is_full());
    }

    #[test]
    fn an_instant_that_has_passed_is_told_as_late() {
        let gate = Gate::new(1, true);
        let agreed = os::now() - 5_000_000;
        gate.let_through(Some(agreed));
        assert!(gate.place().pass() >= agreed + 5_000_000);
        assert!(gate.late().unwrap() >= 5_000_000);
    }

    #[test]
    fn a_gate_that_nobody_holds_opens_with_the_last_thread() {
        let gate = Gate::new(1, false);
        gate.let_through(Some(u64::MAX));
        assert!(gate.place().pass() <= os::now());
        assert_eq!(gate.late(), None);
    }

    #[test]
    fn nobody_waits_for_a_thread_that_panicked_on_its_way() {
        let gate = Gate::new(2, false);
        let panicked = std::panic::catch_unwind(|| {
            let _place = gate.place();
            panic!("on its way to the gate");
        });
        assert!(panicked.is_err() && gate.start().is_none(), "the other one is awaited");
        assert!(gate.place().pass() <= os::now());
        assert!(gate.start().is_some());
    }
}
