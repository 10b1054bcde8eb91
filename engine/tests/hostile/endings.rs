//! Servers that end the connection when they should not.

use std::thread::sleep;
use std::time::Duration;

use serde_json::json;

use crate::run::{count, reactors, run, spec};
use crate::server::{self, HELLO, Peer};
use crate::table::{check, fine, row};

const RESET: &str = "connection reset by peer";

/// Answers with a part of an answer and closes.
fn cut(peer: &mut Peer, part: &str) {
    peer.request();
    peer.write(part);
}

#[test]
fn endings() {
    check(&[
        row("closes without an answer", "reset", "closed without an answer", |peer| cut(peer, "")),
        row("resets without an answer", "reset", RESET, |peer| {
            peer.reset_on_close();
            peer.request();
        }),
        row("half-closes without an answer", "reset", "closed without an answer", |peer| {
            peer.request();
            peer.half_close();
        }),
        row("closes within the head", "reset", "truncated_head", |peer| {
            cut(peer, "HTTP/1.1 200 OK\r\nContent-Le");
        }),
        row("resets amid the body", "reset", RESET, |peer| {
            peer.reset_on_close();
            cut(peer, &HELLO[..HELLO.len() - 5]);
        }),
        row("half-closes amid the body", "reset", "truncated_body", |peer| {
            cut(peer, &HELLO[..HELLO.len() - 5]);
            peer.half_close();
        }),
        row("closes within a chunk", "reset", "truncated_chunks", |peer| {
            cut(peer, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nb\r\nHello");
        }),
        row("closes before the last chunk", "reset", "truncated_chunks", |peer| {
            cut(peer, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nb\r\nHello World\r\n");
        }),
        row("resets a body that ends with the connection", "reset", RESET, |peer| {
            cut(peer, "HTTP/1.1 200 OK\r\n\r\nHello World");
            // The client has the body by now; only the way it ends is still open.
            sleep(Duration::from_millis(20));
            peer.reset_on_close();
        }),
        row("closes after an interim answer", "reset", "truncated_head", |peer| {
            cut(peer, "HTTP/1.1 103 Early Hints\r\n\r\n");
        }),
        // A user's second request is already there when the server closes: it was never answered,
        // and the third goes over a new connection.
        row("closes unannounced after an answer", "reset", RESET, |peer| {
            cut(peer, HELLO);
            peer.await_more();
        })
        .counting(&[("ok", 4), ("reset", 2)]),
        fine("ends the body with the connection", |peer| {
            cut(peer, "HTTP/1.1 200 OK\r\n\r\nHello World");
        }),
        fine("half-closes after the answer", |peer| {
            cut(
                peer,
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 11\r\n\r\nHello World",
            );
            peer.half_close();
        }),
        fine("says that it will close, and does not", |peer| {
            cut(
                peer,
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 11\r\n\r\nHello World",
            );
            peer.hold();
        }),
    ]);
}

#[test]
fn connections_that_close_unannounced_after_an_answer_are_told_from_others() {
    let kept_alive = |handle: fn(&mut Peer), reactor: &str| {
        let load = json!({"kind": "iterations", "users": 2, "iterations": 4});
        let result =
            run(&spec(server::start(handle), load, |spec| spec["reactor"] = json!(reactor)));
        (count(&result, "ok"), count(&result, "reset"), result["reset_kept_alive"].clone())
    };
    for reactor in reactors() {
        let after_one = |peer: &mut Peer| {
            cut(peer, HELLO);
            peer.await_more();
        };
        assert_eq!(kept_alive(after_one, reactor), (4, 4, json!(4)), "{reactor}");
        let never = |peer: &mut Peer| cut(peer, "");
        assert_eq!(kept_alive(never, reactor), (0, 8, json!(0)), "{reactor}");
        let midway = |peer: &mut Peer| {
            cut(peer, HELLO);
            cut(peer, "HTTP/1.1 2");
        };
        assert_eq!(kept_alive(midway, reactor), (4, 4, json!(0)), "{reactor}");
    }
}
