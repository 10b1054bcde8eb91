//! Which of what HTTP/2 writes are replies: frames that carry nothing of a request, but acknowledge PING
//! or SETTINGS, reset streams, or open windows.

const PREFACE: usize = 24;
const HEADER: usize = 9;
const DATA: u8 = 0;
const HEADERS: u8 = 1;
const CONTINUATION: u8 = 9;

/// Finds the replies in what a connection writes.
#[derive(Debug)]
pub(super) struct Replies {
    /// Bytes to come of the frame under way, or of the preface.
    rest: usize,
    /// The header of the next frame, as far as it came.
    header: [u8; HEADER],
    known: usize,
}

impl Default for Replies {
    fn default() -> Replies {
        Replies { rest: PREFACE, header: [0; HEADER], known: 0 }
    }
}

impl Replies {
    /// How many replies begin in the bytes that are written next.
    pub(super) fn count(&mut self, mut bytes: &[u8]) -> u64 {
        let mut count = 0;
        while !bytes.is_empty() {
            let skipped = self.rest.min(bytes.len());
            self.rest -= skipped;
            bytes = &bytes[skipped..];
            let taken = (HEADER - self.known).min(bytes.len());
            self.header[self.known..self.known + taken].copy_from_slice(&bytes[..taken]);
            self.known += taken;
            bytes = &bytes[taken..];
            if self.known == HEADER {
                let [a, b, c, kind, ..] = self.header;
                self.rest = u32::from_be_bytes([0, a, b, c]) as usize;
                self.known = 0;
                count += u64::from(!matches!(kind, DATA | HEADERS | CONTINUATION));
            }
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: u8 = 4;
    const PING: u8 = 6;

    fn frame(kind: u8, length: usize) -> Vec<u8> {
        let header = [&(length as u32).to_be_bytes()[1..], &[kind, 1, 0, 0, 0, 1]].concat();
        [header, vec![kind; length]].concat()
    }

    #[test]
    fn replies_are_found_however_they_are_cut() {
        let kinds =
            [(HEADERS, 40), (DATA, 300), (PING, 8), (SETTINGS, 0), (CONTINUATION, 9), (PING, 8)];
        let mut all = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
        all.extend(kinds.iter().flat_map(|&(kind, length)| frame(kind, length)));
        for size in [1, 7, 9, 17, all.len()] {
            let mut replies = Replies::default();
            let count: u64 = all.chunks(size).map(|piece| replies.count(piece)).sum();
            assert_eq!((count, replies.rest, replies.known), (3, 0, 0), "by {size}");
        }
    }
}
