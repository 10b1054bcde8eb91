//! Wakes in time for a send.
//!
//! A sleeping thread wakes some microseconds after its timer, by how deep the processor slept, and
//! may have answers to read before it can send. It learns how late it usually is, and asks to be
//! woken earlier by all but a little of that: sends are on time to some microseconds, while hardly
//! any time is spent polling.

/// No more than this is spent reading and polling before a send, in nanoseconds.
const LONGEST_POLL: u64 = 60_000;
/// How late a send may usually be, in nanoseconds: to be earlier, the thread would have to poll
/// before every other one.
const TOLERATED: u64 = 2_000;
/// A wake-up later than this was the scheduler's doing, not the timer's.
const OUTLIER: u64 = 200_000;
/// How much one wake-up changes what is known, in nanoseconds.
const STEP: u64 = 250;

/// Learns how late this thread wakes.
#[derive(Debug, Default)]
pub struct Punctual {
    /// A running median of how late it woke, in nanoseconds. The mean would follow the few very late
    /// wake-ups of a busy machine, and have it poll before every send.
    late: u64,
    /// When it asked to be woken.
    wake_at: Option<u64>,
}

impl Punctual {
    /// When to be woken for a send at `due`.
    pub fn aim(&mut self, due: u64, now: u64) -> u64 {
        let early = self.late.saturating_sub(TOLERATED).min(LONGEST_POLL);
        let wake = due.saturating_sub(early);
        if wake > now {
            self.wake_at = Some(wake);
        }
        wake
    }

    /// The wait was ended by an event.
    pub fn disturbed(&mut self) {
        self.wake_at = None;
    }

    /// The thread is awake at `now`.
    pub fn awake(&mut self, now: u64) {
        if let Some(wake_at) = self.wake_at.take() {
            let late = now.saturating_sub(wake_at);
            if late < OUTLIER {
                let step = if late > self.late { STEP as i64 } else { -(STEP as i64) };
                self.late = self.late.saturating_add_signed(step);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_asks_to_be_woken_earlier_by_all_but_a_little_of_its_lateness() {
        let mut punctual = Punctual::default();
        let mut now = 0;
        for send in 1..200u64 {
            let wake = punctual.aim(send * 1_000_000, now);
            now = wake + 28_000;
            punctual.awake(now);
        }
        let early = 1_000_000_000 - punctual.aim(1_000_000_000, now);
        assert!((25_500..=26_500).contains(&early), "{early}");
    }

    #[test]
    fn a_busy_machine_does_not_make_it_poll_for_long() {
        let mut punctual = Punctual::default();
        for _ in 0..1000 {
            punctual.aim(1_000_000, 0);
            punctual.awake(1_120_000);
        }
        assert_eq!(1_000_000 - punctual.aim(1_000_000, 0), LONGEST_POLL);
    }

    #[test]
    fn a_few_late_wake_ups_do_not_make_it_poll_before_every_send() {
        let mut punctual = Punctual::default();
        for send in 1..1000u64 {
            let wake = punctual.aim(send * 1_000_000, 0);
            punctual.awake(wake + if send % 5 == 0 { 150_000 } else { 26_000 });
        }
        let early = 1_000_000 - punctual.aim(1_000_000, 0);
        assert!((23_000..=25_500).contains(&early), "{early}");
    }

    #[test]
    fn an_event_says_nothing_of_the_timer() {
        let mut punctual = Punctual::default();
        for _ in 0..1000 {
            punctual.aim(1_000_000, 0);
            punctual.disturbed();
            punctual.awake(1_100_000);
        }
        assert_eq!(punctual.aim(1_000_000, 0), 1_000_000);
    }
}
