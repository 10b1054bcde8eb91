//! Whether all of a load's answers differ, however far apart two equal ones are.
//!
//! An answer is identified by its words: those which follow given texts. Of each answer a thread keeps
//! a fingerprint of 64 bits. When it has too many, it keeps only those that end in a zero bit, then in
//! two, and so on: equal answers are kept or dropped together, so that a part of them shows repetition
//! as well as all do.

use memchr::memmem::Finder;
use serde::Serialize;

use crate::plan::spec::{DistinctSpec, RequestSpec, Spec};
use crate::random::Random;

/// Fingerprints that a thread keeps for each request, 4 MB: thinning them out takes under 1 ms.
const KEPT: usize = 1 << 19;

/// What identifies the answers to each request, for those that have to be distinct.
#[derive(Debug)]
pub struct Fingerprinters(Vec<Option<Words>>);

/// The words that identify an answer.
#[derive(Debug)]
struct Words {
    after: Vec<Finder<'static>>,
    any_order: bool,
    salt: u64,
}

/// What one thread has seen, request by request.
#[derive(Debug)]
pub struct Seen(Vec<Option<Kept>>);

#[derive(Debug)]
struct Kept {
    answers: u64,
    mask: u64,
    fingerprints: Vec<u64>,
}

/// How distinct the answers to a request were.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Distinct {
    /// Answers that had such words.
    pub answers: u64,
    /// Fingerprints kept of them: those of one answer in `one_in`.
    pub kept: u64,
    /// See `kept`; a power of two.
    pub one_in: u64,
    /// How many of those kept repeat another one.
    pub repeated: u64,
}

impl Fingerprinters {
    /// Compiles those of a load's requests.
    ///
    /// # Errors
    /// One line that names the request and the remedy.
    pub fn new(spec: &Spec) -> Result<Fingerprinters, String> {
        let of = |(index, request): (usize, &RequestSpec)| {
            let Some(DistinctSpec { after, any_order }) = &request.distinct else {
                return Ok(None);
            };
            if after.is_empty() || after.iter().any(String::is_empty) {
                let name = &request.name;
                return Err(format!(
                    "request '{name}': distinct: after is empty; name the texts before its words"
                ));
            }
            let finder = |text: &String| Finder::new(text).into_owned();
            let salt = Random::new(spec.seed, !(index as u64)).next_u64();
            let after = after.iter().map(finder).collect();
            Ok(Some(Words { after, any_order: *any_order, salt }))
        };
        spec.requests.iter().enumerate().map(of).collect::<Result<_, _>>().map(Fingerprinters)
    }
}

impl Words {
    /// The fingerprint of an answer; `None` if it has no such words.
    fn fingerprint(&self, body: &[u8]) -> Option<u64> {
        let (mut all, mut count) = (self.salt, 0u64);
        for (finder, number) in self.after.iter().zip(1u64..) {
            for at in finder.find_iter(body) {
                let word = word(&body[at + finder.needle().len()..]);
                let place = if self.any_order { 0 } else { count << 8 };
                let bits = hash(self.salt ^ (place | number), word);
                // A sum is the same in any order, and counts a word that comes twice.
                all = all.wrapping_add(bits);
                count += 1;
            }
        }
        (count > 0).then(|| mixed(all))
    }
}

/// The word that `text` begins with, spaces before it left out.
fn word(text: &[u8]) -> &[u8] {
    let from = text.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(text.len());
    let text = &text[from..];
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    &text[..text.iter().position(|byte| !is_part(byte)).unwrap_or(text.len())]
}

fn hash(salt: u64, word: &[u8]) -> u64 {
    let mut state = mixed(salt ^ (word.len() as u64) << 56);
    for chunk in word.chunks(8) {
        let piece = chunk.iter().fold(0u64, |piece, byte| piece << 8 | u64::from(*byte));
        state = mixed(state ^ piece);
    }
    state
}

/// Mixes all bits of a number into each bit of another (SplitMix64); no two give the same.
fn mixed(bits: u64) -> u64 {
    Random::of(bits).next_u64()
}

impl Seen {
    /// Nothing yet.
    pub fn new(fingerprinters: &Fingerprinters) -> Seen {
        // Memory that is not used yet costs nothing; growing under load would cost a pause.
        let kept = || Kept { answers: 0, mask: 0, fingerprints: Vec::with_capacity(KEPT) };
        Seen(fingerprinters.0.iter().map(|words| words.as_ref().map(|_| kept())).collect())
    }

    /// An answer to request number `request` was right.
    #[inline]
    pub fn see(&mut self, fingerprinters: &Fingerprinters, request: usize, body: &[u8]) {
        if let (Some(kept), Some(words)) = (&mut self.0[request], &fingerprinters.0[request])
            && let Some(fingerprint) = words.fingerprint(body)
        {
            kept.add(fingerprint);
        }
    }
}

impl Kept {
    fn add(&mut self, fingerprint: u64) {
        self.answers += 1;
        if fingerprint & self.mask != 0 {
            return;
        }
        if self.fingerprints.len() == KEPT {
            self.thin_out(self.mask << 1 | 1);
        }
        if fingerprint & self.mask == 0 {
            self.fingerprints.push(fingerprint);
        }
    }

    fn thin_out(&mut self, mask: u64) {
        self.mask = mask;
        self.fingerprints.retain(|fingerprint| fingerprint & mask == 0);
    }
}

/// How distinct the answers to request number `request` were, over all threads; `None` where nobody
/// asked.
pub fn distinct<'a>(
    threads: impl Iterator<Item = &'a Seen> + Clone,
    request: usize,
) -> Option<Distinct> {
    let kept = threads.filter_map(|seen| seen.0[request].as_ref());
    let mask = kept.clone().map(|kept| kept.mask).max()?;
    let all = kept.clone().flat_map(|kept| &kept.fingerprints);
    let mut all: Vec<u64> = all.copied().filter(|fingerprint| fingerprint & mask == 0).collect();
    let answers = kept.map(|kept| kept.answers).sum();
    let count = all.len() as u64;
    all.sort_unstable();
    all.dedup();
    Some(Distinct { answers, kept: count, one_in: mask + 1, repeated: count - all.len() as u64 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fingerprinters(after: &str, any_order: bool) -> Result<Fingerprinters, String> {
        let spec = format!(
            r#"{{"target": {{"host": "127.0.0.1", "port": 80}},
                "load": {{"kind": "iterations", "users": 1, "iterations": 1}},
                "requests": [{{"name": "r", "path": "/",
                    "distinct": {{"after": {after}, "any_order": {any_order}}}}}]}}"#
        );
        Fingerprinters::new(&Spec::parse(&spec)?)
    }

    /// How many of `answers` repeat another one.
    fn repeated(after: &str, any_order: bool, answers: &[&str]) -> u64 {
        let fingerprinters = fingerprinters(after, any_order).unwrap();
        let mut seen = Seen::new(&fingerprinters);
        answers.iter().for_each(|answer| seen.see(&fingerprinters, 0, answer.as_bytes()));
        distinct([&seen].into_iter(), 0).unwrap().repeated
    }

    #[test]
    fn an_answer_is_told_by_its_words_alone() {
        let after = r#"[":"]"#;
        assert_eq!(repeated(after, true, &["{a: 1, b:22}", "{ a :1,b : 22 }"]), 1);
        assert_eq!(repeated(after, true, &["a:1 b:22", "a:12 b:2", "a:2 b:21", "a:1 b:2"]), 0);
        assert_eq!(repeated(after, true, &["a:1 b:1", "a:1", "a:1 b:1 c:1"]), 0);
        let long = ["x:abcdefgh-ijklmnop", "x:abcdefgh-ijklmnoq", "x:abcdefgh", "x:abcdefgh-"];
        assert_eq!(repeated(after, true, &long), 0);
    }

    #[test]
    fn in_any_order_a_permutation_repeats() {
        let answers = ["a:1 b:2 c:3", "a:3 b:1 c:2", "a:2 b:3 c:1", "a:2 b:2 c:2"];
        assert_eq!(repeated(r#"[":"]"#, true, &answers), 2);
        assert_eq!(repeated(r#"[":"]"#, false, &answers), 0);
        assert_eq!(repeated(r#"[":"]"#, false, &["a:1 b:2", "c:1 d:2"]), 1);
    }

    #[test]
    fn what_a_word_follows_matters() {
        let after = r#"["post ", "image-"]"#;
        assert_eq!(repeated(after, true, &["post 1 image-2.png", "post 2 image-1.png"]), 0);
        assert_eq!(repeated(after, true, &["post 1 image-2.png", "x image-2 y post 1"]), 1);
    }

    #[test]
    fn an_answer_without_words_tells_nothing() {
        assert_eq!(repeated(r#"["="]"#, true, &["none", "none", "none"]), 0);
        let error = fingerprinters(r#"[""]"#, true).unwrap_err();
        assert!(error.starts_with("request 'r': distinct: after is empty;"), "{error}");
    }

    /// Two threads with `answers` different ones each, of which the second has one in ten of the
    /// first's as well.
    fn of_two_threads(answers: u64) -> Distinct {
        let fingerprinters = fingerprinters(r#"[":"]"#, true).unwrap();
        let mut threads = [Seen::new(&fingerprinters), Seen::new(&fingerprinters)];
        for number in 0..answers {
            threads[0].see(&fingerprinters, 0, format!(":{number}").as_bytes());
            let other = if number % 10 == 0 { number } else { answers + number };
            threads[1].see(&fingerprinters, 0, format!(":{other}").as_bytes());
        }
        distinct(threads.iter(), 0).unwrap()
    }

    #[test]
    fn what_two_threads_share_repeats() {
        let found = of_two_threads(1000);
        let expected = Distinct { answers: 2000, kept: 2000, one_in: 1, repeated: 100 };
        assert_eq!(found, expected);
    }

    #[test]
    fn a_part_tells_as_much_as_all() {
        let found = of_two_threads(2 * KEPT as u64);
        assert_eq!(found.answers, 4 * KEPT as u64);
        assert!(found.one_in >= 2, "{found:?}");
        assert!(found.kept <= 2 * KEPT as u64);
        // A twentieth of what is kept; its standard deviation is below 0.1% of what is kept.
        let share = found.repeated as f64 / found.kept as f64;
        assert!((share - 0.05).abs() < 0.005, "{found:?}");
    }
}
