//! The users of a load, and the requests they send.

use super::compile::Compiled;
use super::cookies::Jar;
use super::drawn::Drawn;
use super::values::{SLOTS, Source};
use crate::plan::spec::Order;
use crate::random::Random;

/// Keeps users' random numbers apart from those that the seed gives to schedules and samples.
const USERS: u64 = 0x7573_6572_735f_5f5f;

/// A user who sends one request after the other and remembers what the answers said.
#[derive(Debug, Clone)]
pub struct User {
    random: Random,
    /// Requests made, since the user came.
    sent: u64,
    /// The request that is next in the sequence.
    next: usize,
    /// The next value of each variable, where that is a sequence.
    states: Vec<i64>,
    jar: Jar,
    /// Room for a body or text under construction.
    pub(crate) scratch: Vec<u8>,
    /// The last number of each counter check; `None` when an answer was lost.
    counters: Vec<Option<i64>>,
    /// The last number of a counter check that was not made yet.
    uncounted: Option<i64>,
}

impl User {
    /// Keeps the cookies an answer sets; for loads whose users keep cookies.
    pub fn see_headers<'h>(&mut self, headers: impl IntoIterator<Item = (&'h [u8], &'h [u8])>) {
        for (name, value) in headers {
            if name.eq_ignore_ascii_case(b"set-cookie") {
                self.jar.set(value);
            }
        }
    }

    /// What the user's `Cookie` header says; empty without cookies.
    pub fn cookies(&self) -> &[u8] {
        self.jar.value()
    }

    /// Another user takes the place: nobody that the server has seen, and whose counts begin at 0.
    fn give_way(&mut self) {
        self.sent = 0;
        self.next = 0;
        self.jar.clear();
        self.counters.clear();
        self.uncounted = Some(0);
    }

    /// An answer did not come. The server may or may not have counted the request, so counter
    /// checks take the next number as it is and count on from there.
    pub fn lose_answer(&mut self) {
        self.counters.fill(None);
        self.uncounted = None;
    }

    /// The last number of a counter check, which begins at 0.
    pub(crate) fn counter(&mut self, check: usize) -> &mut Option<i64> {
        if self.counters.len() <= check {
            self.counters.resize(check + 1, self.uncounted);
        }
        &mut self.counters[check]
    }
}

impl Compiled {
    /// The user with this number; what they draw depends on the number and the seed alone.
    pub fn user(&self, number: u64) -> User {
        let sequences = self.sources.iter().any(Source::is_sequence);
        User {
            random: Random::new(self.seed ^ USERS, number),
            sent: 0,
            next: 0,
            states: self.sources.iter().filter(|_| sequences).map(Source::start).collect(),
            jar: Jar::default(),
            scratch: Vec::new(),
            counters: Vec::new(),
            uncounted: Some(0),
        }
    }

    /// Draws the user's next request. Allocates nothing.
    pub fn draw(&self, user: &mut User) -> Drawn {
        if self.visits == Some(user.sent) {
            user.give_way();
        }
        user.sent += 1;
        let count = self.requests.len();
        let request_index = match self.order {
            _ if count == 1 => 0,
            Order::Random => user.random.below(count as u64) as usize,
            Order::Sequence => {
                let index = user.next;
                user.next = if index + 1 == count { 0 } else { index + 1 };
                index
            }
        };
        let template = &self.requests[request_index];
        let (is_head, closes) = (template.is_head(), template.closes);
        let mut drawn = Drawn { request_index, is_head, closes, values: [0; SLOTS] };
        for (value, &variable) in drawn.values.iter_mut().zip(&template.used) {
            let mut none = 0;
            let state = user.states.get_mut(variable).unwrap_or(&mut none);
            *value = self.sources[variable].draw(&mut user.random, state);
        }
        drawn
    }
}
