//! Answers that break the protocol, each with the kind it must be counted as.

use crate::common::{read, read_with};
use std::collections::BTreeSet;
use webdyno_engine::protocol::http1::{Limits, ParseError, ParseError::*, ResponseParser};

const OK: &str = "HTTP/1.1 200 OK\r\n";
const CHUNKED: &str = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

/// `(bytes, kind)`; the kind shows as soon as the bytes are there.
fn table() -> Vec<(String, ParseError)> {
    let ok = |rest: &str| format!("{OK}{rest}");
    let chunked = |rest: &str| format!("{CHUNKED}{rest}");
    vec![
        ("SSH-2.0-OpenSSH_9.2\r\n".into(), BadVersion),
        ("<html>".into(), BadVersion),
        ("HTTP/2.0 200 OK\r\n".into(), BadVersion),
        ("HTTP/1.1  200 OK\r\n".into(), BadStatusLine),
        ("HTTP/1.1 20".to_owned() + "x", BadStatusLine),
        ("HTTP/1.1 2000 OK\r\n".into(), BadStatusLine),
        ("HTTP/1.1 200 O\x00K\r\n".into(), BadStatusLine),
        ("HTTP/1.1 200 OK\rX".into(), BadStatusLine),
        ("HTTP/1.1 099 Low\r\n\r\n".into(), BadStatusCode),
        ("\rHTTP/1.1 200 OK\r\n".into(), BadLineEnd),
        (ok("A: b\r\n\rX"), BadLineEnd),
        (ok("bad name: x\r\n"), BadHeaderName),
        (ok(": no name\r\n"), BadHeaderName),
        (ok("A: b\r\n folded\r\n"), BadHeaderName),
        (ok("no colon\r\n"), BadHeaderName),
        (ok("A: \x01\r\n"), BadHeaderValue),
        (ok("A: x\rb\r\n"), BadHeaderValue),
        (ok(&format!("A: {}", "x".repeat(65_536))), HeadTooLarge),
        (ok(&"A: b\r\n".repeat(20_000)), HeadTooLarge),
        (ok("Content-Length: \r\n\r\n"), BadContentLength),
        (ok("Content-Length: -1\r\n\r\n"), BadContentLength),
        (ok("Content-Length: +1\r\n\r\n"), BadContentLength),
        (ok("Content-Length: 0x10\r\n\r\n"), BadContentLength),
        (ok("Content-Length: 5, 5\r\n\r\n"), BadContentLength),
        (ok("Content-Length: 18446744073709551616\r\n\r\n"), ContentLengthOverflow),
        (ok("Content-Length: 99999999999999999999999\r\n\r\n"), ContentLengthOverflow),
        (ok("Content-Length: 5\r\ncontent-length: 5\r\n\r\n"), DuplicateContentLength),
        (ok("Content-Length: 5\r\nContent-Length: 6\r\n\r\n"), ConflictingContentLength),
        (ok("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"), LengthAndEncoding),
        (ok("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n"), LengthAndEncoding),
        (ok("Transfer-Encoding: gzip\r\n\r\n"), UnsupportedEncoding),
        (ok("Transfer-Encoding: gzip, chunked\r\n\r\n"), UnsupportedEncoding),
        (
            ok("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n"),
            UnsupportedEncoding,
        ),
        ("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".into(), EncodingInHttp10),
        ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n".into(), UnexpectedUpgrade),
        ("HTTP/1.1 100 Continue\r\n\r\n".repeat(33), TooManyInterim),
        (chunked("\r\n"), BadChunkSize),
        (chunked("x\r\n"), BadChunkSize),
        (chunked("-1\r\n"), BadChunkSize),
        (chunked("0x5\r\n"), BadChunkSize),
        (chunked("5 5\r\n"), BadChunkSize),
        (chunked("5\n"), BadChunkSize),
        (chunked("10000000000000000\r\n"), ChunkSizeOverflow),
        (chunked("5;a\n"), BadChunkExtension),
        (chunked("5\rx"), BadChunkExtension),
        (chunked(&format!("5;{}", "e".repeat(16_384))), ChunkLineTooLong),
        (chunked(&"0".repeat(16_385)), ChunkLineTooLong),
        (chunked("5\r\nhello5\r\n"), BadChunkEnd),
        (chunked("5\r\nhello\r\r\n"), BadChunkEnd),
        (chunked("5\r\nhello\n"), BadChunkEnd),
        (chunked("0\r\n\rx"), BadTrailer),
        (chunked("0\r\n: x\r\n"), BadTrailer),
        (chunked("0\r\nA b: x\r\n"), BadTrailer),
        (chunked("0\r\nA: x\n"), BadTrailer),
        (chunked("0\r\nA: \x01\r\n"), BadTrailer),
        (chunked(&format!("0\r\n{}", "A: b\r\n".repeat(11_000))), TrailersTooLarge),
    ]
}

/// `(bytes, kind)`; the kind shows when the connection closes after the bytes.
fn cut_off() -> Vec<(String, ParseError)> {
    vec![
        ("H".into(), TruncatedHead),
        ("\r\n".into(), TruncatedHead),
        (OK.into(), TruncatedHead),
        ("HTTP/1.1 100 Continue\r\n\r\n".into(), TruncatedHead),
        (format!("{OK}Content-Length: 5\r\n\r\n"), TruncatedBody),
        (format!("{OK}Content-Length: 5\r\n\r\nhell"), TruncatedBody),
        (CHUNKED.into(), TruncatedChunks),
        (format!("{CHUNKED}5\r\nhel"), TruncatedChunks),
        (format!("{CHUNKED}5\r\nhello\r\n"), TruncatedChunks),
        (format!("{CHUNKED}0\r\n"), TruncatedChunks),
        (format!("{CHUNKED}0\r\nA: b\r\n\r"), TruncatedChunks),
    ]
}

#[test]
fn every_kind_is_told_as_soon_as_it_shows_however_the_bytes_come() {
    for (bytes, kind) in table() {
        let shown = &bytes[..bytes.len().min(60)];
        for size in [usize::MAX, 1, 2, 3, 5, 4096] {
            let size = size.min(bytes.len());
            let error = read(bytes.as_bytes().chunks(size), false).error;
            assert_eq!(error, Some(kind), "{shown:?} in pieces of {size}");
        }
    }
}

#[test]
fn a_close_in_the_middle_is_an_error_of_its_own() {
    for (bytes, kind) in cut_off() {
        for size in [bytes.len(), 1, 2, 3] {
            let outcome = read(bytes.as_bytes().chunks(size), false);
            assert_eq!(outcome.error, None, "{bytes:?}");
            assert_eq!(outcome.eof, Some(Err(kind)), "{bytes:?} in pieces of {size}");
        }
    }
}

#[test]
fn a_close_before_any_byte_is_no_malformed_answer() {
    assert_eq!(read([], false).eof, Some(Ok(false)));
    let whole = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    assert_eq!(read([whole.as_bytes()], false).eof, Some(Ok(false)));
}

#[test]
fn bytes_that_answer_no_request() {
    let mut parser = ResponseParser::new(Limits::default());
    assert!(parser.advance(b"").is_ok());
    assert_eq!(parser.advance(b"HTTP/1.1 200 OK\r\n"), Err(Unsolicited));
}

#[test]
fn tables_cover_every_kind_and_names_are_unique() {
    let mut covered: BTreeSet<&str> =
        table().iter().chain(&cut_off()).map(|(_, kind)| kind.name()).collect();
    covered.insert(Unsolicited.name());
    let all: BTreeSet<&str> = ParseError::ALL.iter().map(|kind| kind.name()).collect();
    assert_eq!(covered, all);
    assert_eq!(all.len(), ParseError::ALL.len());
}

#[test]
fn the_limit_of_heads_is_the_callers() {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    for limit in 0..head.len() {
        let error = read_with(Limits { head_bytes: limit }, [head.as_bytes()], false).error;
        assert_eq!(error, Some(HeadTooLarge), "limit {limit}");
    }
    let limits = Limits { head_bytes: head.len() };
    assert_eq!(read_with(limits, [head.as_bytes()], false).error, None);
}
