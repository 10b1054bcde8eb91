//! A uniform random sample of the ok answers, kept in full for a later audit.
//!
//! Which answers to keep is known beforehand (Li, "Reservoir-sampling algorithms of time
//! complexity O(n(1 + log(N/n)))", 1994: algorithm L), so that all the others cost one comparison
//! each and none of their bytes is copied.
//!
//! An answer is chosen when its head comes, and keeps its [`Ticket`] until it is whole, however
//! many others are whole before it: by when the rest of an answer comes a server cannot keep it out
//! of the sample.

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

/// What an answer holds that was chosen when its head came: it is to have a place in the sample.
///
/// The place that it is for shows what it held before until the answer is whole and right. One that
/// turns out wrong or lost gives its ticket to the answer whose head comes next; one that never ends
/// holds it until it times out, and no longer; it costs the memory of its own answer alone.
#[derive(Debug, PartialEq, Eq)]
pub struct Ticket {
    /// The ticket's number, counted from one.
    number: u64,
    place: usize,
}

/// A thread's sample.
#[derive(Debug)]
pub struct Reservoir {
    size: usize,
    /// The answers kept, each with the number of its ticket: a later one stays whichever was whole
    /// first.
    places: Vec<Option<(u64, Sample)>>,
    /// Heads that came, but for those of answers that failed.
    heads: u64,
    /// The number of the next head whose answer is chosen, counted from zero.
    due: u64,
    /// The same by the algorithm, which knows nothing of tickets that were given back.
    next: u64,
    tickets: u64,
    given_back: Vec<Ticket>,
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
            tickets: 0,
            given_back: Vec::new(),
            weight: 1.0,
            random,
        }
    }

    /// The head of an answer came: the ticket to keep that answer, if it is chosen.
    #[inline]
    pub fn choose(&mut self) -> Option<Ticket> {
        let number = self.heads;
        self.heads += 1;
        if number < self.due { None } else { Some(self.chosen()) }
    }

    /// The answer that had the `ticket` is whole and right.
    pub fn keep(&mut self, ticket: Ticket, sample: Sample) {
        if self.places.len() <= ticket.place {
            self.places.resize(ticket.place + 1, None);
        }
        let held = &mut self.places[ticket.place];
        if held.as_ref().is_none_or(|(number, _)| *number < ticket.number) {
            *held = Some((ticket.number, sample));
        }
    }

    /// An answer whose head came turned out wrong, or will not be whole; it had the `ticket`, if it
    /// was chosen. The sample is one of right answers alone, as if the others had never begun.
    pub fn failed(&mut self, ticket: Option<Ticket>) {
        self.heads -= 1;
        self.given_back.extend(ticket);
        if !self.given_back.is_empty() {
            self.due = self.heads;
        }
    }

    /// The sample.
    pub fn into_samples(self) -> Vec<Sample> {
        self.places.into_iter().flatten().map(|(_, sample)| sample).collect()
    }

    #[cold]
    fn chosen(&mut self) -> Ticket {
        if let Some(ticket) = self.given_back.pop() {
            self.due = if self.given_back.is_empty() { self.next } else { self.heads };
            return ticket;
        }
        self.tickets += 1;
        let is_full = self.tickets > self.size as u64;
        let place = if is_full { self.random.below(self.size as u64) } else { self.tickets - 1 };
        self.next = self.heads;
        if self.tickets >= self.size as u64 {
            self.weight *= (self.random.unit().ln() / self.size as f64).exp();
            let skipped = (self.random.unit().ln() / (1.0 - self.weight).ln()).floor();
            // A weight of one, which rounding may give, would skip a negative number or none.
            let skipped = if skipped.is_finite() { skipped.max(0.0) } else { 0.0 };
            self.next = self.next.saturating_add(skipped as u64);
        }
        self.due = self.next;
        Ticket { number: self.tickets, place: place as usize }
    }
}

#[cfg(test)]
mod tests;
