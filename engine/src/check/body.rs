//! One check of a body, compiled.

use memchr::memmem;

use super::Right;
use super::detail::{difference, quote};
use super::lookup::Lookup;
use super::pattern::Pattern;
use crate::plan::spec::CheckSpec;
use crate::plan::template::{Compiled, Slots, Text, User};

#[derive(Debug)]
pub(super) enum Check {
    Equals(Text),
    Contains(Box<memmem::Finder<'static>>),
    ContainsVariable(Text),
    Matches(Pattern),
    Length { min: u64, max: u64 },
    Lookup { slot: usize, number: usize },
    Counter { pattern: Pattern, step: i64, number: usize },
}

/// What compiling checks one after the other adds up to.
#[derive(Debug, Default)]
pub(super) struct Compiling {
    counters: usize,
    /// The bodies of each `lookup` check, and its variable.
    pub(super) lookups: Vec<Lookup>,
    /// See `lookups`.
    pub(super) variables: Vec<String>,
}

impl Check {
    /// Compiles a check of the request at `request_index`.
    pub(super) fn compile(
        spec: &CheckSpec,
        request_index: usize,
        compiled: &Compiled,
        compiling: &mut Compiling,
    ) -> Result<Check, String> {
        let text = |kind: &str, text: &str| {
            Text::compile(text, |name| compiled.slot(request_index, name))
                .map_err(|error| format!("{kind}: text: {error}"))
        };
        match spec {
            // The status is not the body's; it is checked apart.
            CheckSpec::Status { .. } => Ok(Check::Length { min: 0, max: u64::MAX }),
            CheckSpec::Equals { text: expected } => Ok(Check::Equals(text("equals", expected)?)),
            CheckSpec::Contains { text: part } => {
                let part = text("contains", part)?;
                Ok(match part.constant() {
                    Some(bytes) => {
                        Check::Contains(Box::new(memmem::Finder::new(bytes).into_owned()))
                    }
                    None => Check::ContainsVariable(part),
                })
            }
            CheckSpec::Matches { pattern } => {
                Ok(Check::Matches(compiled_pattern("matches", pattern)?))
            }
            CheckSpec::Length { min, max } => {
                let (min, max) = (min.unwrap_or(0), max.unwrap_or(u64::MAX));
                if min > max {
                    return Err(format!("length: min {min} is above max {max}; swap them"));
                }
                Ok(Check::Length { min, max })
            }
            CheckSpec::Lookup { variable, expected } => {
                let lookup = |error: String| format!("lookup: {error}");
                let slot = compiled.slot(request_index, variable).map_err(lookup)?;
                let expected = Lookup::compile(compiled.choices(variable), expected);
                let expected = expected.map_err(lookup)?;
                compiling.lookups.push(expected);
                compiling.variables.push(variable.clone());
                Ok(Check::Lookup { slot, number: compiling.lookups.len() - 1 })
            }
            CheckSpec::Counter { pattern, step } => {
                let pattern = compiled_pattern("counter", pattern)?;
                if !pattern.captures() {
                    return Err(format!(
                        "counter: pattern '{}' captures nothing; write (\\d+) for the number",
                        pattern.text()
                    ));
                }
                compiling.counters += 1;
                Ok(Check::Counter { pattern, step: *step, number: compiling.counters - 1 })
            }
        }
    }

    pub(super) fn needs_body(&self) -> bool {
        !matches!(self, Check::Length { .. })
    }

    pub(super) fn is_counter(&self) -> bool {
        matches!(self, Check::Counter { .. })
    }

    /// Checks a body; the error is the detail of the failure.
    pub(super) fn run(
        &self,
        body: &[u8],
        length: u64,
        slots: Slots<'_>,
        user: &mut User,
        right: Right<'_>,
    ) -> Result<(), String> {
        match self {
            Check::Equals(text) => match text.strip_from(slots, body) {
                Some([]) => Ok(()),
                _ => Err(difference(&rendered(text, slots), body)),
            },
            Check::Contains(finder) => match finder.find(body) {
                Some(_) => Ok(()),
                None => Err(lacks(finder.needle(), body)),
            },
            Check::ContainsVariable(text) => {
                user.scratch.clear();
                text.render(slots, &mut user.scratch);
                match memmem::find(body, &user.scratch) {
                    Some(_) => Ok(()),
                    None => Err(lacks(&user.scratch, body)),
                }
            }
            Check::Matches(pattern) if pattern.is_match(body) => Ok(()),
            Check::Matches(pattern) => Err(mismatch(pattern, body)),
            Check::Length { min, max } if (*min..=*max).contains(&length) => Ok(()),
            Check::Length { min, max } => {
                let most = if *max == u64::MAX { String::new() } else { format!(" to {max}") };
                Err(format!("length: expected {min}{most} bytes, got {length}"))
            }
            Check::Lookup { slot, number } => {
                let value = slots.raw(*slot);
                match right.newest(*number, value) {
                    Some(expected) if expected == body => Ok(()),
                    _ if right.holds(*number, value, body) => Ok(()),
                    Some(expected) if right.held(*number, value, body) => Err(format!(
                        "out of date, the state had changed: {}",
                        difference(expected, body)
                    )),
                    Some(expected) => Err(difference(expected, body)),
                    None => {
                        let value = slots.with(*slot, quote);
                        Err(format!("lookup: no body is known for {value}; add it to expected"))
                    }
                }
            }
            Check::Counter { pattern, step, number } => {
                let captured = pattern.first_group(body).and_then(|text| str::from_utf8(text).ok());
                let Some(got) = captured.and_then(|text| text.parse::<i64>().ok()) else {
                    *user.counter(*number) = None;
                    return Err(mismatch(pattern, body));
                };
                // One wrong number is one failure: count on from what the server says.
                let last = user.counter(*number).replace(got);
                match last.map(|last| last.wrapping_add(*step)) {
                    Some(expected)
                        if expected != got && !right.goes_on_from(got.wrapping_sub(*step)) =>
                    {
                        Err(format!("counter: expected {expected}, got {got}"))
                    }
                    _ => Ok(()),
                }
            }
        }
    }
}

fn compiled_pattern(kind: &str, pattern: &str) -> Result<Pattern, String> {
    Pattern::compile(pattern)
        .map_err(|reason| format!("{kind}: pattern '{}': {reason}", pattern.escape_debug()))
}

fn rendered(text: &Text, slots: Slots<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    text.render(slots, &mut bytes);
    bytes
}

fn lacks(part: &[u8], body: &[u8]) -> String {
    format!("body: expected {} in it, got {}", quote(part), quote(body))
}

fn mismatch(pattern: &Pattern, body: &[u8]) -> String {
    let pattern = quote(pattern.text().as_bytes());
    format!("body: expected to match {pattern}, got {}", quote(body))
}
