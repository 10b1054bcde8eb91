//! Servers that are asked for TLS and do something else.

use std::time::Duration;

use serde_json::{Value, json};

use crate::server::Peer;
use crate::table::{check, row};

fn over_tls(spec: &mut Value) {
    spec["target"]["tls"] = json!({"insecure": true});
}

/// Waits for the beginning of the handshake.
fn greeted(peer: &mut Peer, then: &[u8]) {
    peer.swallow(5);
    peer.write(then);
    peer.wait_at_most(Duration::from_millis(500));
    peer.hold();
}

#[test]
fn no_tls() {
    let not_tls = "TLS: what came is not TLS (InvalidContentType)";
    check(&[
        row("garbage", "refused", not_tls, |peer| greeted(peer, &[0x47; 512])).with(over_tls),
        row("HTTP/1.1 on the port", "refused", not_tls, |peer| {
            greeted(peer, b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
        })
        .with(over_tls),
        row("an alert", "refused", "TLS: the server refused by alert HandshakeFailure", |peer| {
            greeted(peer, b"\x15\x03\x03\0\x02\x02\x28");
        })
        .with(over_tls),
        row(
            "no protocol in common",
            "refused",
            "TLS: the server does not offer the HTTP version (ALPN)",
            |peer| {
                greeted(peer, b"\x15\x03\x03\0\x02\x02\x78");
            },
        )
        .with(over_tls),
        row(
            "a record beyond the limit",
            "refused",
            "TLS: what came is not TLS (MessageTooLarge)",
            |peer| {
                greeted(peer, b"\x16\x03\x03\xff\xff\0");
            },
        )
        .with(over_tls),
        row(
            "data before the handshake",
            "refused",
            "TLS: received unexpected message: got ApplicationData when expecting Handshake",
            |peer| {
                greeted(peer, b"\x17\x03\x03\0\x05Hello");
            },
        )
        .with(over_tls),
    ]);
}

#[test]
fn handshakes_that_end_early() {
    let unanswered = "TLS: the handshake was not complete in time";
    let closed = "TLS: closed during the handshake";
    check(&[
        // Half closed: closed whole, it would reset the connection where the client has sent first.
        row("closed at once", "refused", closed, |peer| {
            peer.half_close();
        })
        .with(over_tls),
        row("closed after the greeting", "refused", closed, |peer| {
            peer.swallow(5);
            peer.half_close();
        })
        .with(over_tls),
        row("closed within a record", "refused", closed, |peer| {
            peer.swallow(5);
            peer.write(b"\x16\x03\x03\0\x7a\x02\0");
            peer.half_close();
        })
        .with(over_tls),
        row("reset", "refused", "connection reset by peer", |peer| {
            peer.swallow(5);
            peer.reset_on_close();
        })
        .with(over_tls),
        row("silence", "refused", unanswered, Peer::hold).with(|spec| {
            over_tls(spec);
            spec["timeout_s"] = json!(0.25);
        }),
        row("a record that drips", "refused", unanswered, |peer| {
            peer.swallow(5);
            peer.drip([0x16, 3, 3, 0, 0x7a, 2, 0, 0, 0x76, 3, 3], Duration::from_millis(50));
            peer.hold();
        })
        .with(|spec| {
            over_tls(spec);
            spec["timeout_s"] = json!(0.25);
        }),
    ]);
}
