use proptest::prelude::*;
use tungstenite::protocol::frame::Frame;
use tungstenite::protocol::frame::coding::{CloseCode, Data, OpCode};

use super::*;

/// What frames said, without a trace of how they were cut.
#[derive(Debug, Clone, PartialEq)]
enum Said {
    Message(Kind, Vec<u8>),
    Ping(Vec<u8>),
    Pong(Vec<u8>),
    Close(Option<u16>),
    Error(FrameError),
}

fn said<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<Said> {
    let mut parser = FrameParser::default();
    let (mut said, mut message) = (Vec::new(), Vec::new());
    for piece in pieces {
        let mut rest = piece;
        loop {
            let step = match parser.advance(rest) {
                Ok(step) => step,
                Err(error) => {
                    assert_eq!(parser.advance(b""), Err(error), "it stays so");
                    said.push(Said::Error(error));
                    return said;
                }
            };
            match step.event {
                FrameEvent::NeedMore => {
                    assert_eq!(step.consumed, rest.len());
                    break;
                }
                FrameEvent::Piece { kind, start, end, last } => {
                    message.extend_from_slice(&rest[start..end]);
                    if last {
                        said.push(Said::Message(kind, std::mem::take(&mut message)));
                    }
                }
                FrameEvent::Ping => said.push(Said::Ping(parser.control().to_vec())),
                FrameEvent::Pong => said.push(Said::Pong(parser.control().to_vec())),
                FrameEvent::Close(code) => said.push(Said::Close(code)),
            }
            rest = &rest[step.consumed..];
        }
    }
    said
}

fn whole(bytes: &[u8]) -> Vec<Said> {
    said([bytes])
}

/// A frame as a server's library writes it.
fn written(frame: Frame) -> Vec<u8> {
    let mut bytes = Vec::new();
    frame.format(&mut bytes).unwrap();
    bytes
}

fn data(opcode: Data, fin: bool, payload: &[u8]) -> Vec<u8> {
    written(Frame::message(payload.to_vec(), OpCode::Data(opcode), fin))
}

#[test]
fn the_examples_of_the_standard() {
    // Section 5.7.
    assert_eq!(whole(b"\x81\x05Hello"), [Said::Message(Kind::Text, b"Hello".to_vec())]);
    assert_eq!(whole(b"\x01\x03Hel\x80\x02lo"), [Said::Message(Kind::Text, b"Hello".to_vec())]);
    assert_eq!(whole(b"\x89\x05Hello"), [Said::Ping(b"Hello".to_vec())]);
    let long = [&b"\x82\x7e\x01\x00"[..], &[7; 256]].concat();
    assert_eq!(whole(&long), [Said::Message(Kind::Binary, vec![7; 256])]);
    let longer = [&b"\x82\x7f\0\0\0\0\0\x01\0\0"[..], &[7; 65536]].concat();
    assert_eq!(whole(&longer), [Said::Message(Kind::Binary, vec![7; 65536])]);
}

#[test]
fn control_frames_may_stand_between_those_of_a_message() {
    let bytes = b"\x01\x01a\x89\x01p\x00\x00\x8a\x00\x80\x01b\x88\x05\x03\xe8bye";
    let expected = [
        Said::Ping(b"p".to_vec()),
        Said::Pong(vec![]),
        Said::Message(Kind::Text, b"ab".to_vec()),
        Said::Close(Some(1000)),
    ];
    assert_eq!(whole(bytes), expected);
    assert_eq!(said(bytes.chunks(1)), expected);
}

#[test]
fn what_breaks_the_protocol_is_told_by_its_kind() {
    let cases: [(&[u8], FrameError); 22] = [
        (b"\x81\x80", FrameError::Masked),
        (b"\xc1\x00", FrameError::ReservedBits),
        (b"\x91\x00", FrameError::ReservedBits),
        (b"\x83\x00", FrameError::ReservedOpcode),
        (b"\x8b\x00", FrameError::ReservedOpcode),
        (b"\x09\x00", FrameError::FragmentedControl),
        (b"\x89\x7e", FrameError::LongControl),
        (b"\x88\x7f", FrameError::LongControl),
        (b"\x81\x7e\x00\x7d", FrameError::BadLength),
        (b"\x81\x7f\0\0\0\0\0\0\xff\xff", FrameError::BadLength),
        (b"\x81\x7f\xff\0\0\0\0\0\0\0", FrameError::BadLength),
        (b"\x82\x7f\0\0\0\0\x04\0\0\x01", FrameError::TooLong),
        (b"\x80\x00", FrameError::LoneContinuation),
        (b"\x01\x00\x81\x00", FrameError::Interrupted),
        (b"\x88\x01\x03", FrameError::BadClose),
        (b"\x88\x02\x03\xed", FrameError::BadClose),
        (b"\x88\x02\x03\xe7", FrameError::BadClose),
        (b"\x88\x02\x13\x88", FrameError::BadClose),
        (b"\x88\x03\x03\xe8\xff", FrameError::NotUtf8),
        (b"\x81\x01\xff", FrameError::NotUtf8),
        (b"\x81\x02\xe2\x82", FrameError::NotUtf8),
        (b"\x01\x02\xe2\x82\x80\x01a", FrameError::NotUtf8),
    ];
    for (bytes, error) in cases {
        assert_eq!(whole(bytes).last(), Some(&Said::Error(error)), "{bytes:x?}");
        assert_eq!(said(bytes.chunks(1)).last(), Some(&Said::Error(error)), "{bytes:x?}");
    }
    // A message may be too long as a sum, which is known before it has come.
    let half = [&b"\x02\x7f\0\0\0\0\x04\0\0\0"[..], &vec![0; 1 << 26], b"\x80\x01"].concat();
    assert_eq!(whole(&half), [Said::Error(FrameError::TooLong)]);
}

#[test]
fn the_fuzzers_corpus_reads_alike_in_any_pieces() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/corpus/frames");
    let mut seen = Vec::new();
    for file in std::fs::read_dir(folder).expect("the corpus is part of the repository") {
        let input = std::fs::read(file.unwrap().path()).unwrap();
        // The first two bytes say how the fuzzer cuts the rest; see engine/fuzz.
        let [_, _, bytes @ ..] = input.as_slice() else { continue };
        let expected = whole(bytes);
        for size in [1, 2, 7, 64] {
            assert_eq!(said(bytes.chunks(size)), expected, "{bytes:x?} in pieces of {size}");
        }
        seen.extend(expected);
    }
    assert!(seen.len() >= 5, "{seen:?}");
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "[a-z]{0,300}", "ä{65530}"]
}

/// What a server says, and the frames in which it does.
fn conversation() -> impl Strategy<Value = (Vec<Said>, Vec<u8>)> {
    let message = (any::<bool>(), text(), proptest::collection::vec(any::<usize>(), 0..3));
    let message = message.prop_map(|(is_text, text, cuts)| {
        let payload = text.into_bytes();
        let (kind, opcode) =
            if is_text { (Kind::Text, Data::Text) } else { (Kind::Binary, Data::Binary) };
        let mut cuts: Vec<_> = cuts.iter().map(|cut| cut % (payload.len() + 1)).collect();
        cuts.sort_unstable();
        cuts.push(payload.len());
        let (mut bytes, mut from) = (Vec::new(), 0);
        for (number, cut) in cuts.iter().enumerate() {
            let opcode = if number == 0 { opcode } else { Data::Continue };
            bytes.extend(data(opcode, number + 1 == cuts.len(), &payload[from..*cut]));
            from = *cut;
        }
        (Said::Message(kind, payload), bytes)
    });
    let control = (any::<bool>(), proptest::collection::vec(any::<u8>(), 0..=125));
    let control = control.prop_map(|(is_ping, payload)| {
        if is_ping {
            (Said::Ping(payload.clone()), written(Frame::ping(payload)))
        } else {
            (Said::Pong(payload.clone()), written(Frame::pong(payload)))
        }
    });
    let either = prop_oneof![message, control];
    proptest::collection::vec(either, 0..6).prop_map(|turns| {
        let (mut said, bytes): (Vec<_>, Vec<_>) = turns.into_iter().unzip();
        let close = Frame::close(Some(tungstenite::protocol::CloseFrame {
            code: CloseCode::Away,
            reason: "bye".into(),
        }));
        said.push(Said::Close(Some(1001)));
        (said, [bytes.concat(), written(close)].concat())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn what_another_library_writes_is_read_however_it_is_cut(
        (expected, bytes) in conversation(),
        size in 1usize..3000,
    ) {
        prop_assert_eq!(&whole(&bytes), &expected);
        prop_assert_eq!(&said(bytes.chunks(size)), &expected);
    }

    #[test]
    fn garbage_is_read_alike_however_it_is_cut(
        bytes in proptest::collection::vec(any::<u8>(), 0..64),
        size in 1usize..9,
    ) {
        prop_assert_eq!(said(bytes.chunks(size)), whole(&bytes));
    }
}
