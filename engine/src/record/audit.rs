//! A uniform random sample of the ok answers, kept in full for a later audit.
//!
//! Which answers to keep is known beforehand (Li, "Reservoir-sampling algorithms of time
//! complexity O(n(1 + log(N/n)))", 1994: algorithm L), so that all the others cost one comparison
//! each and none of their bytes is copied.
//!
//! An answer is chosen when its head comes, and keeps its [`Turn`] until it is whole, however many
//! others are whole before it: by when the rest of an answer comes a server cannot keep it out of
//! the sample.

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
    /// When it was asked for, in nanoseconds on the monotonic clock of the system.
    pub sent: u64,
    /// By when it was answered, on the same clock.
    pub answered_by: u64,
}

/// The turn of an answer that was chosen when its head came.
///
/// The place that it is for shows what it held before until the answer is whole and right. One that
/// turns out wrong or lost gives its turn to the answer whose head comes next; one that never ends
/// holds the turn until it times out, and no longer; it costs the memory of its own answer alone.
#[derive(Debug, PartialEq, Eq)]
pub struct Turn {
    /// The turn's number, counted from one.
    number: u64,
    place: usize,
}

/// A thread's sample.
#[derive(Debug)]
pub struct Reservoir {
    size: usize,
    /// The answers kept, each with the number of its turn: a later one stays whichever was whole
    /// first.
    places: Vec<Option<(u64, Sample)>>,
    /// Heads that came, but for those of answers that failed.
    heads: u64,
    /// The number of the next head whose answer is chosen, counted from zero.
    due: u64,
    /// The same by the algorithm, which knows nothing of turns that were given back.
    next: u64,
    turns: u64,
    given_back: Vec<Turn>,
    weight: f64,
    random: Random,
}

impl Reservoir {
    /// A reservoir for `size` answers.
    pub fn new(size: usize, random: Random) -> Reservoir {
        let next = if size == 0 { u64::MAX } else { 0 };
        Reservoir {
            size,
            places: Vec::new(),
            heads: 0,
            due: next,
            next,
            turns: 0,
            given_back: Vec::new(),
            weight: 1.0,
            random,
        }
    }

    /// The head of an answer came: the turn to keep that answer, if it is chosen.
    #[inline]
    pub fn choose(&mut self) -> Option<Turn> {
        let number = self.heads;
        self.heads += 1;
        if number < self.due { None } else { Some(self.chosen()) }
    }

    /// The answer that had the `turn` is whole and right.
    pub fn keep(&mut self, turn: Turn, sample: Sample) {
        if self.places.len() <= turn.place {
            self.places.resize(turn.place + 1, None);
        }
        let held = &mut self.places[turn.place];
        if held.as_ref().is_none_or(|(number, _)| *number < turn.number) {
            *held = Some((turn.number, sample));
        }
    }

    /// An answer whose head came turned out wrong, or will not be whole; it had the `turn`, if it was
    /// chosen. The sample is one of right answers alone, as if the others had never begun.
    pub fn failed(&mut self, turn: Option<Turn>) {
        self.heads -= 1;
        self.given_back.extend(turn);
        if !self.given_back.is_empty() {
            self.due = self.heads;
        }
    }

    /// The sample.
    pub fn into_samples(self) -> Vec<Sample> {
        self.places.into_iter().flatten().map(|(_, sample)| sample).collect()
    }

    #[cold]
    fn chosen(&mut self) -> Turn {
        if let Some(turn) = self.given_back.pop() {
            self.due = if self.given_back.is_empty() { self.next } else { self.heads };
            return turn;
        }
        self.turns += 1;
        let is_full = self.turns > self.size as u64;
        let place = if is_full { self.random.below(self.size as u64) } else { self.turns - 1 };
        self.next = self.heads;
        if self.turns >= self.size as u64 {
            self.weight *= (self.random.unit().ln() / self.size as f64).exp();
            let skipped = (self.random.unit().ln() / (1.0 - self.weight).ln()).floor();
            // A weight of one, which rounding may give, would skip a negative number or none.
            let skipped = if skipped.is_finite() { skipped.max(0.0) } else { 0.0 };
            self.next = self.next.saturating_add(skipped as u64);
        }
        self.due = self.next;
        Turn { number: self.turns, place: place as usize }
    }
}

#[cfg(test)]
mod tests;
