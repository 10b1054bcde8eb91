//! Feeds the response parser a connection's bytes, whole and in pieces, and compares.
//!
//! The first bytes of the input say how to cut the rest; see engine/fuzz/README.md.

#![no_main]

use libfuzzer_sys::fuzz_target;
use webdyno_engine::protocol::http1::{AnswerEvent, Limits, ParseError, ResponseParser};

/// What was read, without a trace of how it was cut.
#[derive(Debug, Default, PartialEq)]
struct Seen {
    heads: Vec<(u16, bool, Vec<u8>)>,
    bodies: Vec<u8>,
    completed: usize,
    end: Option<Result<bool, ParseError>>,
}

fuzz_target!(|input: &[u8]| {
    let [mode, first, second, bytes @ ..] = input else { return };
    let is_head = mode & 1 == 1;
    let limits = if mode & 2 == 2 { Limits { head_bytes: 64 } } else { Limits::default() };
    let whole = read(&[bytes], is_head, limits);
    let size = usize::from(*first) + 1;
    assert_eq!(read(&bytes.chunks(size).collect::<Vec<_>>(), is_head, limits), whole);
    let (one, other) = bytes.split_at(usize::from(*second).min(bytes.len()));
    assert_eq!(read(&[one, b"", other], is_head, limits), whole);
});

fn read(pieces: &[&[u8]], is_head: bool, limits: Limits) -> Seen {
    let mut parser = ResponseParser::new(limits);
    parser.begin(is_head);
    let mut seen = Seen::default();
    for piece in pieces {
        let mut rest = *piece;
        loop {
            let step = match parser.advance(rest) {
                Ok(step) => step,
                Err(error) => {
                    seen.end = Some(Err(error));
                    return seen;
                }
            };
            match step.event {
                AnswerEvent::NeedMore => {
                    assert_eq!(step.consumed, rest.len());
                    break;
                }
                AnswerEvent::Head => {
                    let mut headers = Vec::new();
                    for (name, value) in parser.headers(rest) {
                        assert!(!name.is_empty() && !value.contains(&b'\n'));
                        headers.extend([name, b":", value, b"\n"].concat());
                    }
                    let head = parser.head();
                    assert!((200..1000).contains(&head.status));
                    seen.heads.push((head.status, head.keep_alive, headers));
                }
                AnswerEvent::Body { start, end } => {
                    assert!(start < end && end <= step.consumed);
                    seen.bodies.extend(&rest[start..end]);
                }
                AnswerEvent::Complete => {
                    seen.completed += 1;
                    parser.begin(is_head);
                }
            }
            rest = &rest[step.consumed..];
        }
    }
    seen.end = Some(parser.eof());
    seen
}
