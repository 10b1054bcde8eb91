//! What protocols make a client say beside its requests, such as acknowledging each PING: a server that
//! sends them and reads nothing must not have it pile up.

/// Replies that may wait to be sent: far more than a server that reads leaves unread, and less than a
/// megabyte where each is short.
const MOST: u64 = 20_000;

/// Counts what a connection was given to send since its server was last seen to read.
#[derive(Debug, Default)]
pub(super) struct Unread {
    replies: u64,
    bytes: u64,
}

impl Unread {
    /// Bytes were given to send, with `replies` in them.
    pub(super) fn wrote(&mut self, bytes: usize, replies: u64) {
        self.bytes += bytes as u64;
        self.replies += replies;
    }

    /// Whether too many replies wait to be sent, where `unsent` tells how many bytes do. Those of
    /// requests may be many: an upload waits for as long as the server takes to read it.
    pub(super) fn piles_up(&mut self, unsent: impl FnOnce() -> usize) -> bool {
        if self.replies < MOST {
            return false;
        }
        if unsent() as u64 >= self.bytes {
            return true;
        }
        // All that waited when the count began has been taken since.
        *self = Unread::default();
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_that_nobody_reads_pile_up_and_an_upload_does_not() {
        let mut unread = Unread::default();
        let mut unsent = 0;
        let least = (1..).find(|_| {
            unread.wrote(17, 1);
            unsent += 17;
            unread.piles_up(|| unsent)
        });
        assert_eq!(least, Some(MOST));
        let mut unread = Unread::default();
        for _ in 0..MOST {
            unread.wrote(1 << 20, 0);
            unread.wrote(170, 10);
            // The server is slow, but reads: 64 MiB of it wait.
            assert!(!unread.piles_up(|| 64 << 20));
        }
    }
}
