//! One connection: where it stands, and what comes in on it.

use super::answer_parts::{MessageState, MessageUpdate};
use super::encode;
use super::error::FrameError;
use super::opcode::Opcode;
use super::parser::{FrameEvent, FrameParser, Kind};
use super::upgrade::{Awaited, Refusal, Upgrade};
use crate::protocol::unread::Unread;
use crate::random::Random;
use crate::reactor::Failure;

/// Where a connection stands.
///
/// | from | when | to |
/// |---|---|---|
/// | `Closed` | the worker opens it | `Connecting` |
/// | `Connecting` | the connection below is open | `Upgrading` |
/// | `Upgrading` | the server grants it | `Open` |
/// | `Open` | either side has sent a close | `Leaving` |
/// | any | the worker closes it | `Closed` |
#[derive(Debug, Default)]
pub(super) enum LinkState {
    #[default]
    Closed,
    Connecting,
    Upgrading(Box<Awaited>),
    Open,
    /// What still comes is not listened to.
    Leaving,
}

/// A connection.
#[derive(Debug, Default)]
pub(super) struct Link {
    pub(super) state: LinkState,
    parser: FrameParser,
    /// Whether a message awaits its answer.
    awaits: bool,
    /// Whether some of the answer has come.
    begun: bool,
    /// What its server may leave unread.
    pub(super) unread: Unread,
}

/// What a receive brought.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct LinkEvents {
    pub(super) upgraded: Option<Result<(), Refusal>>,
    /// What of the message that answers; its bytes are in the payload.
    pub(super) message: Option<MessageUpdate>,
    /// The server closed, and the receive brought no complete answer.
    pub(super) closed: Option<Failure>,
    /// Pings, and closes, of the server.
    pub(super) pings: u64,
    pub(super) closes: u64,
}

impl Link {
    /// The connection below is open.
    pub(super) fn upgrade(&mut self, awaited: Awaited) {
        *self = Link { state: LinkState::Upgrading(Box::new(awaited)), ..Link::default() };
    }

    /// A message is about to be sent.
    pub(super) fn begin(&mut self) {
        self.awaits = true;
        self.begun = false;
    }

    /// Reads what came in: pieces of an answer go to `payload`, and what must be said to the server to
    /// `out`.
    pub(super) fn receive(
        &mut self,
        upgrade: &Upgrade,
        mut bytes: &[u8],
        payload: &mut Vec<u8>,
        random: &mut Random,
        out: &mut Vec<u8>,
    ) -> LinkEvents {
        let mut events = LinkEvents::default();
        let out_start = out.len();
        if let LinkState::Upgrading(awaited) = &mut self.state {
            match upgrade.read(awaited, bytes) {
                Ok(None) => return events,
                Ok(Some(taken)) => {
                    bytes = &bytes[taken..];
                    self.state = LinkState::Open;
                    events.upgraded = Some(Ok(()));
                }
                Err(refusal) => {
                    self.state = LinkState::Leaving;
                    events.upgraded = Some(Err(refusal));
                }
            }
        }
        while matches!(self.state, LinkState::Open) {
            let step = match self.parser.advance(bytes) {
                Ok(step) => step,
                Err(error) => {
                    self.give_up(error, &mut events, random, out);
                    break;
                }
            };
            match step.event {
                FrameEvent::NeedMore => break,
                FrameEvent::Piece { kind, start, end, last } => match self.piece(kind, last) {
                    Ok(update) => {
                        let first =
                            update.first || events.message.is_some_and(|earlier| earlier.first);
                        events.message = Some(MessageUpdate { first, ..update });
                        payload.extend_from_slice(&bytes[start..end]);
                    }
                    Err(error) => self.give_up(error, &mut events, random, out),
                },
                FrameEvent::Ping => {
                    events.pings += 1;
                    // The last of several will do (section 5.5.3): a server that sends pings, and
                    // reads nothing, must not have pongs pile up here.
                    out.truncate(out_start);
                    let pong = self.parser.control();
                    encode::frame(Opcode::Pong, pong, mask(random), out);
                }
                FrameEvent::Pong => {}
                FrameEvent::Close(code) => {
                    events.closes += 1;
                    // It is answered with its own code (section 5.5.1).
                    let payload = code.map(u16::to_be_bytes);
                    let payload = payload.as_ref().map_or(&[][..], |code| &code[..]);
                    encode::frame(Opcode::Close, payload, mask(random), out);
                    self.state = LinkState::Leaving;
                    match &mut events.message {
                        Some(MessageUpdate {
                            state: MessageState::Complete { reusable }, ..
                        }) => {
                            *reusable = false;
                        }
                        _ => events.closed = Some(closed(code)),
                    }
                }
            }
            bytes = &bytes[step.consumed..];
        }
        events
    }

    /// A piece of a message came: what it is to the answer under way.
    fn piece(&mut self, kind: Kind, last: bool) -> Result<MessageUpdate, FrameError> {
        if !self.awaits {
            return Err(FrameError::Unsolicited);
        }
        if kind == Kind::Binary {
            return Err(FrameError::BinaryAnswer);
        }
        let first = !std::mem::replace(&mut self.begun, true);
        self.awaits = !last;
        let state =
            if last { MessageState::Complete { reusable: true } } else { MessageState::Partial };
        Ok(MessageUpdate { first, state })
    }

    fn give_up(
        &mut self,
        error: FrameError,
        events: &mut LinkEvents,
        random: &mut Random,
        out: &mut Vec<u8>,
    ) {
        encode::close(error.close_code(), mask(random), out);
        self.state = LinkState::Leaving;
        events.message =
            Some(MessageUpdate { first: false, state: MessageState::Malformed(error) });
    }

    /// What the end of the connection means for the answer under way.
    pub(super) fn ended(&self, error: Option<Failure>) -> Failure {
        // Frames say themselves where a message ends.
        let error = error.filter(|error| *error != Failure::Unannounced);
        let text = match self.parser.is_within_message() {
            true => "WebSocket: closed in the middle of the answer",
            false => "closed without an answer",
        };
        error.unwrap_or_else(|| Failure::Ended(text.into()))
    }
}

fn closed(code: Option<u16>) -> Failure {
    let code = code.map_or("no code".to_owned(), |code| format!("code {code}"));
    Failure::Ended(format!("WebSocket: the server closed ({code})").into())
}

/// A mask of its own for each frame.
pub(super) fn mask(random: &mut Random) -> [u8; 4] {
    (random.next_u64() as u32).to_ne_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `bytes` bring on an open connection, and what is sent in reply.
    fn received(bytes: &[u8]) -> (LinkEvents, Vec<u8>) {
        let mut link = Link { state: LinkState::Open, ..Link::default() };
        let (mut payload, mut out) = (Vec::new(), Vec::new());
        let upgrade = Upgrade::default();
        let mut random = Random::new(1, 0);
        (link.receive(&upgrade, bytes, &mut payload, &mut random, &mut out), out)
    }

    #[test]
    fn of_many_pings_that_come_at_once_the_last_is_answered() {
        let pings = [&b"\x89\0".repeat(30_000)[..], b"\x89\x02ab"].concat();
        let (events, out) = received(&pings);
        assert_eq!((events.pings, out.len()), (30_001, 2 + 4 + 2), "a header, a mask, two bytes");
        // What is said after it stays.
        let (events, out) = received(b"\x89\0\x89\0\x88\0");
        assert_eq!((events.closes, out.len(), out[0] & 0x0f, out[6] & 0x0f), (1, 12, 10, 8));
    }
}
