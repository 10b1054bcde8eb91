//! Answers of every legal form count as ok.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value, json};

use crate::run::{count, run, spec};
use crate::server::{Server, answer, hello};

fn iterations(users: u64, iterations: u64) -> Value {
    json!({"kind": "iterations", "users": users, "iterations": iterations})
}

#[test]
fn a_server_that_closes_each_connection() {
    let server = Server::start(|mut peer| {
        peer.request();
        peer.write(&answer(200, "Connection: close\r\n", "Hello World"));
    });
    let result = run(&spec(server.port, iterations(3, 20), |_| {}));
    assert_eq!(count(&result, "ok"), 60);
    assert_eq!(result["connections_opened"], 60);
}

#[test]
fn a_body_that_ends_with_the_connection() {
    let server = Server::start(|mut peer| {
        peer.request();
        peer.write(b"HTTP/1.0 200 OK\r\n\r\nHello ");
        sleep(Duration::from_millis(5));
        peer.write(b"World");
    });
    let result = run(&spec(server.port, iterations(2, 10), |_| {}));
    assert_eq!(count(&result, "ok"), 20);
}

#[test]
fn chunks_in_pieces() {
    let server = Server::start(|mut peer| {
        while peer.request().is_some() {
            peer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nHel");
            sleep(Duration::from_millis(2));
            peer.write(b"lo \r\n5;x=y\r\nWorld\r\n0\r\nTrailer: t\r\n");
            sleep(Duration::from_millis(2));
            peer.write(b"\r\n");
        }
    });
    let result = run(&spec(server.port, iterations(2, 10), |_| {}));
    assert_eq!(count(&result, "ok"), 20, "{}", result["errors_detail"]);
}

#[test]
fn large_bodies_are_checked_whole() {
    let body = "0123456789".repeat(100_000);
    let server = Server::answering(move |_| answer(200, "", &body));
    let result = run(&spec(server.port, iterations(4, 10), |spec| {
        spec["requests"][0]["checks"] = json!([
            {"kind": "matches", "pattern": "^(0123456789){3}"},
            {"kind": "length", "min": 1_000_000, "max": 1_000_000},
        ]);
    }));
    assert_eq!(count(&result, "ok"), 40, "{}", result["errors_detail"]);
    assert!(result["bytes_received"].as_u64().unwrap() > 40_000_000);
}

#[test]
fn large_requests_arrive_whole() {
    let server = Server::answering(|request| {
        // Slow to read on: the client's socket fills up, and must wait for room.
        sleep(Duration::from_millis(2));
        let body = request.split("\r\n\r\n").nth(1).unwrap_or_default();
        answer(200, "", &format!("{}", body.bytes().filter(|byte| *byte == b'x').count()))
    });
    let size = 8_000_000;
    let result = run(&spec(server.port, iterations(2, 2), |spec| {
        spec["requests"][0]["method"] = json!("POST");
        spec["requests"][0]["body"] = json!("x".repeat(size));
        spec["requests"][0]["checks"] = json!([{"kind": "equals", "text": size.to_string()}]);
    }));
    assert_eq!(count(&result, "ok"), 4, "{}", result["errors_detail"]);
}

#[test]
fn head_answers_have_no_body() {
    let server = Server::answering(|_| b"HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n".to_vec());
    let result = run(&spec(server.port, iterations(1, 10), |spec| {
        spec["requests"][0]["method"] = json!("HEAD");
        spec["requests"][0]["checks"] = json!([]);
    }));
    assert_eq!(count(&result, "ok"), 10);
}

#[test]
fn idle_connections_that_the_server_closes_are_opened_again() {
    // Closes after each answer without saying so.
    let server = Server::start(|mut peer| {
        peer.request();
        peer.write(&hello());
    });
    let phases = json!([{"rate": 20.0, "duration_s": 1.0}]);
    let load = json!({"kind": "open", "connections": 4, "phases": phases});
    let result = run(&spec(server.port, load, |_| {}));
    // On a busy machine a close may cross a request, which is then reset, as it should be.
    let ok = count(&result, "ok");
    assert!(ok >= 18, "{}", result["errors_detail"]);
    assert_eq!(ok + count(&result, "reset"), 20);
    assert!(result["connections_opened"].as_u64().unwrap() >= 20);
}

#[test]
fn connections_closed_unused_are_opened_when_they_are_needed() {
    // The first connection of all is dropped at once, as by a server with too few places.
    let opened = AtomicU64::new(0);
    let server = Server::start(move |mut peer| {
        if opened.fetch_add(1, Ordering::SeqCst) == 0 {
            return;
        }
        while peer.request().is_some() {
            peer.write(&hello());
        }
    });
    let phases = json!([{"rate": 50.0, "duration_s": 0.4}]);
    let load = json!({"kind": "open", "connections": 1, "phases": phases});
    let result = run(&spec(server.port, load, |_| {}));
    assert_eq!(count(&result, "offered"), 20);
    assert_eq!(count(&result, "ok") + count(&result, "reset"), 20);
    assert!(count(&result, "ok") >= 19, "{}", result["errors_detail"]);
}

#[test]
fn what_comes_after_the_end_of_a_closed_load_is_not_received_in_its_time() {
    let first = AtomicU64::new(1);
    let large = answer(200, "", &"x".repeat(100_000));
    let server = Server::start(move |mut peer| {
        while peer.request().is_some() {
            if first.swap(0, Ordering::SeqCst) == 1 {
                peer.write(&hello());
            } else {
                sleep(Duration::from_millis(900));
                peer.write(&large);
            }
        }
    });
    let load = json!({"kind": "closed", "connections": 1, "duration_s": 0.4});
    let result = run(&spec(server.port, load, |spec| {
        spec["requests"][0]["checks"] = json!([{"kind": "status", "equals": 200}]);
    }));
    assert_eq!((count(&result, "ok"), count(&result, "unfinished")), (1, 1), "{result}");
    assert_eq!(result["bytes_received"], hello().len());
}
