//! HTTP/1.1 over connections: a slot is a connection, which carries one exchange after the other.

use std::time::Duration;

use super::encode::Encoder;
use super::event::{AnswerEvent, Step};
use super::parser::{Limits, ResponseParser};
use super::{Head, ParseError};
use crate::plan::template::{Compiled, Request};
use crate::protocol::{AnswerPart, Event, Fields, Malformed, Protocol};
use crate::reactor::{Errno, Failure, Reactor, Route, SocketEvent};
use crate::record::layers::Layers;

/// HTTP/1.1 over the connections of `R`.
#[derive(Debug)]
pub(crate) struct Http1<R> {
    inner: R,
    encoder: Encoder,
    parsers: Vec<ResponseParser>,
    /// The request that was written last.
    out: Vec<u8>,
}

impl<R: Reactor> Http1<R> {
    /// HTTP/1.1 over `inner`, which has `slots` slots, for a load's requests.
    pub(crate) fn new(inner: R, slots: usize, compiled: &Compiled) -> Http1<R> {
        let mut parsers = Vec::new();
        parsers.resize_with(slots, || ResponseParser::new(Limits::default()));
        Http1 { inner, encoder: Encoder::new(compiled), parsers, out: Vec::new() }
    }
}

impl<R: Reactor> Protocol for Http1<R> {
    type Parts<'a>
        = Parts<'a>
    where
        R: 'a;

    fn reactor(&self) -> &'static str {
        self.inner.name()
    }

    fn open(&mut self, slot: usize, route: Route) -> Result<(), Errno> {
        self.parsers[slot].forget();
        self.inner.connect(slot, route)
    }

    #[inline]
    fn write(&mut self, slot: usize, request: &Request<'_>) -> usize {
        self.out.clear();
        self.encoder.encode(request, &mut self.out);
        self.parsers[slot].begin(request.drawn().is_head());
        self.out.len()
    }

    #[inline]
    fn send(&mut self, slot: usize) -> Result<(), Errno> {
        self.inner.send(slot, &self.out)
    }

    fn close(&mut self, slot: usize) {
        self.inner.close(slot);
    }

    fn wait(&mut self, timeout: Duration) -> Result<(), Errno> {
        self.inner.wait(timeout)
    }

    fn sleep(&mut self, timeout: Duration) -> Result<(), Errno> {
        self.inner.sleep(timeout)
    }

    #[inline]
    fn next_event(&mut self) -> Option<Event<Parts<'_>>> {
        Some(match self.inner.next_event()? {
            SocketEvent::Connected { slot } => Event::Opened { slot },
            SocketEvent::ConnectFailed { slot, error } => Event::OpenFailed { slot, error },
            SocketEvent::Received { slot, bytes, at } => {
                let parts = Parts::of(&mut self.parsers[slot], bytes);
                Event::Answer { slot, parts, at, received: bytes.len(), own: bytes.len() }
            }
            SocketEvent::Closed { slot, error } => {
                let parser = &mut self.parsers[slot];
                match failure(parser, error) {
                    Some(error) => Event::Closed { slot, error },
                    None => {
                        let parts = Parts::ended(parser);
                        Event::Answer { slot, parts, at: None, received: 0, own: 0 }
                    }
                }
            }
        })
    }

    fn overdue(&self, slot: usize) -> Failure {
        self.inner.overdue(slot)
    }

    fn layers(&self) -> Layers {
        self.inner.layers()
    }
}

/// What the end of a connection means for the answer under way; `None` where it makes it whole.
fn failure(parser: &mut ResponseParser, error: Option<Failure>) -> Option<Failure> {
    let announced = match error {
        None => true,
        Some(Failure::Unannounced) => false,
        other => return other,
    };
    let text = match parser.eof() {
        Ok(true) if announced => return None,
        // Without close_notify the end of the connection is not known to be the end of the body.
        Ok(true) => "TLS: the body ended with the connection, but without close_notify",
        Ok(false) => "closed without an answer",
        Err(error) => error.name(),
    };
    Some(Failure::Ended(text.into()))
}

/// What of an answer came in with one receive.
#[derive(Debug)]
pub(crate) struct Parts<'a> {
    parser: &'a mut ResponseParser,
    bytes: &'a [u8],
    /// Bytes that are done with.
    done: usize,
    /// What was read ahead, and where it began, to see whether a piece of the body is the last one.
    ahead: Option<(usize, Result<Step, ParseError>)>,
}

impl<'a> Parts<'a> {
    fn of(parser: &'a mut ResponseParser, bytes: &'a [u8]) -> Parts<'a> {
        Parts { parser, bytes, done: 0, ahead: None }
    }

    /// The connection's end was the answer's.
    fn ended(parser: &'a mut ResponseParser) -> Parts<'a> {
        let whole = Step { consumed: 0, event: AnswerEvent::Complete };
        Parts { parser, bytes: &[], done: 0, ahead: Some((0, Ok(whole))) }
    }

    #[inline]
    fn read(&mut self) -> (usize, Result<Step, ParseError>) {
        let from = self.done;
        let step = self.parser.advance(&self.bytes[from..]);
        if let Ok(step) = &step {
            self.done += step.consumed;
        }
        (from, step)
    }

    /// The answer is whole, with this last piece of its body, if nothing comes after it.
    fn last(&self, piece: std::ops::Range<usize>) -> Result<AnswerPart<'_>, Malformed> {
        if self.done < self.bytes.len() {
            return Err(Malformed(ParseError::Unsolicited.name()));
        }
        let Head { keep_alive, .. } = *self.parser.head();
        Ok(AnswerPart::Last { piece: &self.bytes[piece], reusable: keep_alive })
    }
}

impl crate::protocol::Parts for Parts<'_> {
    #[inline]
    fn next(&mut self) -> Option<Result<AnswerPart<'_>, Malformed>> {
        let (from, step) = self.ahead.take().unwrap_or_else(|| self.read());
        let event = match step {
            Ok(step) => step.event,
            Err(error) => return Some(Err(Malformed(error.name()))),
        };
        match event {
            AnswerEvent::NeedMore => None,
            AnswerEvent::Head => {
                let fields = Fields::Text(self.parser.head_text(&self.bytes[from..]));
                Some(Ok(AnswerPart::Head { status: self.parser.head().status, fields }))
            }
            AnswerEvent::Body { start, end } => {
                let piece = from + start..from + end;
                let ahead = self.read();
                if matches!(ahead, (_, Ok(Step { event: AnswerEvent::Complete, .. }))) {
                    return Some(self.last(piece));
                }
                self.ahead = Some(ahead);
                Some(Ok(AnswerPart::Piece(&self.bytes[piece])))
            }
            AnswerEvent::Complete => Some(self.last(0..0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Parts as _;

    const HEAD: &str = "HTTP/1.1 200 OK\r\n";

    /// The parts that an answer gives which comes in these pieces: a piece of a body in brackets, the
    /// last one in braces.
    fn parts(pieces: &[&str]) -> Vec<String> {
        let mut parser = ResponseParser::new(Limits::default());
        parser.begin(false);
        let mut told = Vec::new();
        for bytes in pieces {
            let mut parts = Parts::of(&mut parser, bytes.as_bytes());
            while let Some(part) = parts.next() {
                let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
                told.push(match part {
                    Ok(AnswerPart::Head { status, fields }) => {
                        format!("{status}/{}", fields.iter().count())
                    }
                    Ok(AnswerPart::Piece(piece)) => format!("[{}]", text(piece)),
                    Ok(AnswerPart::Last { piece, .. }) => format!("{{{}}}", text(piece)),
                    Err(Malformed(name)) => name.to_owned(),
                });
                if told.last().is_some_and(|last| !last.starts_with(['2', '['])) {
                    break;
                }
            }
        }
        told
    }

    #[test]
    fn a_body_that_comes_at_once_is_its_last_piece() {
        let length = format!("{HEAD}A: b\r\nContent-Length: 4\r\n\r\nabcd");
        assert_eq!(parts(&[&length]), ["200/2", "{abcd}"]);
        let chunked = format!("{HEAD}Transfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\n\r\n");
        assert_eq!(parts(&[&chunked]), ["200/1", "{abcd}"]);
        assert_eq!(parts(&[&format!("{HEAD}Content-Length: 0\r\n\r\n")]), ["200/1", "{}"]);
    }

    #[test]
    fn pieces_are_given_as_they_come() {
        let head = format!("{HEAD}Content-Length: 4\r\n\r\n");
        assert_eq!(parts(&[&head, "a", "bcd"]), ["200/1", "[a]", "{bcd}"]);
        assert_eq!(parts(&["HTTP", &format!("{}ab", &head[4..]), "cd"]), ["200/1", "[ab]", "{cd}"]);
        let head = format!("{HEAD}Transfer-Encoding: chunked\r\n\r\n");
        let chunks = format!("{head}1\r\na\r\n3\r\nbcd\r\n0\r\n\r\n");
        assert_eq!(parts(&[&chunks]), ["200/1", "[a]", "{bcd}"]);
        let late = [&format!("{head}1\r\na\r\n"), "0\r\n", "\r\n"];
        assert_eq!(parts(&late), ["200/1", "[a]", "{}"]);
    }

    #[test]
    fn what_comes_after_the_end_makes_an_answer_malformed() {
        let surplus = format!("{HEAD}Content-Length: 2\r\n\r\nabc");
        assert_eq!(parts(&[&surplus]), ["200/1", "unsolicited"]);
    }
}
