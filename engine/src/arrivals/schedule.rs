//! When the requests of an open load fall due.
//!
//! A rate over time has a cumulated count, the integral of the rate. Uniform arrivals fall where
//! that count passes 0.5, 1.5, 2.5 and so on, across the bounds of phases. Poisson arrivals fall
//! where it passes the points of a Poisson process of rate one, whose gaps are independent draws
//! from the exponential distribution. So their number is random, too: of 10,000 that are expected
//! it is 10,000 ± 100 (one standard deviation). The seed decides it.
//!
//! Threads share a schedule without talking: each has every n-th uniform arrival, or a Poisson
//! process of an n-th of the rate, which together are one of the whole.

use crate::plan::spec::{Arrivals, Phase};
use crate::random::Random;

/// The arrivals of one thread, in order, as nanoseconds since the start of the load.
#[derive(Debug, Clone)]
pub struct Schedule {
    phases: Vec<Span>,
    arrivals: Arrivals,
    threads: u64,
    random: Random,
    phase: usize,
    /// Uniform: the next global arrival of this thread.
    next: u64,
    /// Poisson: the cumulated count at the last arrival.
    count: f64,
}

/// A phase and where it lies in time and in the cumulated count.
#[derive(Debug, Clone, Copy)]
struct Span {
    start_s: f64,
    phase: Phase,
    count_before: f64,
    count: f64,
    /// Uniform arrivals before its end.
    end: u64,
}

impl Schedule {
    /// The share of thread number `thread` of `threads`.
    pub fn new(
        phases: &[Phase],
        arrivals: Arrivals,
        seed: u64,
        thread: usize,
        threads: usize,
    ) -> Schedule {
        let mut spans = Vec::with_capacity(phases.len());
        let (mut start_s, mut count_before) = (0.0, 0.0);
        for &phase in phases {
            let count = phase.expected_count();
            spans.push(Span {
                start_s,
                phase,
                count_before,
                count,
                end: arrivals_before(count_before + count),
            });
            start_s += phase.duration_s;
            count_before += count;
        }
        Schedule {
            phases: spans,
            arrivals,
            threads: threads as u64,
            random: Random::new(seed, thread as u64),
            phase: 0,
            next: thread as u64,
            count: 0.0,
        }
    }
}

impl Iterator for Schedule {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        match self.arrivals {
            Arrivals::Uniform => {
                let span = loop {
                    let span = self.phases.get(self.phase)?;
                    if self.next < span.end {
                        break span;
                    }
                    self.phase += 1;
                };
                let time = span.time_of(self.next as f64 + 0.5 - span.count_before);
                self.next += self.threads;
                Some(time)
            }
            Arrivals::Poisson => {
                self.count -= self.random.unit().ln() * self.threads as f64;
                let span = loop {
                    let span = self.phases.get(self.phase)?;
                    if self.count < span.count_before + span.count {
                        break span;
                    }
                    self.phase += 1;
                };
                Some(span.time_of(self.count - span.count_before))
            }
        }
    }
}

impl Span {
    /// When the cumulated count of this phase reaches `count`, in nanoseconds since the start.
    fn time_of(&self, count: f64) -> u64 {
        let Phase { rate, to_rate, duration_s } = self.phase;
        let slope = (to_rate.unwrap_or(rate) - rate) / duration_s;
        // The root of rate·t + slope·t²/2 = count, written so that it holds for slope = 0 too.
        let root = (rate * rate + 2.0 * slope * count).max(0.0).sqrt();
        let seconds = if count > 0.0 { (2.0 * count / (rate + root)).min(duration_s) } else { 0.0 };
        ((self.start_s + seconds) * 1e9).round() as u64
    }
}

/// How many of the counts 0.5, 1.5, 2.5 … lie below `count`.
fn arrivals_before(count: f64) -> u64 {
    // A hair's breadth for the rounding of sums of products such as 0.1 · 30.
    (count - 1e-6).max(0.0).round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn phase(rate: f64, to_rate: Option<f64>, duration_s: f64) -> Phase {
        Phase { rate, to_rate, duration_s }
    }

    fn all(phases: &[Phase], arrivals: Arrivals, threads: usize) -> Vec<u64> {
        let mut times: Vec<u64> = (0..threads)
            .flat_map(|thread| Schedule::new(phases, arrivals, 7, thread, threads))
            .collect();
        times.sort_unstable();
        times
    }

    #[test]
    fn uniform_arrivals_are_evenly_spaced_and_centred() {
        let times = all(&[phase(10.0, None, 1.0)], Arrivals::Uniform, 1);
        let expected: Vec<u64> = (0..10).map(|n| n * 100_000_000 + 50_000_000).collect();
        assert_eq!(times, expected);
    }

    #[test]
    fn a_ramp_from_nothing_puts_three_quarters_into_its_second_half() {
        let times = all(&[phase(0.0, Some(1000.0), 2.0)], Arrivals::Uniform, 1);
        let late = times.iter().filter(|time| **time >= 1_000_000_000).count();
        assert_eq!((times.len(), late), (1000, 750));
    }

    #[test]
    fn poisson_gaps_have_the_deviation_of_an_exponential() {
        let times = all(&[phase(1000.0, None, 100.0)], Arrivals::Poisson, 1);
        let gaps: Vec<f64> = times.windows(2).map(|w| (w[1] - w[0]) as f64).collect();
        let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
        let variance = gaps.iter().map(|g| (g - mean).powi(2)).sum::<f64>() / gaps.len() as f64;
        let ratio = variance.sqrt() / mean;
        assert!((0.98..1.02).contains(&ratio), "deviation / mean = {ratio}");
    }

    #[test]
    fn the_seed_decides_poisson_arrivals() {
        let phases = [phase(100.0, None, 1.0)];
        let times =
            |seed| Schedule::new(&phases, Arrivals::Poisson, seed, 0, 1).collect::<Vec<_>>();
        assert_eq!(times(1), times(1));
        assert_ne!(times(1), times(2));
    }

    fn phases() -> impl Strategy<Value = Vec<Phase>> {
        let rate = 0.0..2000.0f64;
        let one = (rate.clone(), proptest::option::of(rate), 0.01..2.0f64)
            .prop_map(|(rate, to_rate, duration_s)| phase(rate, to_rate, duration_s));
        proptest::collection::vec(one, 1..4)
    }

    #[test]
    fn the_number_of_poisson_arrivals_varies_as_a_poisson_number_does() {
        // 400 loads of 100 ± 10 arrivals, in two phases; the variance of their number is its mean,
        // with a standard error of about 7.
        for threads in [1, 3] {
            let phases = [phase(100.0, None, 0.5), phase(0.0, Some(200.0), 0.5)];
            let numbers: Vec<f64> = (0..400)
                .map(|seed| {
                    let of = |thread| {
                        Schedule::new(&phases, Arrivals::Poisson, seed, thread, threads).count()
                    };
                    (0..threads).map(of).sum::<usize>() as f64
                })
                .collect();
            let mean = numbers.iter().sum::<f64>() / 400.0;
            let variance = numbers.iter().map(|n| (n - mean).powi(2)).sum::<f64>() / 399.0;
            assert!((98.0..102.0).contains(&mean), "{mean}");
            assert!((72.0..128.0).contains(&variance), "{variance}");
        }
    }

    proptest! {
        #[test]
        fn counts_are_the_integral_of_the_rate_and_times_rise(
            phases in phases(),
            poisson in any::<bool>(),
            threads in 1usize..4,
        ) {
            let arrivals = if poisson { Arrivals::Poisson } else { Arrivals::Uniform };
            let mut start_s = 0.0;
            let mut before = 0.0;
            let times = all(&phases, arrivals, threads);
            // Six standard deviations of a Poisson number, and a few for small ones.
            let spread = |expected: f64| if poisson { 6.0 * expected.sqrt() + 6.0 } else { 0.0 };
            for phase in &phases {
                let end_s = start_s + phase.duration_s;
                let within = |time: &&u64| (start_s..end_s).contains(&(**time as f64 / 1e9));
                let count = times.iter().filter(within).count() as f64;
                let expected = phase.expected_count();
                let room = 1.01 + spread(expected);
                prop_assert!((count - expected).abs() <= room, "{count} of {expected}");
                start_s = end_s;
                before += expected;
            }
            prop_assert!((times.len() as f64 - before).abs() <= 0.51 + spread(before));
            prop_assert!(times.iter().all(|time| *time as f64 <= start_s * 1e9 + 1.0));
            for thread in 0..threads {
                let own: Vec<u64> = Schedule::new(&phases, arrivals, 7, thread, threads).collect();
                prop_assert!(own.windows(2).all(|pair| pair[0] <= pair[1]));
            }
        }
    }
}
