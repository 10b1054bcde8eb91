//! Feeds the parser of WebSocket frames a connection's bytes, whole and in pieces, and compares.
//!
//! The first bytes of the input say how to cut the rest; see engine/fuzz/README.md.

#![no_main]

use libfuzzer_sys::fuzz_target;
use webdyno_engine::protocol::websocket::{FrameError, FrameEvent, FrameParser, Kind};

/// What was read, without a trace of how it was cut.
#[derive(Debug, Default, PartialEq)]
struct Seen {
    messages: Vec<(Kind, Vec<u8>)>,
    /// Payloads of pings, pongs and closes.
    control: Vec<Vec<u8>>,
    end: Option<FrameError>,
}

fuzz_target!(|input: &[u8]| {
    let [first, second, bytes @ ..] = input else { return };
    let whole = read(&[bytes]);
    let size = usize::from(*first) + 1;
    assert_eq!(read(&bytes.chunks(size).collect::<Vec<_>>()), whole);
    let (one, other) = bytes.split_at(usize::from(*second).min(bytes.len()));
    assert_eq!(read(&[one, b"", other]), whole);
});

fn read(pieces: &[&[u8]]) -> Seen {
    let mut parser = FrameParser::default();
    let (mut seen, mut message) = (Seen::default(), Vec::new());
    for piece in pieces {
        let mut rest = *piece;
        loop {
            let step = match parser.advance(rest) {
                Ok(step) => step,
                Err(error) => {
                    assert_eq!(parser.advance(rest), Err(error));
                    seen.end = Some(error);
                    return seen;
                }
            };
            match step.event {
                FrameEvent::NeedMore => {
                    assert_eq!(step.consumed, rest.len());
                    break;
                }
                FrameEvent::Piece { kind, start, end, last } => {
                    assert!(start <= end && end == step.consumed);
                    message.extend_from_slice(&rest[start..end]);
                    if last {
                        let whole = std::mem::take(&mut message);
                        assert!(kind == Kind::Binary || str::from_utf8(&whole).is_ok());
                        seen.messages.push((kind, whole));
                    }
                }
                FrameEvent::Ping | FrameEvent::Pong | FrameEvent::Close(_) => {
                    assert!(parser.control().len() <= 125);
                    seen.control.push(parser.control().to_vec());
                }
            }
            rest = &rest[step.consumed..];
        }
    }
    seen
}
