//! Regular expressions over bodies.

use regex_automata::meta::{BuildError, Config, Regex};
use regex_automata::util::syntax;

/// The most memory that a compiled pattern may take, in bytes: that of the crate `regex`.
const LARGEST: usize = 10 << 20;
/// What each thread may keep of what it worked out while it searched, in bytes: as above.
const CACHE: usize = 2 << 20;

/// A regular expression with the syntax and the meaning of `regex::bytes::Regex`, of which this is
/// the part that checks need: it compiles in less time, and finds a group without an allocation.
#[derive(Debug)]
pub(super) struct Pattern {
    text: String,
    compiled: Regex,
}

impl Pattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// What is wrong with it, in one line.
    pub(super) fn compile(text: &str) -> Result<Pattern, String> {
        // A body need not be UTF-8, so neither need what matches.
        let compiled = Regex::builder()
            .configure(
                Config::new()
                    .nfa_size_limit(Some(LARGEST))
                    .hybrid_cache_capacity(CACHE)
                    .utf8_empty(false),
            )
            .syntax(syntax::Config::new().utf8(false))
            .build(text)
            .map_err(|error| reason(&error))?;
        Ok(Pattern { text: text.into(), compiled })
    }

    /// As it was written.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Whether it has a group that captures.
    pub(super) fn captures(&self) -> bool {
        self.compiled.captures_len() > 1
    }

    pub(super) fn is_match(&self, body: &[u8]) -> bool {
        self.compiled.is_match(body)
    }

    /// What the first group captured where the pattern matches first.
    pub(super) fn first_group<'b>(&self, body: &'b [u8]) -> Option<&'b [u8]> {
        // Where the whole match begins and ends, and where the group does.
        let mut places = [None; 4];
        self.compiled.search_slots(&body.into(), &mut places)?;
        let [_, _, start, end] = places;
        body.get(start?.get()..end?.get())
    }
}

fn reason(error: &BuildError) -> String {
    if let Some(limit) = error.size_limit() {
        return format!("Compiled regex exceeds size limit of {limit} bytes.");
    }
    match error.syntax_error() {
        // The library draws the pattern over several lines; its last one says what is wrong.
        Some(error) => error.to_string().lines().last().unwrap_or_default().trim().to_owned(),
        None => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Patterns whose meaning depends on how they are compiled, and bodies that show it.
    const PATTERNS: [&str; 22] = [
        "^.$",
        "(?s)^.$",
        "(?-u)^.$",
        "(?s-u)^(.)$",
        r"^(\w+)$",
        r"(?-u)^(\w+)$",
        r"(\d+)",
        r"n=([0-9]+);",
        r"(?i)^(stra\u{df}e|K)$",
        r"(?i-u)^k$",
        r"\b(n\w*)\b",
        r"(?-u)\xff",
        "(?m)^b$",
        "a$",
        "(?R)^(b)$",
        "(a)|b",
        "(a|ab)(c|bcd)",
        "(a*)",
        "(?:)",
        "(x*?)y",
        r"(\p{Greek}+)",
        "one|two|three",
    ];
    const BODIES: [&[u8]; 28] = [
        b"",
        b"a",
        b"b",
        b"abcd",
        b"a\n",
        b"\n",
        b"a\nb\nc",
        b"a\r\nb",
        b"\xff",
        b"\xc3",
        b"\xc3\xbc",
        b"\xff7",
        b"n=1;n=22;",
        b"n=\xd9\xa3;",
        "n=\u{663};".as_bytes(),
        "\u{663}\u{664}".as_bytes(),
        "STRASSE".as_bytes(),
        "STRA\u{1e9e}E".as_bytes(),
        "\u{212a}".as_bytes(),
        b"k",
        b"K",
        "\u{fc}n\u{fc} n1".as_bytes(),
        b"\xffn1\xff",
        b"\xce\xb1\xce\xb2\xff",
        b"xxy",
        b"three",
        b"on two",
        b"aab",
    ];

    /// The crate whose meaning this has is the oracle.
    #[test]
    fn it_matches_and_captures_as_regex_does() {
        for text in PATTERNS {
            let pattern = Pattern::compile(text).unwrap();
            let right = regex::bytes::Regex::new(text).unwrap();
            assert_eq!(pattern.captures(), right.captures_len() > 1, "{text}");
            for body in BODIES {
                let found = (pattern.is_match(body), pattern.first_group(body));
                let group = right.captures(body).and_then(|found| found.get(1));
                let expected = (right.is_match(body), group.map(|group| group.as_bytes()));
                assert_eq!(found, expected, "{text} in {}", body.escape_ascii());
            }
        }
    }

    #[test]
    fn a_body_of_many_pages_is_searched_to_its_end() {
        for text in [r"n=(\d+)", r"\bn=(\d+)\b", r"(?i)N=(\d+)$", r"(?:zero|n)=(\d+)"] {
            let pattern = Pattern::compile(text).unwrap();
            for filling in ["page ", "\u{fc}ber "] {
                let body = filling.repeat(20_000) + "n=17";
                assert_eq!(pattern.first_group(body.as_bytes()), Some(&b"17"[..]), "{text}");
            }
        }
    }

    #[test]
    fn what_is_wrong_is_said_as_regex_says_it() {
        for text in [
            "a(",
            "[z-a]",
            "a**b{",
            r"\p{Nope}",
            "(?P<n>a)(?P<n>b)",
            "\\",
            "x{3,2}",
            "(?z)",
            r"(a)\1",
            "(?=a)",
            r"\w{1000}{1000}",
            "a\n(",
        ] {
            let found = Pattern::compile(text).unwrap_err();
            let right = regex::bytes::Regex::new(text).unwrap_err().to_string();
            assert_eq!(found, right.lines().last().unwrap().trim(), "{text}");
        }
        let too_large = Pattern::compile(r"\w{1000}{1000}").unwrap_err();
        assert_eq!(too_large, "Compiled regex exceeds size limit of 10485760 bytes.");
    }
}
