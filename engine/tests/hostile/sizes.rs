//! Servers that send very much, or in very many pieces.

use serde_json::{Value, json};

use crate::server::{Peer, each};
use crate::table::{check, fine, row, status_only};

const CHUNKED: &str = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

/// Sends `begin` and then `again` until the client has had enough.
fn endless(peer: &mut Peer, begin: &str, again: &str) {
    if peer.request() && peer.write(begin) {
        let again = again.repeat(64);
        while peer.write(&again) {}
    }
}

fn head_with(headers: &str) -> String {
    format!("HTTP/1.1 200 OK\r\n{headers}Content-Length: 11\r\n\r\nHello World")
}

/// Only the body's length is checked, which needs none of it held.
fn length(spec: &mut Value, bytes: u64) {
    spec["requests"][0]["checks"] = json!([{"kind": "length", "min": bytes, "max": bytes}]);
    spec["load"] = json!({"kind": "iterations", "users": 1, "iterations": 1});
}

#[test]
fn sizes() {
    const LARGE: usize = 256 << 20;
    check(&[
        fine("headers of 60 kB", |peer| {
            each(peer, head_with(&"X-Pad: 0123456789abcdef\r\n".repeat(2400)))
        }),
        fine("a header of 65,000 bytes", |peer| {
            each(peer, head_with(&format!("X-Pad: {}\r\n", "x".repeat(65_000))));
        }),
        row("a header of 64 kB", "malformed", "head_too_large", |peer| {
            each(peer, head_with(&format!("X-Pad: {}\r\n", "x".repeat(65_536))));
        }),
        row("headers of 1 MB", "malformed", "head_too_large", |peer| {
            each(peer, head_with(&"X-Pad: 0123456789abcdef\r\n".repeat(40_000)));
        }),
        row("endless headers", "malformed", "head_too_large", |peer| {
            endless(peer, "HTTP/1.1 200 OK\r\n", "X-Pad: 0123456789abcdef\r\n");
        }),
        row("an endless header", "malformed", "head_too_large", |peer| {
            endless(peer, "HTTP/1.1 200 OK\r\nX-Pad: ", "0123456789abcdef");
        }),
        row("an endless reason", "malformed", "head_too_large", |peer| {
            endless(peer, "HTTP/1.1 200 ", "O");
        }),
        row("endless empty lines", "malformed", "head_too_large", |peer| {
            endless(peer, "", "\r\n");
        }),
        row("an endless chunk extension", "malformed", "chunk_line_too_long", |peer| {
            endless(peer, CHUNKED, "1;");
        }),
        row("endless trailers", "malformed", "trailers_too_large", |peer| {
            endless(
                peer,
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
                "X-Pad: 0123\r\n",
            );
        }),
        row("an endless body", "timed_out", "the answer was not complete in time", |peer| {
            endless(peer, "HTTP/1.1 200 OK\r\n\r\n", &"x".repeat(1024));
        })
        .with(status_only),
        fine("100,000 chunks of one byte", |peer| {
            each(peer, format!("{CHUNKED}{}0\r\n\r\n", "1\r\nx\r\n".repeat(100_000)));
        })
        .with(|spec| length(spec, 100_000))
        .counting(&[("ok", 1)]),
        fine("100,000 chunks of one byte, each sent on its own", |peer| {
            while peer.request() {
                peer.write(CHUNKED);
                (0..100_000).all(|_| peer.write("1\r\nx\r\n"));
                peer.write("0\r\n\r\n");
            }
        })
        .with(|spec| length(spec, 100_000))
        .counting(&[("ok", 1)]),
        fine("a body of 256 MiB", |peer| {
            if peer.request() {
                peer.write(format!("HTTP/1.1 200 OK\r\nContent-Length: {LARGE}\r\n\r\n"));
                let piece = vec![b'x'; 1 << 20];
                (0..LARGE >> 20).all(|_| peer.write(&piece));
                peer.hold();
            }
        })
        .with(|spec| length(spec, LARGE as u64))
        .counting(&[("ok", 1)]),
    ]);
}
