//! Servers that close connections which are not used.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::run::{count, run, spec};
use crate::server::{self, HELLO};

#[test]
fn a_server_that_closes_idle_connections_makes_no_request_late() {
    let port = server::start(|peer| {
        peer.wait_at_most(Duration::from_millis(20));
        while peer.request() && peer.write(HELLO) {}
    });
    // Rarer than the server's patience, and out of step with the engine's ticks.
    let phases = json!([{"rate": 7.0, "duration_s": 1.0}]);
    let load = json!({"kind": "open", "connections": 2, "phases": phases});
    let result = run(&spec(port, load, |_| {}));
    assert_eq!((count(&result, "offered"), count(&result, "ok")), (7, 7), "{result}");
    let lag = result["send_lag_us"]["p50"].as_f64().unwrap();
    assert!(lag < 20_000.0, "half of the requests were sent more than {lag} µs late");
}

#[test]
fn no_request_goes_to_a_connection_that_the_server_may_have_given_up() {
    let port = server::start(|peer| {
        let mut used = Instant::now();
        // As it is when the request and the end of the server's patience cross.
        while peer.request() && used.elapsed() < Duration::from_millis(1_500) {
            used = Instant::now();
            if !peer.write(HELLO) {
                return;
            }
        }
    });
    // In turn, each of the 64 connections would be idle for 3.2 s.
    let phases = json!([{"rate": 20.0, "duration_s": 3.0}]);
    let load = json!({"kind": "open", "connections": 64, "phases": phases});
    let result = run(&spec(port, load, |_| {}));
    assert_eq!((count(&result, "offered"), count(&result, "ok")), (60, 60), "{result}");
    let used = result["connections_opened"].as_u64().unwrap();
    assert_eq!(used, 64, "the others stay open for a burst");
}
