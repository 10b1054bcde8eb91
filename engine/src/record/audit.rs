//! A uniform random sample of the ok answers, kept in full for a later audit.
//!
//! Which answers to keep is known beforehand (Li, "Reservoir-sampling algorithms of time
//! complexity O(n(1 + log(N/n)))", 1994: algorithm L), so that all the others cost one comparison
//! each and none of their bytes is copied.

use crate::random::Random;

/// An answer kept in full.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// Which of the specified requests was answered.
    pub request: usize,
    /// The values drawn for the request, by variable.
    pub variables: Vec<(String, String)>,
    /// Status code.
    pub status: u16,
    /// Header names and values, as received.
    pub headers: Vec<(String, String)>,
    /// The body, cut at the length asked for.
    pub body: Vec<u8>,
    /// In how many pieces it came: no fewer than its chunks.
    pub pieces: u32,
    /// Nanoseconds since the start of the load.
    pub at: u64,
    /// When the last change of state was complete before it was asked for, in nanoseconds on the
    /// monotonic clock of the system.
    pub state_from: u64,
    /// By when it was answered, on the same clock.
    pub answered_by: u64,
}

/// A thread's sample.
#[derive(Debug)]
pub struct Reservoir {
    size: usize,
    samples: Vec<Sample>,
    seen: u64,
    /// The number of the next answer to keep, counted from zero.
    next: u64,
    weight: f64,
    random: Random,
}

impl Reservoir {
    /// A reservoir for `size` answers.
    pub fn new(size: usize, random: Random) -> Reservoir {
        Reservoir {
            size,
            samples: Vec::new(),
            seen: 0,
            next: if size == 0 { u64::MAX } else { 0 },
            weight: 1.0,
            random,
        }
    }

    /// Whether the next ok answer is to be kept.
    #[inline]
    pub fn is_due(&self) -> bool {
        self.seen >= self.next
    }

    /// An ok answer was complete; `sample` makes its sample if it is to be kept.
    #[inline]
    pub fn offer(&mut self, sample: impl FnOnce() -> Option<Sample>) {
        let due = self.is_due();
        self.seen += 1;
        // An answer that was not captured, because another was to be kept when it began, passes
        // its turn on to the next.
        if due && let Some(sample) = sample() {
            self.keep(sample);
        }
    }

    /// The sample.
    pub fn into_samples(self) -> Vec<Sample> {
        self.samples
    }

    fn keep(&mut self, sample: Sample) {
        if self.samples.len() < self.size {
            self.samples.push(sample);
        } else {
            let place = self.random.below(self.size as u64) as usize;
            self.samples[place] = sample;
        }
        self.next = self.seen;
        if self.samples.len() == self.size {
            self.weight *= (self.random.unit().ln() / self.size as f64).exp();
            let skipped = (self.random.unit().ln() / (1.0 - self.weight).ln()).floor();
            // A weight of one, which rounding may give, would skip a negative number or none.
            let skipped = if skipped.is_finite() { skipped.max(0.0) } else { 0.0 };
            self.next = self.next.saturating_add(skipped as u64);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(number: u64) -> Sample {
        Sample {
            request: 0,
            variables: Vec::new(),
            status: 200,
            headers: Vec::new(),
            body: Vec::new(),
            pieces: 1,
            at: number,
            state_from: 0,
            answered_by: 0,
        }
    }

    #[test]
    fn nothing_is_kept_when_nothing_is_asked_for() {
        let mut reservoir = Reservoir::new(0, Random::new(1, 0));
        assert!(!reservoir.is_due());
        reservoir.offer(|| panic!("not due"));
        assert_eq!(reservoir.into_samples(), []);
    }

    #[test]
    fn few_answers_are_all_kept() {
        let mut reservoir = Reservoir::new(10, Random::new(1, 0));
        (0..7).for_each(|number| reservoir.offer(|| Some(sample(number))));
        assert_eq!(reservoir.into_samples().len(), 7);
    }

    #[test]
    fn every_answer_is_as_likely_to_be_kept() {
        // 400 reservoirs of 50 from 1000: each tenth of the answers holds 2000 of 20,000 samples,
        // with a standard deviation of about 41.
        let mut tenths = [0u32; 10];
        for seed in 0..400 {
            let mut reservoir = Reservoir::new(50, Random::new(seed, 0));
            (0..1000).for_each(|number| reservoir.offer(|| Some(sample(number))));
            for kept in reservoir.into_samples() {
                tenths[kept.at as usize / 100] += 1;
            }
        }
        assert_eq!(tenths.iter().sum::<u32>(), 20_000);
        for count in tenths {
            assert!((1800..2200).contains(&count), "{tenths:?}");
        }
    }

    #[test]
    fn an_answer_that_was_not_captured_passes_its_turn_on() {
        let mut reservoir = Reservoir::new(1, Random::new(1, 0));
        reservoir.offer(|| None);
        assert!(reservoir.is_due());
        reservoir.offer(|| Some(sample(1)));
        assert_eq!(reservoir.into_samples(), [sample(1)]);
    }
}
