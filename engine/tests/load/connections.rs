//! What connections cost, and what becomes of those nobody uses.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::run::{count, reactors, run, spec};
use crate::server::{Server, answer, hello};

#[test]
fn a_request_that_asks_for_it_ends_its_connection_though_the_server_would_not() {
    for reactor in reactors() {
        for (header, opened) in [("close", 12), ("keep-alive, Close", 12), ("keep-alive", 2)] {
            let server = Server::answering(|_| hello());
            let load = json!({"kind": "iterations", "users": 2, "iterations": 6});
            let result = run(&spec(server.port, load, |spec| {
                spec["reactor"] = json!(reactor);
                spec["requests"][0]["headers"] = json!([["Connection", header]]);
            }));
            assert_eq!(count(&result, "ok"), 12, "{reactor}, {header}: {result}");
            assert_eq!(result["connections_opened"], opened, "{reactor}, {header}");
        }
    }
}

#[test]
fn only_the_request_that_says_so_ends_its_connection() {
    let server = Server::answering(|_| hello());
    let load = json!({"kind": "iterations", "users": 1, "iterations": 10});
    let result = run(&spec(server.port, load, |spec| {
        spec["requests"] = json!([
            {"name": "stays", "path": "/"},
            {"name": "leaves", "path": "/", "headers": [["connection", "close"]]},
        ]);
    }));
    assert_eq!((count(&result, "ok"), &result["connections_opened"]), (10, &json!(5)));
}

#[test]
fn reconnecting_is_in_the_latency_of_a_closed_load() {
    let gone = Arc::new(AtomicU64::new(0));
    let seen = Arc::clone(&gone);
    let server = Server::start(move |mut peer| {
        seen.fetch_add(1, Ordering::SeqCst);
        if peer.request().is_some() {
            peer.write(&answer(200, "Connection: close\r\n", "Hello World"));
        }
    });
    let load = json!({"kind": "iterations", "users": 4, "iterations": 25});
    let result = run(&spec(server.port, load, |_| {}));
    assert_eq!((count(&result, "ok"), gone.load(Ordering::SeqCst)), (100, 100));
    // Every request but each user's first waited for a connection, which is in its latency but not
    // in the time from its sending.
    let of = |key: &str, what: &str| result[key][what].as_f64().unwrap();
    let (lag, connect) = (of("send_lag_us", "p50"), of("connect_us", "p50"));
    assert!(connect > 0.0 && lag > 0.5 * connect, "{lag} µs beside {connect} µs");
    let lag = of("send_lag_us", "mean");
    let between = of("latency_us", "mean") - of("latency_from_send_us", "mean");
    assert!((between - lag).abs() < 0.05 * lag + 1.0, "{between} µs beside {lag} µs");
}

#[test]
fn a_server_of_one_connection_at_a_time_is_not_kept_waiting_by_idle_ones() {
    for reactor in reactors() {
        let server = OneAtATime::start();
        // At the lowest rate, all connections have been idle for long when the first request is due.
        for (rate, seconds, threads) in [(0.4, 5.0, 1), (40.0, 1.0, 1), (400.0, 1.0, 2)] {
            let phases = json!([{"rate": rate, "duration_s": seconds}]);
            let load = json!({"kind": "open", "connections": 64, "phases": phases});
            let result = run(&spec(server.port, load, |spec| {
                spec["reactor"] = json!(reactor);
                spec["threads"] = json!(threads);
                spec["timeout_s"] = json!(2.0);
            }));
            assert_eq!(
                count(&result, "ok"),
                (seconds * rate) as u64,
                "{reactor}, {rate}: {result}"
            );
            assert!(result["send_lag_us"]["p50"].as_f64().unwrap() < 20_000.0, "{rate}: {result}");
        }
    }
}

/// Accepts a connection, waits for its request, answers and ends it; then accepts the next.
struct OneAtATime {
    port: u16,
}

impl OneAtATime {
    fn start() -> OneAtATime {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        std::thread::spawn(move || {
            for mut peer in listener.incoming().flatten() {
                let mut head = [0; 4096];
                if peer.read(&mut head).is_ok_and(|read| read > 0) {
                    let _ = peer.write_all(&answer(200, "Connection: close\r\n", "Hello World"));
                }
            }
        });
        OneAtATime { port }
    }
}

#[test]
fn what_happens_on_idle_connections_is_counted() {
    for reactor in reactors() {
        // Closes each connection 20 ms after its answer, or says something nobody asked for.
        let number = AtomicU64::new(0);
        let server = Server::start(move |mut peer| {
            let stray = number.fetch_add(1, Ordering::SeqCst).is_multiple_of(2);
            if peer.request().is_some() {
                peer.write(&hello());
                sleep(Duration::from_millis(20));
                if stray {
                    peer.write(&hello());
                    sleep(Duration::from_millis(200));
                }
            }
        });
        let phases = json!([{"rate": 10.0, "duration_s": 1.0}]);
        let load = json!({"kind": "open", "connections": 2, "phases": phases});
        let result = run(&spec(server.port, load, |spec| spec["reactor"] = json!(reactor)));
        assert_eq!(count(&result, "ok"), 10, "{reactor}: {result}");
        let at = |key: &str| result[key].as_u64().unwrap();
        assert!(at("connections_closed_idle") >= 2, "{reactor}: {result}");
        assert!(at("connections_unsolicited") >= 2, "{reactor}: {result}");
    }
}

#[test]
fn the_first_byte_is_earlier_than_the_last() {
    const PAUSE: Duration = Duration::from_millis(40);
    let server = Server::start(|mut peer| {
        while peer.request().is_some() {
            let answer = hello();
            peer.write(&answer[..30]);
            sleep(PAUSE);
            peer.write(&answer[30..]);
        }
    });
    for load in [
        json!({"kind": "iterations", "users": 2, "iterations": 4}),
        json!({"kind": "open", "connections": 2, "phases": [{"rate": 8.0, "duration_s": 1.0}]}),
    ] {
        let result = run(&spec(server.port, load, |_| {}));
        let at = |key: &str| result[key]["min"].as_f64().unwrap();
        assert_eq!(count(&result, "ok"), 8);
        assert!(at("latency_from_send_us") >= PAUSE.as_micros() as f64, "{result}");
        assert!(at("first_byte_us") < at("latency_from_send_us") / 2.0, "{result}");
    }
}

#[test]
fn an_answer_in_one_piece_has_its_first_byte_with_the_last() {
    let server = Server::answering(|_| hello());
    let load = json!({"kind": "iterations", "users": 1, "iterations": 20});
    let begun = Instant::now();
    let result = run(&spec(server.port, load, |_| {}));
    assert_eq!(result["first_byte_us"], result["latency_from_send_us"]);
    let connect = result["connect_us"]["p50"].as_f64().unwrap();
    assert!(connect > 0.0 && connect < begun.elapsed().as_micros() as f64);
}

#[test]
fn each_request_name_has_its_own_figures() {
    let server = Server::answering(|request| {
        if request.starts_with("GET /slow") {
            sleep(Duration::from_millis(20));
        }
        if request.starts_with("GET /wrong") { answer(500, "", "") } else { hello() }
    });
    let load = json!({"kind": "iterations", "users": 2, "iterations": 8});
    let result = run(&spec(server.port, load, |spec| {
        spec["requests"] = json!([
            {"name": "quick", "path": "/"},
            {"name": "slow", "path": "/slow"},
            {"name": "wrong", "path": "/wrong"},
            {"name": "quick", "path": "/again"},
        ]);
    }));
    let names = result["by_request"].as_array().unwrap();
    let named: Vec<_> = names.iter().map(|name| name["name"].as_str().unwrap()).collect();
    assert_eq!(named, ["quick", "slow", "wrong"]);
    let count = |name: usize, kind: &str| names[name]["counts"][kind].as_u64().unwrap();
    assert_eq!((count(0, "sent"), count(0, "ok")), (8, 8));
    assert_eq!((count(1, "sent"), count(1, "ok")), (4, 4));
    assert_eq!((count(2, "sent"), count(2, "ok"), count(2, "wrong_status")), (4, 0, 4));
    let p50 = |name: usize| names[name]["latency_us"]["p50"].as_f64().unwrap();
    assert!(p50(1) >= 20_000.0 && p50(0) < p50(1) && p50(2) == 0.0, "{names:?}");
}

#[test]
fn what_was_lost_counts_as_infinitely_late_in_an_open_load() {
    // Every tenth request is never answered.
    let number = AtomicU64::new(0);
    let server = Server::start(move |mut peer| {
        while peer.request().is_some() {
            if number.fetch_add(1, Ordering::SeqCst) % 10 == 9 {
                sleep(Duration::from_millis(400));
                return;
            }
            peer.write(&hello());
        }
    });
    let phases = json!([{"rate": 100.0, "duration_s": 1.0}]);
    let load = json!({"kind": "open", "connections": 40, "phases": phases});
    let result = run(&spec(server.port, load, |spec| spec["timeout_s"] = json!(0.2)));
    let lost = count(&result, "offered") - count(&result, "ok");
    assert!((9..30).contains(&lost), "{}", result["counts"]);
    let all = &result["latency_with_lost_us"];
    assert_eq!((&all["lost"], &all["p99"]), (&json!(lost), &json!(null)));
    assert!(all["p50"].as_f64().unwrap() >= result["latency_us"]["p50"].as_f64().unwrap());
    assert!(result["latency_us"]["p99"].as_f64().unwrap() < 200_000.0, "the answers' own");

    let load = json!({"kind": "iterations", "users": 1, "iterations": 1});
    assert_eq!(run(&spec(server.port, load, |_| {}))["latency_with_lost_us"], json!(null));
}

#[test]
fn an_ipv6_address_has_its_brackets_once() {
    let Ok(listener) = std::net::TcpListener::bind("[::1]:0") else { return };
    let port = listener.local_addr().unwrap().port();
    let seen = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut piece = [0; 4096];
        let count = stream.read(&mut piece).unwrap();
        stream.write_all(&hello()).unwrap();
        String::from_utf8_lossy(&piece[..count]).into_owned()
    });
    let load = json!({"kind": "iterations", "users": 1, "iterations": 1});
    let result = run(&spec(port, load, |spec| spec["target"]["host"] = json!("[::1]")));
    assert_eq!(count(&result, "ok"), 1, "{result}");
    let request = seen.join().unwrap();
    assert!(request.contains(&format!("Host: [::1]:{port}\r\n")), "{request}");
}
