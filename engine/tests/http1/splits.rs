//! However the bytes are cut, they must mean the same.

use crate::common::{read, read_with};
use proptest::prelude::*;
use webdyno_engine::protocol::http1::Limits;

/// A connection's bytes: well-formed answers, near misses and plain garbage.
fn connection() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(answer(), 1..4).prop_map(|answers| answers.concat())
}

fn answer() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        6 => (start(), headers(), body()).prop_map(|(start, headers, (framing, body))| {
            [start, headers, framing, b"\r\n".to_vec(), body].concat()
        }),
        2 => mutated(),
        1 => prop::collection::vec(any::<u8>(), 0..40),
    ]
}

fn start() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        8 => Just("HTTP/1.1 200 OK\r\n"),
        1 => Just("HTTP/1.0 404 Not Found\r\n"),
        1 => Just("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\n"),
        1 => Just("\r\n\nHTTP/1.1 204\n"),
        1 => Just("HTTP/1.1 304 Not Modified\r\n"),
    ]
    .prop_map(|text| text.as_bytes().to_vec())
}

fn headers() -> impl Strategy<Value = Vec<u8>> {
    let header = prop_oneof![
        6 => "[A-Za-z-]{1,12}: {0,2}[ -~]{0,30}\r\n",
        1 => "[A-Za-z-]{1,12}:\n",
        1 => Just("Connection: close\r\n".to_owned()),
        1 => Just("Set-Cookie: a=b\r\n".to_owned()),
        1 => "[ -~]{0,20}\r\n",
    ];
    prop::collection::vec(header, 0..6).prop_map(|lines| lines.concat().into_bytes())
}

/// Framing headers, and a body that mostly fits them.
fn body() -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
    let bytes = || prop::collection::vec(any::<u8>(), 0..200);
    prop_oneof![
        3 => (bytes(), -3i64..=3).prop_map(|(body, lie)| {
            let lie = if lie.abs() == 3 { lie } else { 0 };
            let length = (body.len() as i64 + lie).max(0);
            (format!("Content-Length: {length}\r\n").into_bytes(), body)
        }),
        3 => (prop::collection::vec((bytes(), "(;[ -~]{0,10})?"), 0..5), "([a-z]{1,5}: [ -~]{0,9}\r\n){0,2}")
            .prop_map(|(chunks, trailers)| {
                let mut body = Vec::new();
                for (chunk, extension) in chunks.iter().filter(|(chunk, _)| !chunk.is_empty()) {
                    body.extend(format!("{:x}{extension}\r\n", chunk.len()).bytes());
                    body.extend(chunk);
                    body.extend(b"\r\n");
                }
                body.extend(format!("0\r\n{trailers}\r\n").bytes());
                (b"Transfer-Encoding: chunked\r\n".to_vec(), body)
            }),
        1 => bytes().prop_map(|body| (Vec::new(), body)),
        1 => Just((b"Content-Length: 1\r\nContent-Length: 1\r\n".to_vec(), b"x".to_vec())),
        1 => Just((b"Content-Length: 99999999999999999999\r\n".to_vec(), b"x".to_vec())),
    ]
}

/// A well-formed answer with one byte changed.
fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let bytes = b"HTTP/1.1 200 OK\r\nDate: today\r\nTransfer-Encoding: chunked\r\n\r\n\
        5;x=y\r\nhello\r\n0\r\nA: b\r\n\r\n";
    (0..bytes.len(), any::<u8>()).prop_map(|(at, byte)| {
        let mut bytes = bytes.to_vec();
        bytes[at] = byte;
        bytes
    })
}

fn cut(bytes: &[u8], mut cuts: Vec<usize>) -> Vec<&[u8]> {
    cuts.iter_mut().for_each(|cut| *cut %= bytes.len() + 1);
    cuts.sort_unstable();
    let ends = cuts.iter().copied().chain([bytes.len()]);
    let starts = [0].into_iter().chain(cuts.iter().copied());
    starts.zip(ends).map(|(start, end)| &bytes[start..end]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_split_reads_alike(
        bytes in connection(),
        cuts in prop::collection::vec(any::<usize>(), 0..12),
        is_head in prop::bool::weighted(0.1),
        head_bytes in prop_oneof![4 => Just(65_536usize), 1 => 0usize..300],
    ) {
        let limits = Limits { head_bytes };
        let whole = read_with(limits, [&bytes[..]], is_head);
        prop_assert_eq!(&read_with(limits, cut(&bytes, cuts), is_head), &whole);
        prop_assert_eq!(&read_with(limits, bytes.chunks(1), is_head), &whole);
    }

    #[test]
    fn what_a_server_sends_is_what_is_read(
        body in prop::collection::vec(any::<u8>(), 0..5000),
        chunk in 1usize..600,
        cuts in prop::collection::vec(any::<usize>(), 0..6),
    ) {
        let mut bytes = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec();
        for piece in body.chunks(chunk) {
            bytes.extend(format!("{:X}\r\n", piece.len()).bytes());
            bytes.extend(piece);
            bytes.extend(b"\r\n");
        }
        bytes.extend(b"0\r\n\r\n");
        let outcome = read(cut(&bytes, cuts), false);
        prop_assert_eq!(outcome.error, None);
        prop_assert_eq!(&outcome.answers[0].body, &body);
        prop_assert!(outcome.answers[0].complete);
    }
}
