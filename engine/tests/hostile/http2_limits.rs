//! Servers of HTTP/2 that change their limits under way, fall silent, or close what nobody uses.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use crate::frames::{self, DATA, GOAWAY, HEADERS, SETTINGS};
use crate::run::{count, run, spec};
use crate::server::{self, Peer};

const END: u8 = 1;
const END_HEADERS: u8 = 4;
const ACK: u8 = 1;
const OK: &[u8] = b"\x88";
const WRONG: &[u8] = b"\x8e"; // 500
const ONE_STREAM: &[u8] = b"\0\x03\0\0\0\x01";

fn answer(peer: &mut Peer, stream: u32, status: &[u8]) {
    frames::send(peer, HEADERS, END_HEADERS, stream, status);
    frames::send(peer, DATA, END, stream, b"Hello World");
}

fn users(port: u16, users: u64, iterations: u64, change: impl FnOnce(&mut Value)) -> Value {
    let load = json!({"kind": "iterations", "users": users, "iterations": iterations});
    run(&spec(port, load, |spec| {
        spec["http2"] = json!({"streams": users});
        change(spec);
    }))
}

/// Allows any number of streams at first, and from its first answer on only one at once. It answers
/// with 500 where the client, having acknowledged that, opens more.
fn lower_the_limit(peer: &mut Peer) {
    peer.swallow(24);
    frames::send(peer, SETTINGS, 0, 0, b"");
    peer.wait_at_most(Duration::from_millis(10));
    let (mut open, mut told, mut agreed) = (Vec::new(), false, false);
    // Streams that were there before the client knew.
    let mut before = Vec::new();
    let mut quiet = 0;
    while quiet < 300 {
        match peer.take(9) {
            Some(head) => {
                quiet = 0;
                let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
                peer.take(length as usize);
                let stream = u32::from_be_bytes([head[5], head[6], head[7], head[8]]);
                match (head[3], head[4]) {
                    (HEADERS, _) => open.push(stream),
                    (SETTINGS, 0) => frames::send(peer, SETTINGS, ACK, 0, b""),
                    (SETTINGS, _) if told => {
                        agreed = true;
                        before.clone_from(&open);
                    }
                    _ => {}
                }
            }
            None if open.is_empty() => quiet += 1,
            // All that the client would send without an answer has come.
            None => {
                let too_many = agreed && open.iter().any(|s| !before.contains(s)) && open.len() > 1;
                if !told {
                    frames::send(peer, SETTINGS, 0, 0, ONE_STREAM);
                    told = true;
                } else {
                    for stream in open.drain(..) {
                        answer(peer, stream, if too_many { WRONG } else { OK });
                    }
                }
            }
        }
    }
}

#[test]
fn a_lowered_limit_of_streams_is_obeyed() {
    let result = users(server::start(lower_the_limit), 4, 5, |_| {});
    assert_eq!(count(&result, "ok"), 20, "{} {}", result["counts"], result["errors_detail"]);
    let http2 = &result["http2"];
    let seen = (&http2["goaways"], &http2["connections"], &http2["resent"]);
    assert_eq!(seen, (&json!(0), &json!(1), &json!(0)));
}

#[test]
fn a_connection_on_which_nothing_comes_any_more_is_left() {
    static CONNECTIONS: AtomicU64 = AtomicU64::new(0);
    let port = server::start(|peer| {
        let first = CONNECTIONS.fetch_add(1, Ordering::SeqCst) == 0;
        peer.swallow(24);
        frames::send(peer, SETTINGS, 0, 0, b"");
        let mut answered = 0;
        while let Some(stream) = frames::request(peer) {
            if first && answered == 4 {
                return peer.hold();
            }
            answer(peer, stream, OK);
            answered += 1;
        }
    });
    let result = users(port, 2, 10, |spec| spec["timeout_s"] = json!(0.3));
    assert_eq!((count(&result, "ok"), count(&result, "timed_out")), (18, 2), "{result}");
    let http2 = &result["http2"];
    assert_eq!((&http2["connections"], &http2["abandoned"]), (&json!(2), &json!(1)));
}

#[test]
fn connections_closed_while_nobody_uses_them_are_counted() {
    let port = server::start(|peer| {
        peer.swallow(24);
        frames::send(peer, SETTINGS, 0, 0, b"");
        // Longer than a busy machine takes to connect, and far shorter than the load's pauses of
        // 333 ms.
        peer.wait_at_most(Duration::from_millis(60));
        while let Some(stream) = frames::request(peer) {
            answer(peer, stream, OK);
        }
    });
    let phases = json!([{"rate": 3.0, "duration_s": 2.0}]);
    let load = json!({"kind": "open", "connections": 1, "phases": phases});
    let result = run(&spec(port, load, |spec| spec["http2"] = json!({"streams": 2})));
    assert_eq!(count(&result, "ok"), 6, "{result}");
    assert!(result["connections_closed_idle"].as_u64().unwrap() >= 4, "{result}");
    assert!(result["connect_us"]["p50"].as_f64().unwrap() > 0.0);
}

/// Asks to leave, all streams up to `last` being answered yet.
fn goodbye(peer: &mut Peer, last: u32) {
    frames::send(peer, GOAWAY, 0, 0, &(u64::from(last) << 32).to_be_bytes());
}

#[test]
fn a_connection_whose_settings_never_come_is_replaced() {
    static CONNECTIONS: AtomicU64 = AtomicU64::new(0);
    let port = server::start(|peer| {
        let number = CONNECTIONS.fetch_add(1, Ordering::SeqCst);
        peer.swallow(24);
        if number == 1 {
            return peer.hold();
        }
        frames::send(peer, SETTINGS, 0, 0, b"");
        while let Some(stream) = frames::request(peer) {
            if number == 0 && stream == 5 {
                goodbye(peer, 7);
            }
            answer(peer, stream, OK);
        }
    });
    let result = users(port, 2, 6, |spec| spec["timeout_s"] = json!(0.3));
    let late = count(&result, "timed_out");
    assert!((1..=2).contains(&late) && count(&result, "ok") + late == 12, "{result}");
    let http2 = &result["http2"];
    assert_eq!((&http2["connections"], &http2["abandoned"]), (&json!(2), &json!(1)));
}

#[test]
fn silence_in_place_of_settings_is_named_for_each_stream() {
    let port = server::start(Peer::hold);
    let result = users(port, 4, 2, |spec| spec["timeout_s"] = json!(0.3));
    let told = result["errors_detail"].as_array().unwrap();
    assert_eq!(count(&result, "refused"), 8, "{told:?}");
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0]["detail"], "HTTP/2: no settings came in time");
}

const NO_STREAM: &[u8] = b"\0\x03\0\0\0\0";
pub const ALLOWS_NONE: &str = "HTTP/2: the server allows 0 streams per connection";

/// Allows no stream at all, on any connection.
fn allow_none(peer: &mut Peer) {
    peer.swallow(24);
    frames::send(peer, SETTINGS, 0, 0, NO_STREAM);
    peer.hold();
}

#[test]
fn a_server_that_allows_no_stream_is_named_as_the_cause_in_every_load() {
    let port = server::start(allow_none);
    let phases = json!([{"rate": 50.0, "duration_s": 0.3}]);
    for load in [
        json!({"kind": "closed", "connections": 2, "duration_s": 0.3}),
        json!({"kind": "open", "connections": 2, "phases": phases}),
        json!({"kind": "iterations", "users": 2, "iterations": 3}),
    ] {
        let result = run(&spec(port, load.clone(), |spec| {
            spec["http2"] = json!({"streams": 2});
            spec["timeout_s"] = json!(1.0);
        }));
        let told = &result["errors_detail"];
        let about = format!("{load} {} {told}", result["counts"]);
        assert!(count(&result, "refused") > 0 && count(&result, "sent") == 0, "{about}");
        let told = told.as_array().unwrap();
        assert!(told.len() == 1 && told[0]["detail"] == ALLOWS_NONE, "{about}");
    }
}

#[test]
fn a_server_that_allows_no_stream_at_first_is_waited_for() {
    let port = server::start(|peer| {
        peer.swallow(24);
        frames::send(peer, SETTINGS, 0, 0, NO_STREAM);
        std::thread::sleep(Duration::from_millis(100));
        frames::send(peer, SETTINGS, 0, 0, ONE_STREAM);
        while let Some(stream) = frames::request(peer) {
            answer(peer, stream, OK);
        }
    });
    let result = users(port, 1, 5, |_| {});
    assert_eq!((count(&result, "ok"), count(&result, "offered")), (5, 5), "{result}");
    assert_eq!(result["http2"]["connections"], json!(1));
}
