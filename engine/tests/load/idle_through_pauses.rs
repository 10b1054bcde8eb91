//! Servers close connections that idle while others have their turn: no fault of theirs.
//!
//! Nothing here depends on how soon a thread runs: loads last until the test has seen what it waits
//! for, and the server acts when the test tells it to.

use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use webdyno_engine::record::result::LoadPhase;
use webdyno_engine::run::Load;

use crate::run::{count, reactors, result, spec};
use crate::server::{Peer, Server, hello};

/// Longer than a connection has to idle before the engine expects its end.
const PAUSE: Duration = Duration::from_millis(1300);
const PATIENCE: Duration = Duration::from_secs(20);
const LONG_S: f64 = 60.0;
const CONNECTIONS: u64 = 4;

/// What the server and the test tell each other.
#[derive(Default)]
struct Told {
    /// Connections that the server accepted before the pause.
    early: AtomicU64,
    answers: AtomicU64,
    /// Whether requests get no answer for now, and how many wait for theirs.
    held: AtomicBool,
    waiting: AtomicU64,
    /// Whether whatever comes now was sent after the pause.
    over: AtomicBool,
    /// Early connections that the server closed at their first request after the pause.
    crossed: AtomicU64,
    /// Connections that were opened after the pause and have had an answer.
    reopened: AtomicU64,
}

impl Told {
    fn is_over(&self) -> bool {
        self.over.load(SeqCst)
    }

    /// Answers a request; whether the client still took it.
    fn answer(&self, peer: &mut Peer) -> bool {
        self.waiting.fetch_add(1, SeqCst);
        until("answers are no longer held", || !self.held.load(SeqCst));
        self.waiting.fetch_sub(1, SeqCst);
        self.answers.fetch_add(1, SeqCst);
        peer.write(&hello())
    }

    /// Answers every request of a connection that was opened after the pause, but none before
    /// `may_answer`.
    fn answer_anew(&self, mut peer: Peer, may_answer: impl Fn() -> bool) {
        let mut first = true;
        while peer.request().is_some() {
            until("a request may be answered", &may_answer);
            if !self.answer(&mut peer) {
                return;
            }
            self.reopened.fetch_add(u64::from(std::mem::take(&mut first)), SeqCst);
        }
    }
}

fn until(what: &str, is_so: impl Fn() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < end, "not in time: {what}");
        sleep(Duration::from_millis(1));
    }
}

fn closed() -> Value {
    json!({"kind": "closed", "connections": CONNECTIONS, "duration_s": LONG_S})
}

fn open(duration_s: f64) -> Value {
    let phases = json!([{"rate": 200.0, "duration_s": duration_s}]);
    json!({"kind": "open", "connections": CONNECTIONS, "arrivals": "uniform", "phases": phases})
}

/// A load that is under way.
fn begun(port: u16, load: &Value, method: &str, reactor: &str) -> Load {
    let spec = spec(port, load.clone(), |spec| {
        spec["reactor"] = json!(reactor);
        spec["timeout_s"] = json!(PATIENCE.as_secs_f64());
        spec["requests"][0]["method"] = json!(method);
    });
    let load = Load::new(&spec.to_string()).unwrap();
    load.start().unwrap();
    until("answers", || load.progress().ok_total >= 3 * CONNECTIONS);
    load
}

/// Pauses a load; once the last answers have been given, `act`s and lets the connections idle.
fn idle(load: &Load, told: &Told, act: impl FnOnce()) {
    load.pause();
    told.held.store(false, SeqCst);
    until("all connections accepted, all requests answered", || {
        told.early.load(SeqCst) == CONNECTIONS
            && told.answers.load(SeqCst) == load.progress().counts.sent
    });
    act();
    sleep(PAUSE);
    told.over.store(true, SeqCst);
    load.resume();
}

/// Ends a load once all of its connections have been opened anew and used.
fn ended(load: &Load, told: &Told) -> Value {
    until("all connections in use again", || told.reopened.load(SeqCst) == CONNECTIONS);
    load.stop();
    assert!(load.wait(PATIENCE));
    result(load)
}

#[test]
fn what_the_server_closed_meanwhile_is_not_used_again() {
    for reactor in reactors() {
        for load in [closed(), open(LONG_S)] {
            let (told, early) = (Arc::<Told>::default(), Arc::<Mutex<Vec<TcpStream>>>::default());
            let server = Server::start({
                let (told, early) = (told.clone(), early.clone());
                move |mut peer| {
                    if told.is_over() {
                        return told.answer_anew(peer, || true);
                    }
                    early.lock().unwrap().push(peer.shared());
                    told.early.fetch_add(1, SeqCst);
                    while peer.request().is_some() && told.answer(&mut peer) {}
                }
            });
            let load = begun(server.port, &load, "POST", reactor);
            idle(&load, &told, || {
                let early = std::mem::take(&mut *early.lock().unwrap());
                early.iter().for_each(|stream| stream.shutdown(Shutdown::Both).unwrap());
            });
            let result = ended(&load, &told);
            assert_eq!(count(&result, "reset"), 0, "{reactor}: {result}");
            assert_eq!(result["connections_closed_idle"], CONNECTIONS, "{reactor}: {result}");
            assert_eq!(result["connections_opened"], 2 * CONNECTIONS, "{reactor}: {result}");
        }
    }
}

/// Closes a connection at the first request after it idled, as if the two had crossed. Until all
/// have been, those that are opened anew get no answers, so that the load needs each of them.
fn close_after_idling(mut peer: Peer, told: &Told) {
    let all_crossed = || told.crossed.load(SeqCst) == CONNECTIONS;
    if told.is_over() {
        return told.answer_anew(peer, all_crossed);
    }
    told.early.fetch_add(1, SeqCst);
    while peer.request().is_some() {
        if told.is_over() {
            told.crossed.fetch_add(1, SeqCst);
            return;
        }
        if !told.answer(&mut peer) {
            return;
        }
    }
}

#[test]
fn a_request_that_crossed_the_close_is_sent_again_where_it_may_be() {
    for reactor in reactors() {
        for load in [closed(), open(LONG_S)] {
            for method in ["GET", "POST"] {
                let told = Arc::<Told>::default();
                let theirs = told.clone();
                let server = Server::start(move |peer| close_after_idling(peer, &theirs));
                let load = begun(server.port, &load, method, reactor);
                idle(&load, &told, || ());
                let result = ended(&load, &told);
                assert_eq!(result["connections_opened"], 2 * CONNECTIONS, "{reactor}: {result}");
                let lost = count(&result, "reset");
                let idle = result["connections_closed_idle"].as_u64().unwrap();
                let expected = if method == "GET" { (0, CONNECTIONS) } else { (CONNECTIONS, 0) };
                assert_eq!((lost, idle), expected, "{reactor}: {method}: {result}");
            }
        }
    }
}

#[test]
fn who_was_answered_within_the_pause_idled_through_it_too() {
    for reactor in reactors() {
        let told = Arc::<Told>::default();
        let theirs = told.clone();
        let server = Server::start(move |peer| close_after_idling(peer, &theirs));
        let load = begun(server.port, &open(LONG_S), "GET", reactor);
        told.held.store(true, SeqCst);
        until("all wait for an answer", || told.waiting.load(SeqCst) == CONNECTIONS);
        idle(&load, &told, || ());
        let result = ended(&load, &told);
        assert_eq!(count(&result, "reset"), 0, "{reactor}: {result}");
        assert_eq!(result["connections_closed_idle"], CONNECTIONS, "{reactor}: {result}");
    }
}

#[test]
fn one_that_is_closed_at_every_request_fails_once_it_was_sent_again() {
    let told = Arc::<Told>::default();
    let theirs = told.clone();
    let server = Server::start(move |mut peer| {
        theirs.early.fetch_add(1, SeqCst);
        while peer.request().is_some() && !theirs.is_over() && theirs.answer(&mut peer) {}
    });
    // It has to end by itself: what is under way at a stop is told neither as right nor as lost.
    let load = begun(server.port, &open(3.0), "GET", "epoll");
    idle(&load, &told, || assert_eq!(load.progress().phase, LoadPhase::Loading));
    assert!(load.wait(PATIENCE));
    let result = result(&load);
    let (ok, reset) = (count(&result, "ok"), count(&result, "reset"));
    assert!(ok > 0 && reset > 0, "{result}");
    assert_eq!(ok + reset, count(&result, "sent"), "{result}");
}
