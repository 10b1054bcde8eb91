//! The bodies that a `lookup` check expects.

use std::collections::{BTreeMap, HashMap};

/// Bodies by the value that was drawn.
#[derive(Debug, Clone)]
pub(super) enum Lookup {
    Choice(Vec<Vec<u8>>),
    Integer(HashMap<i64, Vec<u8>>),
}

impl Lookup {
    /// Compiles what is `expected` of a variable, which is a choice where there are `choices`.
    pub(super) fn compile(
        choices: Option<&[String]>,
        expected: &BTreeMap<String, String>,
    ) -> Result<Lookup, String> {
        let missing =
            |value: &String| format!("no body is given for value {value:?}; add it to expected");
        if let Some(choices) = choices {
            let body = |value| expected.get(value).ok_or_else(|| missing(value));
            let bodies = choices.iter().map(|value| body(value).map(|text| text.clone().into()));
            return Ok(Lookup::Choice(bodies.collect::<Result<_, _>>()?));
        }
        let integer = |value: &String| {
            let parsed = value.parse::<i64>();
            parsed.map_err(|_| {
                format!(
                    "expected: {value:?} is not an integer, but the variable's values are; write it \
                     as it is drawn"
                )
            })
        };
        let bodies =
            expected.iter().map(|(value, body)| Ok((integer(value)?, body.clone().into())));
        Ok(Lookup::Integer(bodies.collect::<Result<_, String>>()?))
    }

    /// Gives values of the variable other bodies.
    pub(super) fn change(
        &mut self,
        choices: Option<&[String]>,
        expected: &BTreeMap<String, String>,
    ) -> Result<(), String> {
        for (value, body) in expected {
            let place = match self {
                Lookup::Choice(bodies) => choices
                    .and_then(|choices| choices.iter().position(|choice| choice == value))
                    .and_then(|place| bodies.get_mut(place)),
                Lookup::Integer(bodies) => {
                    value.parse().ok().map(|value| bodies.entry(value).or_default())
                }
            };
            *place.ok_or_else(|| {
                format!("expected: the variable has no value {value:?}; leave it out")
            })? = body.clone().into();
        }
        Ok(())
    }

    /// The body for a drawn value.
    pub(super) fn get(&self, value: i64) -> Option<&[u8]> {
        match self {
            Lookup::Choice(bodies) => bodies.get(usize::try_from(value).ok()?).map(Vec::as_slice),
            Lookup::Integer(bodies) => bodies.get(&value).map(Vec::as_slice),
        }
    }
}
