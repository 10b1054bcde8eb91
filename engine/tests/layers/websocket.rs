//! WebSocket against another maker's library, with and without TLS.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rustls::version::TLS13;
use serde_json::{Value, json};
use tungstenite::Message;
use webdyno_engine::run::Load;

use crate::certificate::Certificate;
use crate::echo::{self, Peer, echo, text, write};
use crate::run::{count, reactors, run, spec};

/// The specification of a load of messages with a number, each of which must come back.
fn messages(port: u16, load: Value, change: impl FnOnce(&mut Value)) -> Value {
    spec(port, load, |spec| {
        spec["variables"] = json!({"n": {"kind": "int", "min": 0, "max": 999_999}});
        spec["requests"] = json!([{
            "name": "echo", "path": "/ws", "websocket": true, "message": "No. {n} ä",
            "checks": [{"kind": "equals", "text": "No. {n} ä"}],
        }]);
        change(spec);
    })
}

fn iterations(users: u64, iterations: u64) -> Value {
    json!({"kind": "iterations", "users": users, "iterations": iterations})
}

fn upgrades(result: &Value) -> u64 {
    result["websocket"]["upgrades"].as_u64().unwrap()
}

#[test]
fn every_shape_of_load_sends_messages_over_connections_that_stay() {
    let phases = json!([{"rate": 400.0, "duration_s": 0.5}]);
    for load in [
        json!({"kind": "closed", "connections": 4, "duration_s": 0.3}),
        json!({"kind": "open", "connections": 4, "phases": phases}),
        iterations(4, 50),
    ] {
        for reactor in reactors() {
            let port = echo::start(None, echo);
            let result = run(&messages(port, load.clone(), |spec| {
                spec["threads"] = json!(2);
                spec["reactor"] = json!(reactor);
            }));
            let (ok, sent) = (count(&result, "ok"), count(&result, "sent"));
            assert_eq!(ok + count(&result, "unfinished"), sent, "{}", result["errors_detail"]);
            assert!(ok > 20, "{result}");
            assert_eq!((upgrades(&result), &result["connections_opened"]), (4, &json!(4)));
            assert_eq!(result["protocol"], "WebSocket");
            // A frame of a message has 6 bytes beside, one of an answer 2.
            let read = result["bytes_received"].as_u64().unwrap();
            assert!(read > 8 * ok && result["bytes_sent"].as_u64().unwrap() > read, "{result}");
        }
    }
}

#[test]
fn each_connection_is_closed_with_a_word() {
    for reactor in reactors() {
        let closes = Arc::new(AtomicU64::new(0));
        let seen = Arc::clone(&closes);
        let port = echo::start(None, move |mut peer: Peer| {
            loop {
                match peer.read() {
                    Ok(Message::Close(Some(frame))) if u16::from(frame.code) == 1000 => {
                        seen.fetch_add(1, Ordering::SeqCst);
                    }
                    Ok(said) => _ = peer.send(said),
                    Err(_) => return,
                }
            }
        });
        let result =
            run(&messages(port, iterations(20, 5), |spec| spec["reactor"] = json!(reactor)));
        assert_eq!((count(&result, "ok"), upgrades(&result)), (100, 20), "{result}");
        let until = Instant::now() + Duration::from_secs(10);
        while closes.load(Ordering::SeqCst) < 20 && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(closes.load(Ordering::SeqCst), 20, "{reactor}");
    }
}

#[test]
fn messages_go_over_tls() {
    let certificate = Certificate::good();
    let port = echo::start(Some(certificate.server(&["http/1.1"], &[&TLS13])), echo);
    let result = run(&messages(port, iterations(3, 40), |spec| {
        spec["target"]["tls"] = json!({"ca_file": certificate.file});
    }));
    assert_eq!((count(&result, "ok"), upgrades(&result)), (120, 3), "{result}");
    assert_eq!(result["tls"]["full_handshakes"], 3);
}

#[test]
fn messages_of_every_length_come_back() {
    let port = echo::start(None, echo);
    for length in [0, 1, 125, 126, 65_535, 65_536, 1_000_000] {
        let message = "x".repeat(length);
        let result = run(&messages(port, iterations(2, 5), |spec| {
            spec["requests"][0]["message"] = json!(message);
            spec["requests"][0]["checks"] = json!([
                {"kind": "equals", "text": message},
                {"kind": "length", "min": length, "max": length},
            ]);
        }));
        assert_eq!(count(&result, "ok"), 10, "{length}: {}", result["errors_detail"]);
    }
}

#[test]
fn each_user_sends_the_messages_in_turn_and_is_counted_by_name() {
    let port = echo::start(None, |mut peer: Peer| {
        let mut number = 0;
        while let Some(said) = text(&mut peer) {
            number += 1;
            if peer.send(Message::text(format!("{said} {number}"))).is_err() {
                return;
            }
        }
    });
    let result = run(&messages(port, iterations(3, 10), |spec| {
        let named = |name: &str| {
            json!({"name": name, "path": "/ws", "websocket": true, "message": name,
                   "checks": [{"kind": "contains", "text": name},
                              {"kind": "matches", "pattern": "^[ab] [0-9]+$"}]})
        };
        spec["requests"] = json!([named("a"), named("b")]);
    }));
    assert_eq!(count(&result, "ok"), 30, "{}", result["errors_detail"]);
    assert_eq!(result["by_request"][1]["counts"]["ok"], 15);
}

#[test]
fn fragments_and_pings_between_them_are_one_answer() {
    let pongs = Arc::new(AtomicU64::new(0));
    let seen = Arc::clone(&pongs);
    let port = echo::start(None, move |mut peer: Peer| {
        loop {
            match peer.read() {
                Ok(Message::Text(text)) => {
                    // In two pieces, the second one cut within a character.
                    let (start, end) = text.as_bytes().split_at(text.len() - 1);
                    let mut bytes = vec![0x89, 4, b'p', b'i', b'n', b'g', 0x01, start.len() as u8];
                    bytes.extend_from_slice(start);
                    write(&mut peer, &bytes);
                    bytes = vec![0x8a, 0, 0x00, 0, 0x89, 0, 0x80, end.len() as u8];
                    bytes.extend_from_slice(end);
                    write(&mut peer, &bytes);
                }
                Ok(Message::Pong(payload)) if payload.len() == 4 || payload.is_empty() => {
                    seen.fetch_add(1, Ordering::SeqCst);
                }
                Ok(_) => {}
                Err(_) => return,
            }
        }
    });
    let result = run(&messages(port, iterations(2, 20), |_| {}));
    assert_eq!(count(&result, "ok"), 40, "{}", result["errors_detail"]);
    assert_eq!(result["websocket"]["pings"], 80);
    // Of two that came together, the second is answered; the last ones may be on their way.
    assert!(pongs.load(Ordering::SeqCst) >= 36);
}

#[test]
fn a_wrong_answer_fails_its_check_and_the_connection_stays() {
    let port = echo::start(None, |mut peer: Peer| {
        while let Some(said) = text(&mut peer) {
            let answer = if said.contains('7') { "No. 7".to_owned() } else { said };
            if peer.send(Message::text(answer)).is_err() {
                return;
            }
        }
    });
    let result = run(&messages(port, iterations(2, 200), |_| {}));
    let (ok, failed) = (count(&result, "ok"), count(&result, "failed_check"));
    assert!(ok > 0 && failed > 0 && ok + failed == 400, "{result}");
    assert_eq!(upgrades(&result), 2);
}

#[test]
fn answers_are_kept_for_the_audit_as_they_came() {
    let port = echo::start(None, echo);
    let result = run(&messages(port, iterations(2, 5), |spec| {
        spec["audit"] = json!({"samples": 4});
    }));
    let samples = result["samples"].as_array().unwrap();
    assert_eq!(samples.len(), 4);
    assert!(samples.iter().all(|sample| sample["status"] == 101 && sample["headers"] == json!([])));
}

#[test]
fn variables_are_refused_where_a_connection_is_upgraded() {
    let spec = messages(9, iterations(1, 1), |spec| {
        spec["requests"][0]["path"] = json!("/ws?{n}");
    });
    let error = Load::new(&spec.to_string()).unwrap_err();
    assert!(error.starts_with("request 'echo': path, headers: "), "{error}");
}
