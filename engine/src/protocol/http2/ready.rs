//! Which streams have something to tell.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::task::{Wake, Waker};

/// The streams that were woken, by slot, each once.
#[derive(Debug, Clone, Default)]
pub(super) struct Ready(Arc<Mutex<Vec<usize>>>);

/// Wakes one slot. Wakers must be fit for any thread, though here they never leave theirs.
#[derive(Debug)]
pub(super) struct Bell {
    slot: usize,
    rung: AtomicBool,
    ready: Ready,
}

impl Ready {
    /// The bell of a slot, and the waker that rings it.
    pub(super) fn bell(&self, slot: usize) -> (Arc<Bell>, Waker) {
        let bell = Arc::new(Bell { slot, rung: AtomicBool::new(false), ready: self.clone() });
        (Arc::clone(&bell), Waker::from(bell))
    }

    /// The slot that was woken last, if any; call [`Bell::answer`] before looking at it.
    pub(super) fn pop(&self) -> Option<usize> {
        self.0.lock().expect("nobody panics here").pop()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.lock().expect("nobody panics here").is_empty()
    }
}

impl Bell {
    /// The slot is being looked at; what happens from now on wakes it again.
    pub(super) fn answer(&self) {
        self.rung.store(false, Relaxed);
    }

    pub(super) fn ring(&self) {
        if !self.rung.swap(true, Relaxed) {
            self.ready.0.lock().expect("nobody panics here").push(self.slot);
        }
    }
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.ring();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.ring();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_ready_once_until_it_is_looked_at() {
        let ready = Ready::default();
        let (bell, waker) = ready.bell(7);
        waker.wake_by_ref();
        waker.wake_by_ref();
        assert_eq!((ready.pop(), ready.pop()), (Some(7), None));
        waker.wake_by_ref();
        assert!(ready.is_empty(), "not looked at yet");
        bell.answer();
        waker.wake();
        assert_eq!(ready.pop(), Some(7));
    }
}
