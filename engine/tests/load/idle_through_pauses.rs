//! Servers close connections that idle while others have their turn: no fault of theirs.

use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use webdyno_engine::run::Load;

use crate::run::{count, reactors, result, spec};
use crate::server::{Peer, Server, hello};

const PAUSE: Duration = Duration::from_millis(1300);
const PATIENCE: Duration = Duration::from_secs(20);
const CONNECTIONS: u64 = 4;

fn closed() -> Value {
    json!({"kind": "closed", "connections": CONNECTIONS, "duration_s": 0.3})
}

fn open() -> Value {
    let phases = json!([{"rate": 200.0, "duration_s": 0.3}]);
    json!({"kind": "open", "connections": CONNECTIONS, "arrivals": "uniform", "phases": phases})
}

/// Makes a load with one pause in it.
fn paused(port: u16, load: &Value, method: &str, reactor: &str) -> Value {
    let spec = spec(port, load.clone(), |spec| {
        spec["reactor"] = json!(reactor);
        spec["requests"][0]["method"] = json!(method);
    });
    let load = Load::new(&spec.to_string()).unwrap();
    load.start().unwrap();
    let end = Instant::now() + PATIENCE;
    while load.progress().ok_total < 3 * CONNECTIONS {
        assert!(Instant::now() < end, "no answers came");
        sleep(Duration::from_millis(1));
    }
    load.pause();
    sleep(PAUSE);
    load.resume();
    assert!(load.wait(PATIENCE));
    result(&load)
}

#[test]
fn what_the_server_closed_meanwhile_is_not_used_again() {
    let server = Server::start(|mut peer| {
        peer.set_patience(PAUSE / 3);
        while peer.request().is_some() && peer.write(&hello()) {}
    });
    for reactor in reactors() {
        for load in [closed(), open()] {
            let result = paused(server.port, &load, "POST", reactor);
            assert_eq!(count(&result, "reset"), 0, "{reactor}: {result}");
            assert_eq!(result["connections_closed_idle"], CONNECTIONS, "{reactor}: {result}");
            assert_eq!(result["connections_opened"], 2 * CONNECTIONS, "{reactor}: {result}");
        }
    }
}

/// Closes a connection at the first request after it idled, as if the two had crossed.
fn close_after_idling(mut peer: Peer) {
    loop {
        let began = Instant::now();
        if peer.request().is_none() || began.elapsed() > PAUSE / 2 || !peer.write(&hello()) {
            return;
        }
    }
}

#[test]
fn a_request_that_crossed_the_close_is_sent_again_where_it_may_be() {
    let server = Server::start(close_after_idling);
    for reactor in reactors() {
        for load in [closed(), open()] {
            for method in ["GET", "POST"] {
                let result = paused(server.port, &load, method, reactor);
                let closed = result["connections_opened"].as_u64().unwrap() - CONNECTIONS;
                // An open load does not need all of them.
                assert!(
                    closed == CONNECTIONS || (load["kind"] == "open" && closed > 0),
                    "{result}"
                );
                let lost = count(&result, "reset");
                let idle = result["connections_closed_idle"].as_u64().unwrap();
                if method == "GET" {
                    assert_eq!((lost, idle), (0, closed), "{reactor}: {result}");
                } else {
                    // One that is lost at the end is not opened again.
                    assert!((closed..=CONNECTIONS).contains(&lost), "{reactor}: {result}");
                    assert_eq!(idle, 0, "{reactor}: {result}");
                }
            }
        }
    }
}

#[test]
fn one_that_is_closed_at_every_request_fails_once_it_was_sent_again() {
    let idle = std::sync::atomic::AtomicBool::new(false);
    let server = Server::start(move |mut peer| {
        use std::sync::atomic::Ordering::SeqCst;
        loop {
            let began = Instant::now();
            if peer.request().is_none() {
                return;
            }
            idle.fetch_or(began.elapsed() > PAUSE / 2, SeqCst);
            if idle.load(SeqCst) || !peer.write(&hello()) {
                return;
            }
        }
    });
    let result = paused(server.port, &open(), "GET", "epoll");
    let (ok, reset) = (count(&result, "ok"), count(&result, "reset"));
    assert!(ok > 0 && reset > 0, "{result}");
    assert_eq!(ok + reset, count(&result, "sent"), "{result}");
}
