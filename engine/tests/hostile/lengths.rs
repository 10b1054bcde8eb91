//! Servers that lie about the length of the body.

use crate::server::{HELLO, Peer, each};
use crate::table::{Row, check, fine, row, status_only};

/// A server whose answers are malformed for the reason `detail`.
fn wrong(name: &'static str, detail: &'static str, server: fn(&mut Peer)) -> Row {
    row(name, "malformed", detail, server)
}

#[test]
fn lengths() {
    check(&[
        row("states more than it sends, and closes", "reset", "truncated_body", |peer| {
            peer.request();
            peer.write("HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\nHello World");
        }),
        row(
            "states more than it sends, and waits",
            "timed_out",
            "the answer was not complete in time",
            |peer| each(peer, "HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\nHello World"),
        ),
        wrong("states less than it sends", "unsolicited", |peer| {
            each(peer, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nHello World");
        }),
        wrong("states no length, and sends some", "unsolicited", |peer| {
            each(peer, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHello World");
        }),
        wrong("states a negative length", "bad_content_length", |peer| {
            each(peer, "HTTP/1.1 200 OK\r\nContent-Length: -11\r\n\r\nHello World");
        }),
        wrong("states a signed length", "bad_content_length", |peer| {
            each(peer, "HTTP/1.1 200 OK\r\nContent-Length: +11\r\n\r\nHello World");
        }),
        wrong("states a hexadecimal length", "bad_content_length", |peer| {
            each(peer, "HTTP/1.1 200 OK\r\nContent-Length: 0xb\r\n\r\nHello World");
        }),
        wrong("states an empty length", "bad_content_length", |peer| {
            each(peer, "HTTP/1.1 200 OK\r\nContent-Length: \r\n\r\nHello World");
        }),
        wrong("states a length beyond 64 bits", "content_length_overflow", |peer| {
            each(
                peer,
                "HTTP/1.1 200 OK\r\nContent-Length: 18446744073709551627\r\n\r\nHello World",
            );
        }),
        wrong("states the length twice", "duplicate_content_length", |peer| {
            let length = "Content-Length: 11\r\n";
            each(peer, format!("HTTP/1.1 200 OK\r\n{length}{length}\r\nHello World"));
        }),
        wrong("states two lengths", "conflicting_content_length", |peer| {
            let lengths = "Content-Length: 11\r\nContent-Length: 12\r\n";
            each(peer, format!("HTTP/1.1 200 OK\r\n{lengths}\r\nHello World"));
        }),
        wrong("states a length and chunks", "length_and_encoding", |peer| {
            let both = "Content-Length: 11\r\nTransfer-Encoding: chunked\r\n";
            each(peer, format!("HTTP/1.1 200 OK\r\n{both}\r\nb\r\nHello World\r\n0\r\n\r\n"));
        }),
        wrong("a chunk size of letters", "bad_chunk_size", |peer| {
            each(peer, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nHello World");
        }),
        wrong("a negative chunk size", "bad_chunk_size", |peer| {
            each(peer, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-b\r\nHello World");
        }),
        wrong("a chunk size beyond 64 bits", "chunk_size_overflow", |peer| {
            let size = "1000000000000000b";
            let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
            each(peer, format!("{head}{size}\r\nHello World\r\n0\r\n\r\n"));
        }),
        wrong("a chunk shorter than its data", "bad_chunk_end", |peer| {
            let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
            each(peer, format!("{head}a\r\nHello World\r\n0\r\n\r\n"));
        }),
        wrong("a 204 with a body", "unsolicited", |peer| {
            each(peer, "HTTP/1.1 204 No Content\r\nContent-Length: 11\r\n\r\nHello World");
        }),
        wrong("a 304 with a body", "unsolicited", |peer| {
            each(peer, "HTTP/1.1 304 Not Modified\r\nContent-Length: 11\r\n\r\nHello World");
        }),
        wrong("a body in answer to HEAD", "unsolicited", |peer| each(peer, HELLO))
            .with(|spec| spec["requests"][0]["method"] = "HEAD".into()),
        fine("a length in answer to HEAD", |peer| {
            each(peer, "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n");
        })
        .with(|spec| {
            spec["requests"][0]["method"] = "HEAD".into();
            status_only(spec);
        }),
    ]);
}
