//! Servers that answer too often, or too early.

use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value, json};

use crate::server::{HELLO, Peer, each};
use crate::table::{check, fine, row};

const HINTS: &str = "HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n";
/// A request body that no socket buffer takes whole.
const UPLOAD: usize = 6 << 20;

fn upload(spec: &mut Value) {
    spec["requests"][0]["method"] = "POST".into();
    spec["requests"][0]["body"] = "x".repeat(UPLOAD).into();
}

/// Answers once the head of an upload is there.
fn early(peer: &mut Peer, answer: &str) -> bool {
    peer.request() && peer.write(answer)
}

#[test]
fn surplus() {
    check(&[
        fine("32 interim answers", |peer| each(peer, HINTS.repeat(32) + HELLO)),
        row("33 interim answers", "malformed", "too_many_interim", |peer| {
            each(peer, HINTS.repeat(33) + HELLO);
        }),
        row("a storm of interim answers", "malformed", "too_many_interim", |peer| {
            if peer.request() {
                while peer.write(HINTS) {}
            }
        }),
        row("an upgrade nobody asked for", "malformed", "unexpected_upgrade", |peer| {
            each(peer, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n");
        }),
        row("two answers at once", "malformed", "unsolicited", |peer| {
            each(peer, [HELLO, HELLO].concat());
        }),
        row("an answer and a line end too many", "malformed", "unsolicited", |peer| {
            each(peer, [HELLO, "\r\n"].concat());
        }),
        // What comes late answers the wrong request, which only a check of its content can tell.
        row("a second answer later", "failed_check", "body: expected \"2\", got \"1\"", |peer| {
            for number in [1, 1, 2] {
                // Each on its own: who asks again has read the one before.
                let answer = format!("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n{number}");
                if !(peer.request() && peer.write(&answer)) {
                    break;
                }
            }
            peer.hold();
        })
        .with(|spec| {
            spec["variables"] = json!({"n": {"kind": "sequence", "start": 1, "step": 1}});
            spec["requests"][0]["path"] = "/{n}".into();
            spec["requests"][0]["checks"] = json!([{"kind": "equals", "text": "{n}"}]);
        })
        .counting(&[("ok", 2), ("failed_check", 4)]),
        row("a greeting before any request", "malformed", "bad_version", |peer| {
            peer.write("220 mail.example.org ESMTP\r\n");
            peer.hold();
        })
        .with(|spec| {
            // At 20 a second the greeting is there long before a request is due on it.
            let phases = json!([{"rate": 20.0, "duration_s": 0.3}]);
            spec["load"] = json!({"kind": "open", "connections": 2, "phases": phases});
        }),
        fine("answers before the upload is complete, and reads on", |peer| {
            while early(peer, HELLO) {
                peer.swallow(UPLOAD);
            }
        })
        .with(upload),
        row(
            "refuses the upload and closes",
            "wrong_status",
            "status: expected 200, got 413",
            |peer| {
                let refusal = "HTTP/1.1 413 S\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
                early(peer, refusal);
            },
        )
        .with(upload),
        row("closes within the upload", "reset", "connection reset by peer", |peer| {
            peer.request();
        })
        .with(upload),
        row("never reads the upload", "timed_out", "no answer in time", |_| {
            sleep(Duration::from_secs(60));
        })
        .with(upload),
    ]);
}
