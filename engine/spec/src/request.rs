//! The part of the specification about each request: its template, its variables, the checks of its
//! answer, and which answers are kept.

use std::collections::BTreeMap;

use serde::Deserialize;

/// Where a variable's values come from.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Variable {
    /// A uniform random integer, both bounds included.
    Int {
        /// Smallest value.
        min: i64,
        /// Largest value.
        max: i64,
    },
    /// One of some texts, uniformly at random.
    Choice {
        /// The texts.
        values: Vec<String>,
    },
    /// Integers in sequence, for each user on its own.
    Sequence {
        /// The first value.
        start: i64,
        /// The distance between values.
        step: i64,
    },
}

/// A request template and the checks its answers must pass.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RequestSpec {
    /// The name it is counted under.
    pub name: String,
    /// HTTP method.
    #[serde(default = "get")]
    pub method: String,
    /// Path and query; `{name}` stands for a variable, `{{` and `}}` for braces.
    pub path: String,
    /// Header lines, also with variables.
    #[serde(default)]
    pub headers: Vec<(String, String)>,
    /// Body, also with variables.
    #[serde(default)]
    pub body: Option<String>,
    /// Whether the request is a message over WebSocket: `path` and `headers` are then those of the
    /// upgrade, once a connection.
    #[serde(default)]
    pub websocket: bool,
    /// The text of the message, also with variables; over WebSocket only.
    #[serde(default)]
    pub message: Option<String>,
    /// What an answer must fulfil to count as ok.
    #[serde(default)]
    pub checks: Vec<CheckSpec>,
    /// Present where no two answers may be alike.
    #[serde(default)]
    pub distinct: Option<DistinctSpec>,
}

/// What tells one answer from another.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DistinctSpec {
    /// Texts of which each is followed by a word of letters, digits, `-` and `_`: those tell it.
    pub after: Vec<String>,
    /// Whether the same words in another order are the same answer.
    #[serde(default)]
    pub any_order: bool,
}

fn get() -> String {
    "GET".to_owned()
}

/// One check of an answer.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum CheckSpec {
    /// The status code; without such a check any 2xx is right.
    Status {
        /// The only right status.
        equals: u16,
    },
    /// The whole body.
    Equals {
        /// The text, which may hold variables.
        text: String,
    },
    /// A part of the body.
    Contains {
        /// The text, which may hold variables.
        text: String,
    },
    /// A regular expression found in the body.
    Matches {
        /// The expression.
        pattern: String,
    },
    /// The body's length in bytes, both bounds included.
    Length {
        /// Shortest.
        #[serde(default)]
        min: Option<u64>,
        /// Longest.
        #[serde(default)]
        max: Option<u64>,
    },
    /// The body expected for the value a variable had in the request.
    Lookup {
        /// The variable.
        variable: String,
        /// Value to body.
        expected: BTreeMap<String, String>,
    },
    /// A number in the body which grows by `step` with each answer a user gets.
    Counter {
        /// A regular expression whose first group captures the number.
        pattern: String,
        /// The distance between a user's answers, and the first value.
        step: i64,
    },
}

/// How many answers to keep in full, for a later audit.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuditSpec {
    /// Answers kept; they are a uniform random sample of all that were ok.
    #[serde(default)]
    pub samples: usize,
    /// Bodies are cut at this length.
    #[serde(default = "max_body_bytes")]
    pub max_body_bytes: usize,
}

fn max_body_bytes() -> usize {
    262_144
}
