//! Which reactor a load gets, and that each does the same work.

use serde_json::{Value, json};
use webdyno_engine::run::Load;

use crate::run::{count, reactors, run, spec};
use crate::server::{Server, answer, hello};

fn used(load: Value) -> String {
    let server = Server::answering(|_| hello());
    let result = run(&spec(server.port, load, |_| ()));
    result["generator"]["reactor"].as_str().unwrap().to_owned()
}

#[test]
fn the_choice_follows_the_load() {
    let cheaper = *reactors().last().unwrap();
    let open = |rate: f64| json!({"kind": "open", "connections": 4, "phases": [{"rate": rate, "duration_s": 0.1}]});
    assert_eq!(used(json!({"kind": "closed", "connections": 4, "duration_s": 0.1})), cheaper);
    assert_eq!(used(open(100.0)), cheaper);
    assert_eq!(used(open(20_000.0)), "epoll");
}

#[test]
fn a_choice_can_be_forced_and_an_unknown_one_is_refused() {
    let load = json!({"kind": "closed", "connections": 1, "duration_s": 0.1});
    let server = Server::answering(|_| hello());
    for reactor in reactors() {
        let result = run(&spec(server.port, load.clone(), |spec| spec["reactor"] = json!(reactor)));
        assert_eq!(result["generator"]["reactor"], reactor);
    }
    let wrong = spec(server.port, load, |spec| spec["reactor"] = json!("kqueue"));
    let error = Load::new(&wrong.to_string()).unwrap_err();
    assert!(error.contains("reactor") && error.contains("kqueue"), "{error}");
}

#[test]
fn answers_larger_than_a_buffer_come_whole() {
    let body: String = (0..300_000).map(|n| char::from(b'a' + (n % 26) as u8)).collect();
    for reactor in reactors() {
        for load in [
            json!({"kind": "iterations", "users": 3, "iterations": 20}),
            json!({"kind": "open", "connections": 3, "phases": [{"rate": 60.0, "duration_s": 1.0}]}),
        ] {
            let sent = body.clone();
            let server = Server::answering(move |_| answer(200, "", &sent));
            let result = run(&spec(server.port, load, |spec| {
                spec["reactor"] = json!(reactor);
                spec["requests"][0]["checks"] = json!([{"kind": "equals", "text": body}]);
            }));
            assert_eq!((count(&result, "sent"), count(&result, "ok")), (60, 60), "{reactor}");
        }
    }
}

#[test]
fn requests_larger_than_a_socket_s_buffer_go_out_whole() {
    let body = "0123456789abcdef".repeat(512 * 1024);
    for reactor in reactors() {
        let load = json!({"kind": "iterations", "users": 2, "iterations": 2});
        let server = Server::answering(|_| hello());
        let result = run(&spec(server.port, load, |spec| {
            spec["reactor"] = json!(reactor);
            spec["requests"][0]["method"] = json!("POST");
            spec["requests"][0]["body"] = json!(body);
        }));
        assert_eq!(count(&result, "ok"), 4, "{reactor}: {}", result["errors_detail"]);
    }
}

#[test]
fn a_thread_that_sleeps_until_it_sends_still_sees_every_answer_and_times_it_by_its_arrival() {
    // Read only when the next request is due, answers would seem to take the 1.7 ms between two.
    for reactor in reactors() {
        let server = Server::answering(|_| hello());
        let phases = json!([{"rate": 600.0, "duration_s": 1.0}]);
        let load = json!({"kind": "open", "connections": 8, "phases": phases});
        let result = run(&spec(server.port, load, |spec| spec["reactor"] = json!(reactor)));
        assert_eq!((count(&result, "sent"), count(&result, "ok")), (600, 600), "{reactor}");
        let at = |quantile: &str| result["latency_from_send_us"][quantile].as_f64().unwrap();
        assert!(at("min") < 1_000.0, "{reactor}: {}", result["latency_from_send_us"]);
    }
}
