//! Which answers are kept for the audit.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier};
use std::thread::sleep;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::json;

use crate::run::{count, run, spec};
use crate::server::{Peer, Server, answer};

/// Answers with a head that comes before another connection's answer, and a body that comes after it.
fn around(peer: &mut Peer, turn: &Barrier) {
    let whole = answer(200, "", "bogus");
    let (head, body) = whole.split_at(whole.len() - "bogus".len());
    while peer.request().is_some() {
        peer.write(head);
        // So that each is read on its own.
        sleep(Duration::from_millis(1));
        turn.wait();
        turn.wait();
        sleep(Duration::from_millis(1));
        peer.write(body);
    }
}

fn between(peer: &mut Peer, turn: &Barrier) {
    while peer.request().is_some() {
        turn.wait();
        peer.write(&answer(200, "", "right"));
        turn.wait();
    }
}

#[test]
fn an_answer_that_ends_after_another_one_is_as_likely_to_be_kept() {
    let (turn, first) = (Arc::new(Barrier::new(2)), AtomicBool::new(true));
    let server = Server::start(move |mut peer| {
        if first.swap(false, Ordering::SeqCst) {
            around(&mut peer, &turn);
        } else {
            between(&mut peer, &turn);
        }
    });
    let load = json!({"kind": "iterations", "users": 2, "iterations": 500});
    let result = run(&spec(server.port, load, |spec| {
        spec["requests"][0]["checks"] = json!([{"kind": "status", "equals": 200}]);
        spec["audit"] = json!({"samples": 40});
    }));
    assert_eq!(count(&result, "ok"), 1000, "{}", result["errors_detail"]);
    let samples = result["samples"].as_array().unwrap();
    assert_eq!(samples.len(), 40);
    let bogus = samples.iter().filter(|sample| sample["body_base64"] == BASE64.encode("bogus"));
    // Half of them, with a standard deviation of 3.
    assert!((8..=32).contains(&bogus.count()), "{samples:?}");
}

#[test]
fn a_sample_tells_when_its_request_was_sent_and_by_when_it_was_answered() {
    let server = Server::answering(|_| {
        sleep(Duration::from_millis(30));
        answer(200, "", "Hello World")
    });
    let load = json!({"kind": "iterations", "users": 2, "iterations": 3});
    let result = run(&spec(server.port, load, |spec| spec["audit"] = json!({"samples": 6})));
    for sample in result["samples"].as_array().unwrap() {
        let at = |name: &str| sample[name].as_f64().unwrap();
        assert!((0.03..5.0).contains(&(at("answered_by_s") - at("sent_s"))), "{sample}");
    }
}
