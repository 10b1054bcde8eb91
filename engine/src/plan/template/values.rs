//! Where the values of variables come from, and how they are written.

use crate::plan::spec::Variable;
use crate::random::Random;

/// A request may use this many variables, so that what was drawn needs no allocation.
pub(super) const SLOTS: usize = 8;

/// A variable, ready to be drawn from. A drawn value is an integer: itself, or a choice's index.
#[derive(Debug, Clone)]
pub(super) enum Source {
    Int { min: i64, max: i64 },
    Choice(Vec<String>),
    Sequence { start: i64, step: i64 },
}

impl Source {
    pub(super) fn compile(name: &str, variable: &Variable) -> Result<Source, String> {
        match variable {
            Variable::Int { min, max } if min > max => {
                Err(format!("variables.{name}: min {min} is above max {max}; swap them"))
            }
            Variable::Int { min, max } => Ok(Source::Int { min: *min, max: *max }),
            Variable::Choice { values } if values.is_empty() => {
                Err(format!("variables.{name}: values is empty; give at least one"))
            }
            Variable::Choice { values } => Ok(Source::Choice(values.clone())),
            Variable::Sequence { start, step } => {
                Ok(Source::Sequence { start: *start, step: *step })
            }
        }
    }

    pub(super) fn is_sequence(&self) -> bool {
        matches!(self, Source::Sequence { .. })
    }

    /// The first value of a sequence; other kinds have no state.
    pub(super) fn start(&self) -> i64 {
        match self {
            Source::Sequence { start, .. } => *start,
            _ => 0,
        }
    }

    /// Draws a value; `state` is the user's, for this variable.
    pub(super) fn draw(&self, random: &mut Random, state: &mut i64) -> i64 {
        match self {
            Source::Int { min, max } => {
                // The span of all 64-bit integers does not fit, and needs no bound either.
                match max.wrapping_sub(*min).cast_unsigned().checked_add(1) {
                    Some(span) => min.wrapping_add_unsigned(random.below(span)),
                    None => random.next_u64().cast_signed(),
                }
            }
            Source::Choice(values) => random.below(values.len() as u64).cast_signed(),
            Source::Sequence { step, .. } => {
                let value = *state;
                *state = value.wrapping_add(*step);
                value
            }
        }
    }

    /// Gives the text of a drawn value to `read`.
    fn with<R>(&self, value: i64, read: impl FnOnce(&[u8]) -> R) -> R {
        match self {
            Source::Choice(values) => {
                let index = usize::try_from(value).unwrap_or(usize::MAX);
                read(values.get(index).map_or(&[], |text| text.as_bytes()))
            }
            _ => read(itoa::Buffer::new().format(value).as_bytes()),
        }
    }
}

/// What was drawn for one request: a value for each variable that the request uses.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slots<'a> {
    sources: &'a [Source],
    /// Slot to variable.
    used: &'a [usize],
    values: &'a [i64; SLOTS],
}

impl<'a> Slots<'a> {
    pub(super) fn new(sources: &'a [Source], used: &'a [usize], values: &'a [i64; SLOTS]) -> Self {
        Slots { sources, used, values }
    }

    /// The drawn value itself: an integer, or the index of a choice.
    pub(crate) fn raw(self, slot: usize) -> i64 {
        self.values[slot]
    }

    /// Gives the text of a slot's value to `read`.
    pub(crate) fn with<R>(self, slot: usize, read: impl FnOnce(&[u8]) -> R) -> R {
        self.sources[self.used[slot]].with(self.values[slot], read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draws(variable: &Variable, count: usize) -> Vec<i64> {
        let source = Source::compile("v", variable).unwrap();
        let (mut random, mut state) = (Random::new(1, 2), source.start());
        (0..count).map(|_| source.draw(&mut random, &mut state)).collect()
    }

    #[test]
    fn integers_are_uniform_and_include_both_bounds() {
        let drawn = draws(&Variable::Int { min: -3, max: 6 }, 100_000);
        for value in -3..=6 {
            // 100,000 draws from 10 values: 10,000 each, standard deviation 95.
            let count = drawn.iter().filter(|&&v| v == value).count();
            assert!((9_500..=10_500).contains(&count), "{value}: {count}");
        }
        assert!(drawn.iter().all(|v| (-3..=6).contains(v)));
    }

    #[test]
    fn the_widest_and_the_narrowest_range() {
        let drawn = draws(&Variable::Int { min: i64::MIN, max: i64::MAX }, 1000);
        assert!(drawn.iter().any(|v| *v < i64::MIN / 2) && drawn.iter().any(|v| *v > i64::MAX / 2));
        assert_eq!(draws(&Variable::Int { min: 7, max: 7 }, 2), [7, 7]);
    }

    #[test]
    fn sequences_count_and_wrap() {
        assert_eq!(draws(&Variable::Sequence { start: 5, step: -2 }, 4), [5, 3, 1, -1]);
        let end = Variable::Sequence { start: i64::MAX, step: 1 };
        assert_eq!(draws(&end, 2), [i64::MAX, i64::MIN]);
    }

    #[test]
    fn empty_ranges_are_errors() {
        let error = |variable| Source::compile("n", &variable).unwrap_err();
        let int = Variable::Int { min: 2, max: 1 };
        assert_eq!(error(int), "variables.n: min 2 is above max 1; swap them");
        let choice = Variable::Choice { values: vec![] };
        assert_eq!(error(choice), "variables.n: values is empty; give at least one");
    }
}
