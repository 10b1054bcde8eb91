//! Answers that must be understood.

use crate::common::{Answer, one, read, read_with};
use webdyno_engine::protocol::http1::{AnswerEvent, Limits, ResponseParser, Step};

#[test]
fn a_length_frames_the_body() {
    let answer =
        one(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello");
    let headers = [("Content-Type", "text/plain"), ("Content-Length", "5")];
    let expected = Answer {
        status: 200,
        keep_alive: true,
        headers: headers.map(|(n, v)| (n.to_owned(), v.to_owned())).to_vec(),
        body: b"hello".to_vec(),
        complete: true,
    };
    assert_eq!(answer, expected);
}

#[test]
fn chunks_extensions_and_trailers() {
    let answer = one(b"HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n\
        5;name=value;q=\"a;b\"\r\nhello\r\n00006  \r\n world\r\nA\r\n0123456789\r\n\
        000;last\r\nDigest: abc\r\nX-Empty:\r\n\r\n");
    assert_eq!(answer.body, b"hello world0123456789");
    assert!(answer.keep_alive);
}

#[test]
fn a_body_without_a_length_ends_with_the_connection() {
    let answer = one(b"HTTP/1.1 200 OK\r\n\r\nuntil the end");
    assert_eq!(answer.body, b"until the end");
    assert!(!answer.keep_alive);
    assert_eq!(one(b"HTTP/1.0 200 OK\r\n\r\n").body, b"");
}

#[test]
fn interim_answers_are_skipped() {
    let answer =
        one(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n\
        HTTP/1.1 204 No Content\r\nX: y\r\n\r\n");
    assert_eq!(answer.status, 204);
    assert_eq!(answer.headers, [("X".to_owned(), "y".to_owned())]);
}

#[test]
fn answers_that_never_have_a_body() {
    for status in ["204 No Content", "304 Not Modified"] {
        let answer = one(format!("HTTP/1.1 {status}\r\nContent-Length: 10\r\n\r\n").as_bytes());
        assert_eq!(answer.body, b"");
        assert!(answer.keep_alive);
    }
    let head = b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    let outcome = read([&head[..]], true);
    assert_eq!(outcome.answers.len(), 2);
    assert!(outcome.answers.iter().all(|answer| answer.complete && answer.body.is_empty()));
}

#[test]
fn the_connection_header_and_the_version_say_whether_it_stays_open() {
    for (head, keep_alive) in [
        ("HTTP/1.1 200 OK\r\n", true),
        ("HTTP/1.1 200 OK\r\nConnection: close\r\n", false),
        ("HTTP/1.1 200 OK\r\nconnection: foo, CLOSE\r\n", false),
        ("HTTP/1.1 200 OK\r\nConnection: keep-alive\r\n", true),
        ("HTTP/1.1 200 OK\r\nConnection: close\r\nConnection: keep-alive\r\n", false),
        ("HTTP/1.0 200 OK\r\nConnection: close\r\nConnection: keep-alive\r\n", false),
        ("HTTP/1.1 200 OK\r\nConnection: upgraded\r\n", true),
        ("HTTP/1.0 200 OK\r\n", false),
        ("HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\n", true),
        ("HTTP/1.0 200 OK\r\nConnection: keep-alive, close\r\n", false),
    ] {
        let answer = one(format!("{head}Content-Length: 0\r\n\r\n").as_bytes());
        assert_eq!(answer.keep_alive, keep_alive, "{head:?}");
    }
}

#[test]
fn leftovers_belong_to_the_next_answer() {
    let bytes = b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\naHTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nbcHTTP/1.1 200 O";
    let outcome = read([&bytes[..]], false);
    let seen: Vec<_> = outcome.answers.iter().map(|a| (a.status, a.body.as_slice())).collect();
    assert_eq!(seen, [(200, &b"a"[..]), (404, b"bc")]);
    assert_eq!(outcome.eof, Some(Err(webdyno_engine::protocol::http1::ParseError::TruncatedHead)));
}

#[test]
fn lenient_line_ends_reasons_and_values() {
    let answer = one(b"\r\nHTTP/1.1 200\nA:1\nB:  two words \t\nC:\nContent-Length:0\n\n");
    let headers: Vec<_> = answer.headers.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
    assert_eq!(headers, [("A", "1"), ("B", "two words"), ("C", ""), ("Content-Length", "0")]);
    assert_eq!(one(b"HTTP/1.1 599 caf\xc3\xa9\r\nContent-Length: 0\r\n\r\n").status, 599);
}

#[test]
fn heads_up_to_the_limit_and_many_headers() {
    let mut head = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n".to_vec();
    for i in 0..5_000 {
        head.extend(format!("a{i}: {i}\r\n").bytes());
    }
    let filler = 65_536 - head.len() - "f: \r\n\r\n".len();
    head.extend(format!("f: {}\r\n\r\n", "x".repeat(filler)).bytes());
    assert_eq!(head.len(), 65_536);
    let bytes = [&head[..], b"ok"].concat();
    for size in [1, 7, 1000, 65_535, 65_536, 100_000] {
        let outcome = read(bytes.chunks(size), false);
        assert_eq!(outcome.error, None, "pieces of {size}");
        assert_eq!(outcome.answers[0].headers.len(), 5_002);
        assert_eq!(outcome.answers[0].body, b"ok");
    }
    let limits = Limits { head_bytes: 65_535 };
    let error = read_with(limits, [&bytes[..]], false).error;
    assert_eq!(error, Some(webdyno_engine::protocol::http1::ParseError::HeadTooLarge));
}

#[test]
fn a_body_of_many_gigabytes_costs_no_memory() {
    let mut parser = ResponseParser::new(Limits::default());
    parser.begin(false);
    let piece = vec![b'x'; 1 << 20];
    let length = 5u64 << 30;
    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n");
    assert_eq!(parser.advance(head.as_bytes()).map(|step| step.event), Ok(AnswerEvent::Head));
    for _ in 0..length >> 20 {
        let step = parser.advance(&piece).unwrap();
        assert_eq!(step.event, AnswerEvent::Body { start: 0, end: piece.len() });
    }
    assert_eq!(parser.advance(&piece), Ok(Step { consumed: 0, event: AnswerEvent::Complete }));
}

#[test]
fn a_hundred_thousand_chunks_of_one_byte() {
    let mut bytes = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec();
    bytes.extend(b"1\r\nx\r\n".repeat(100_000));
    bytes.extend(b"0\r\n\r\n");
    assert_eq!(one(&bytes).body, vec![b'x'; 100_000]);
}

#[test]
fn a_parser_is_small_enough_for_ten_thousand_connections() {
    assert!(size_of::<ResponseParser>() <= 192, "{}", size_of::<ResponseParser>());
}
