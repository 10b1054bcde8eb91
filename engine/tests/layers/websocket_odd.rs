//! Servers that refuse upgrades, break WebSocket, or close.

use std::io::{Read, Write};

use serde_json::{Value, json};
use tungstenite::Message;

use crate::echo::{self, Peer, Stream, text, write};
use crate::run::{count, counts, run, spec};

/// Two users with three messages each; none awaits its answer for long.
fn load(port: u16) -> Value {
    load_of(port, json!({"kind": "iterations", "users": 2, "iterations": 3}))
}

fn load_of(port: u16, load: Value) -> Value {
    run(&spec(port, load, |spec| {
        spec["timeout_s"] = json!(1.0);
        spec["requests"] = json!([{
            "name": "echo", "path": "/", "websocket": true, "message": "Hello",
            "checks": [{"kind": "equals", "text": "Hello"}],
        }]);
    }))
}

fn details(result: &Value) -> Vec<&str> {
    let lines = result["errors_detail"].as_array().unwrap().iter();
    lines.map(|line| line["detail"].as_str().unwrap()).collect()
}

/// Reads a request's head, and sends `answer` with the right accept value for `{accept}`.
fn answer_with(mut stream: Box<dyn Stream>, answer: &str) {
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read(&mut byte) {
            Ok(1) => head.push(byte[0]),
            _ => return,
        }
    }
    let head = String::from_utf8(head).unwrap();
    let key = head.lines().find_map(|line| line.strip_prefix("Sec-WebSocket-Key: ")).unwrap();
    let accept = tungstenite::handshake::derive_accept_key(key.as_bytes());
    let _ = stream.write_all(answer.replace("{accept}", &accept).as_bytes());
    // It stays until the client leaves.
    while matches!(stream.read(&mut byte), Ok(1)) {}
}

const GRANTED: &str = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\
                       Connection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n";

#[test]
fn an_upgrade_that_fails_refuses_the_requests_by_its_name() {
    for (answer, kind, detail) in [
        (
            "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".to_owned(),
            "status",
            "WebSocket: the server answered status 404, not 101",
        ),
        (
            GRANTED.replace("{accept}", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="),
            "accept",
            "WebSocket: Sec-WebSocket-Accept does not match the key",
        ),
        (
            GRANTED.replace("Connection: Upgrade\r\n", ""),
            "headers",
            "WebSocket: the answer lacks Connection: Upgrade",
        ),
        (
            "SSH-2.0-OpenSSH\r\n".to_owned(),
            "malformed",
            "WebSocket: the answer is not HTTP/1.1: invalid HTTP version",
        ),
    ] {
        let port = echo::raw(None, move |stream| answer_with(stream, &answer));
        let result = load(port);
        assert_eq!(counts(&result), [("offered".to_owned(), 6), ("refused".to_owned(), 6)]);
        assert_eq!(details(&result), [detail]);
        // Those before the load count too.
        assert_eq!(result["websocket"]["failed_upgrades"][kind], 8, "{kind}: {result}");
        assert_eq!(
            (&result["websocket"]["upgrades"], &result["connections_opened"]),
            (&json!(0), &json!(0))
        );
    }
}

#[test]
fn a_connection_that_ends_within_its_upgrade_is_refused() {
    let port = echo::raw(None, |mut stream| {
        let _ = stream.read(&mut [0; 4096]);
        let _ = stream.write_all(b"HTTP/1.1 101 Sw");
    });
    let result = load(port);
    assert_eq!(count(&result, "refused"), 6, "{result}");
    assert_eq!(details(&result), ["WebSocket: closed during the upgrade"]);
    assert_eq!(result["websocket"]["failed_upgrades"]["closed"], 8);
}

#[test]
fn an_upgrade_that_is_never_answered_is_refused_in_time() {
    let port =
        echo::raw(None, |mut stream| while matches!(stream.read(&mut [0; 4096]), Ok(1..)) {});
    let result = load(port);
    assert_eq!((count(&result, "refused"), count(&result, "offered")), (6, 6), "{result}");
    assert_eq!(details(&result), ["WebSocket: no answer to the upgrade in time"]);
    assert!(result["websocket"]["failed_upgrades"]["unfinished"].as_u64().unwrap() >= 6);
}

#[test]
fn what_breaks_the_protocol_is_malformed_and_the_connection_is_reopened() {
    for (answer, name) in [
        (&b"\x81\x85\0\0\0\0Hello"[..], "masked_frame"),
        (b"\xc1\x05Hello", "reserved_bits"),
        (b"\x83\x05Hello", "reserved_opcode"),
        (b"\x80\x05Hello", "lone_continuation"),
        (b"\x01\x02He\x81\x03llo", "interrupted_message"),
        (b"\x81\x7e\0\x05Hello", "bad_frame_length"),
        (b"\x82\x7f\0\0\0\x01\0\0\0\0", "message_too_long"),
        (b"\x09\x00", "fragmented_control"),
        (b"\x81\x05Hell\xff", "not_utf8"),
        (b"\x82\x05Hello", "binary_answer"),
        (b"\x81\x05Hello\x81\x05Hello", "unsolicited"),
    ] {
        let port =
            echo::start(
                None,
                move |mut peer: Peer| {
                    while text(&mut peer).is_some() && write(&mut peer, answer) {}
                },
            );
        let result = load(port);
        assert_eq!(count(&result, "malformed"), 6, "{name}: {result}");
        assert_eq!((details(&result), &result["websocket"]["upgrades"]), (vec![name], &json!(6)));
    }
}

#[test]
fn a_message_that_nobody_asked_for_ends_an_idle_connection() {
    let port = echo::start(None, |mut peer: Peer| {
        while text(&mut peer).is_some() && write(&mut peer, b"\x81\x05Hello") {
            std::thread::sleep(std::time::Duration::from_millis(20));
            write(&mut peer, b"\x81\x05Hello");
        }
    });
    let phases = json!([{"rate": 5.0, "duration_s": 1.0}]);
    let result = load_of(port, json!({"kind": "open", "connections": 1, "phases": phases}));
    assert!(count(&result, "ok") > 0, "{result}");
    assert!(result["connections_unsolicited"].as_u64().unwrap() > 0, "{result}");
}

#[test]
fn a_close_in_place_of_an_answer_is_a_reset() {
    for (close, detail) in [
        (&b"\x88\x02\x03\xe9"[..], "WebSocket: the server closed (code 1001)"),
        (b"\x88\x00", "WebSocket: the server closed (no code)"),
        (b"", "closed without an answer"),
        (b"\x01\x02He", "WebSocket: closed in the middle of the answer"),
    ] {
        let port = echo::start(None, move |mut peer: Peer| {
            if text(&mut peer).is_some() {
                write(&mut peer, close);
            }
        });
        let result = load(port);
        assert_eq!((count(&result, "reset"), count(&result, "sent")), (6, 6), "{detail}: {result}");
        assert_eq!(details(&result), [detail]);
        let closes = if close.starts_with(b"\x88") { 6 } else { 0 };
        assert_eq!(result["websocket"]["closes"], closes);
        assert_eq!(result["connections_opened"], 6);
    }
}

#[test]
fn a_connection_that_the_server_closes_after_its_answer_is_reopened() {
    // The close comes with the answer, or after it.
    for at_once in [true, false] {
        let port = echo::start(None, move |mut peer: Peer| {
            if text(&mut peer).is_some() {
                if at_once {
                    write(&mut peer, b"\x81\x05Hello\x88\x02\x03\xe8");
                } else {
                    let _ = peer.send(Message::text("Hello"));
                    std::thread::sleep(std::time::Duration::from_millis(50));
                    let _ = peer.close(None);
                }
                // The client's close ends it.
                while peer.read().is_ok() {}
            }
        });
        let result = load(port);
        let ok = count(&result, "ok");
        if at_once {
            assert_eq!((ok, &result["connections_opened"]), (6, &json!(6)), "{result}");
        } else {
            // The second message of a connection finds it closing.
            assert!(ok >= 2 && ok + count(&result, "reset") == 6, "{result}");
        }
    }
}

#[test]
fn no_answer_in_time_is_told() {
    let port = echo::start(None, |mut peer: Peer| while text(&mut peer).is_some() {});
    let result = load(port);
    assert_eq!(count(&result, "timed_out"), 6, "{result}");
    assert_eq!(details(&result), ["no answer in time"]);
}
