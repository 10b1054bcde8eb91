//! What streams have to tell, and what becomes of a request whose exchange failed.

use std::mem;

use super::events::Next;
use super::exchanges::Http2;
use super::failure::{Consequence, consequence};
use super::stream::{News, StreamState};
use crate::reactor::{Failure, Reactor};

/// How often a request is sent again that the server says it did not process.
pub(super) const RESENDS: u32 = 5;
const REFUSED: &str = "HTTP/2: the server refused the request repeatedly";

impl<R: Reactor> Http2<'_, R> {
    /// What a stream has to tell.
    pub(super) fn news(&mut self) -> Option<(usize, Next)> {
        loop {
            let slot = self.telling.take().or_else(|| self.ready.pop())?;
            let stream = &mut self.streams[slot];
            stream.bell.answer();
            let (link, exchange) = match mem::take(&mut stream.state) {
                StreamState::Active { link, exchange } => (link, exchange),
                other => {
                    stream.state = other;
                    continue;
                }
            };
            let begun = exchange.has_begun();
            let (exchange, news) = exchange.next(&stream.waker);
            stream.state = StreamState::Active { link, exchange };
            let next = match news {
                None => continue,
                Some(News::Head(status, headers)) => {
                    self.headers = headers;
                    Next::Head(status)
                }
                Some(News::Piece(piece)) => {
                    self.piece = piece;
                    // The server may have to be told that there is room again.
                    self.touch(link);
                    Next::Piece
                }
                Some(News::Last(piece)) => {
                    stream.state = StreamState::Idle;
                    if !piece.is_empty() {
                        self.touch(link);
                    }
                    self.piece = piece;
                    self.hang_up_left(link);
                    return Some((slot, Next::Last));
                }
                Some(News::Failed(error)) => {
                    let failure = self.failed(slot, &error, begun);
                    self.hang_up_left(link);
                    match failure {
                        Some(failure) => return Some((slot, Next::Closed(failure))),
                        None => continue,
                    }
                }
            };
            self.telling = Some(slot);
            return Some((slot, next));
        }
    }

    /// An exchange failed: why, unless its request is sent again.
    fn failed(&mut self, slot: usize, error: &h2::Error, begun: bool) -> Option<Failure> {
        let stream = &mut self.streams[slot];
        stream.state = StreamState::Lost;
        match consequence(error, begun) {
            Consequence::Resend if stream.resent < RESENDS => {
                self.record.resent += 1;
                self.send_again(slot);
                None
            }
            Consequence::Resend => Some(Failure::Ended(REFUSED.into())),
            Consequence::Fail { failure, reset } => {
                self.record.resets += u64::from(reset);
                let cause = stream.cause.take().filter(|_| error.is_io());
                Some(cause.unwrap_or(failure))
            }
        }
    }

    /// Puts the request of a slot back into the queue.
    pub(super) fn send_again(&mut self, slot: usize) {
        self.streams[slot].resent += 1;
        self.streams[slot].state = StreamState::Parked;
        self.seek(slot);
    }
}
