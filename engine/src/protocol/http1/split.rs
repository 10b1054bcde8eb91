//! A head that came in pieces.

use memchr::{memchr, memrchr};

use super::ParseError;
use super::head::{self, Head};

/// Room kept between answers; a larger buffer, from an odd answer, is given back.
const KEPT_CAPACITY: usize = 1024;

/// Collects a head until it is whole.
///
/// Every piece is checked as it comes, so that garbage is an error at its first wrong byte and not
/// when the server falls silent. Lines once found good are not checked again, nor is text that may
/// stand where it does: a head of 64 kB that drips in byte by byte would otherwise cost the square
/// of its length.
#[derive(Debug, Default)]
pub(super) struct SplitHead {
    bytes: Vec<u8>,
    /// Up to here every line is good; 0 while the status line is not whole.
    checked: usize,
    /// The last byte lies within a header's value or the reason, where plain text may follow.
    in_text: bool,
}

impl SplitHead {
    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// What was collected: after success, exactly the head.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(super) fn clear(&mut self) {
        self.checked = 0;
        self.in_text = false;
        self.bytes.clear();
        if self.bytes.capacity() > KEPT_CAPACITY {
            self.bytes = Vec::new();
        }
    }

    /// Adds a piece. Returns how much of it belongs to the head, and the head, once it is whole.
    pub(super) fn add(
        &mut self,
        piece: &[u8],
        limit: usize,
    ) -> Result<Option<(usize, Head)>, ParseError> {
        let before = self.bytes.len();
        let room = limit.saturating_sub(before).min(piece.len());
        self.bytes.extend_from_slice(&piece[..room]);
        if self.in_text && self.bytes[before..].iter().all(is_text) {
            return self.within(limit);
        }
        let Some((length, head)) = self.check()? else {
            self.in_text = self.ends_in_text();
            return self.within(limit);
        };
        self.bytes.truncate(length);
        // What came before was not a whole head, so it ends within this piece.
        Ok(Some((length.saturating_sub(before), head)))
    }

    fn within(&self, limit: usize) -> Result<Option<(usize, Head)>, ParseError> {
        if self.bytes.len() < limit { Ok(None) } else { Err(ParseError::HeadTooLarge) }
    }

    /// Whether the last line, found good so far, has come to its value or reason.
    fn ends_in_text(&self) -> bool {
        let line = memrchr(b'\n', &self.bytes).map_or(0, |end| end + 1);
        let line = &self.bytes[line..];
        let begun = match self.checked {
            0 => line.len() > "HTTP/1.1 200".len(),
            _ => memchr(b':', line).is_some(),
        };
        begun && line.last().is_some_and(is_text)
    }

    fn check(&mut self) -> Result<Option<(usize, Head)>, ParseError> {
        if self.checked == 0 {
            let whole = head::parse(&self.bytes)?;
            if whole.is_none() && head::has_status_line(&self.bytes) {
                self.checked = memrchr(b'\n', &self.bytes).map_or(0, |end| end + 1);
            }
            return Ok(whole);
        }
        match head::parse_lines(&self.bytes[self.checked..])? {
            Some(rest) => head::parse(&self.bytes[..self.checked + rest]),
            None => {
                let good = memrchr(b'\n', &self.bytes[self.checked..]);
                self.checked += good.map_or(0, |end| end + 1);
                Ok(None)
            }
        }
    }
}

/// Text that a value or reason may hold anywhere, line ends being none.
fn is_text(byte: &u8) -> bool {
    matches!(byte, b'\t' | b' '..=b'~' | 0x80..)
}
