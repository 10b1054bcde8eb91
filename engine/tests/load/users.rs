//! Users who draw values, keep cookies, and count; and the answers kept for the audit.

use std::collections::HashMap;
use std::sync::Mutex;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};

use crate::run::{count, run, spec};
use crate::server::{Server, answer};

/// Counts each session's requests by its cookie; `skip` says which numbers a session leaves out.
fn counting_server(skip: fn(u64) -> bool) -> Server {
    let sessions: Mutex<HashMap<String, u64>> = Mutex::default();
    Server::answering(move |request| {
        let mut sessions = sessions.lock().unwrap();
        let cookie = request.split("Cookie: session=").nth(1);
        let known = cookie.map(|rest| rest.lines().next().unwrap().to_owned());
        let new = format!("s{}", sessions.len());
        let headers = match known {
            Some(_) => String::new(),
            None => format!("Set-Cookie: session={new}; Path=/\r\n"),
        };
        let counter = sessions.entry(known.unwrap_or(new)).or_default();
        *counter += 1;
        if skip(*counter) {
            *counter += 1;
        }
        answer(200, &headers, &format!("Count is {counter}"))
    })
}

fn counting(port: u16) -> Value {
    let load = json!({"kind": "iterations", "users": 3, "iterations": 20});
    run(&spec(port, load, |spec| {
        spec["cookies"] = json!(true);
        spec["requests"][0]["checks"] =
            json!([{"kind": "counter", "pattern": "Count is (\\d+)", "step": 1}]);
    }))
}

#[test]
fn each_user_has_a_session_and_its_count() {
    let result = counting(counting_server(|_| false).port);
    assert_eq!(count(&result, "ok"), 60, "{}", result["errors_detail"]);
}

#[test]
fn a_session_that_skips_a_number_is_caught() {
    let result = counting(counting_server(|number| number == 10).port);
    assert_eq!(count(&result, "failed_check"), 3, "{}", result["errors_detail"]);
}

#[test]
fn drawn_values_come_back_in_the_sample() {
    let server = Server::answering(|request| {
        let n = request.split("n=").nth(1).unwrap().split(' ').next().unwrap();
        answer(200, "X-Seen: yes\r\n", &format!("n is {n}"))
    });
    let load = json!({"kind": "iterations", "users": 4, "iterations": 50});
    let result = run(&spec(server.port, load, |spec| {
        spec["threads"] = json!(2);
        spec["variables"] = json!({"n": {"kind": "int", "min": 1, "max": 9}});
        spec["requests"][0]["path"] = json!("/?n={n}");
        spec["requests"][0]["checks"] = json!([{"kind": "equals", "text": "n is {n}"}]);
        spec["audit"] = json!({"samples": 21, "max_body_bytes": 5});
    }));
    assert_eq!(count(&result, "ok"), 200, "{}", result["errors_detail"]);
    let samples = result["samples"].as_array().unwrap();
    assert_eq!(samples.len(), 21);
    for sample in samples {
        let n = sample["variables"]["n"].as_str().unwrap();
        let body = BASE64.decode(sample["body_base64"].as_str().unwrap()).unwrap();
        assert_eq!(body, &format!("n is {n}").as_bytes()[..5]);
        assert_eq!((&sample["request"], &sample["status"]), (&json!("hello"), &json!(200)));
        assert_eq!(sample["headers"][0], json!(["X-Seen", "yes"]));
        assert_eq!(sample["pieces"], 1);
        assert!(sample["at_s"].as_f64().unwrap() <= result["elapsed_s"].as_f64().unwrap());
    }
}

#[test]
fn users_walk_through_the_requests_in_sequence() {
    let paths: &'static Mutex<Vec<String>> = Box::leak(Box::default());
    let server = Server::answering(|request| {
        let path = request.split(' ').nth(1).unwrap().to_owned();
        paths.lock().unwrap().push(path.clone());
        answer(200, "", &path)
    });
    let load = json!({"kind": "iterations", "users": 1, "iterations": 6});
    let result = run(&spec(server.port, load, |spec| {
        let request = |path: &str| json!({"name": path, "path": path, "checks": [{"kind": "equals", "text": path}]});
        spec["requests"] = json!([request("/a"), request("/b"), request("/c")]);
    }));
    assert_eq!(count(&result, "ok"), 6, "{}", result["errors_detail"]);
    assert_eq!(*paths.lock().unwrap(), ["/a", "/b", "/c", "/a", "/b", "/c"]);
}

#[test]
fn samples_tell_in_how_many_chunks_a_body_came() {
    let chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\
        5\r\nHello\r\n1\r\n \r\n5\r\nWorld\r\n0\r\n\r\n";
    let server = Server::answering(|_| chunked.to_vec());
    let load = json!({"kind": "iterations", "users": 2, "iterations": 20});
    let result = run(&spec(server.port, load, |spec| {
        spec["audit"] = json!({"samples": 5, "max_body_bytes": 100});
    }));
    assert_eq!(count(&result, "ok"), 40, "{}", result["errors_detail"]);
    for sample in result["samples"].as_array().unwrap() {
        assert_eq!(sample["pieces"], 3, "{sample}");
    }
}
