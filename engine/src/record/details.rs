//! Why requests failed, in words, without letting the words outgrow the memory.

use std::collections::HashMap;

/// Different details kept for one kind and request; the rest is counted together.
const KEPT: usize = 10;
/// A detail is cut at this many bytes.
const LONGEST: usize = 400;
const REST: &str = "others like these";

/// Failures by kind, request and detail.
#[derive(Debug, Clone, Default)]
pub struct Details {
    counts: HashMap<(&'static str, Option<usize>), HashMap<String, u64>>,
}

/// One line of the details.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detail {
    /// The kind of failure, named as in the counts.
    pub kind: &'static str,
    /// Which of the specified requests failed; `None` where none was sent.
    pub request: Option<usize>,
    /// What was wrong.
    pub detail: String,
    /// How often.
    pub count: u64,
}

impl Details {
    /// Counts one failure.
    pub fn add(&mut self, kind: &'static str, request: Option<usize>, detail: &str) {
        self.add_many(kind, request, detail, 1);
    }

    /// Takes over another thread's failures.
    pub fn merge(&mut self, other: Details) {
        for ((kind, request), details) in other.counts {
            for (detail, count) in details {
                self.add_many(kind, request, &detail, count);
            }
        }
    }

    /// All lines, the most frequent first.
    pub fn lines(&self) -> Vec<Detail> {
        let mut lines = Vec::new();
        for (&(kind, request), details) in &self.counts {
            lines.extend(details.iter().map(|(detail, &count)| Detail {
                kind,
                request,
                detail: detail.clone(),
                count,
            }));
        }
        lines.sort_by(|a, b| (b.count, &a.detail).cmp(&(a.count, &b.detail)));
        lines
    }

    fn add_many(&mut self, kind: &'static str, request: Option<usize>, detail: &str, count: u64) {
        let details = self.counts.entry((kind, request)).or_default();
        let cut = (0..=LONGEST.min(detail.len())).rev();
        let cut = cut.into_iter().find(|&at| detail.is_char_boundary(at));
        let detail = &detail[..cut.unwrap_or(0)];
        if let Some(known) = details.get_mut(detail) {
            *known += count;
        } else if details.len() < KEPT {
            details.insert(detail.to_owned(), count);
        } else {
            *details.entry(REST.to_owned()).or_default() += count;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_failure_is_one_line() {
        let mut details = Details::default();
        details.add("reset", Some(0), "closed");
        details.add("reset", Some(0), "closed");
        details.add("reset", Some(1), "closed");
        let lines = details.lines();
        assert_eq!(lines.len(), 2);
        assert_eq!((lines[0].request, lines[0].count), (Some(0), 2));
    }

    #[test]
    fn endless_variety_stays_small_and_loses_no_count() {
        let mut details = Details::default();
        for number in 0..1000 {
            details.add("failed_check", Some(0), &format!("got {number}"));
        }
        let mut merged = Details::default();
        merged.merge(details.clone());
        merged.merge(details);
        let lines = merged.lines();
        assert!(lines.len() <= KEPT + 1, "{} lines", lines.len());
        assert_eq!(lines.iter().map(|line| line.count).sum::<u64>(), 2000);
    }
}
