//! HTTP/2, by prior knowledge and over TLS.

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use h2::Reason;
use http::{HeaderMap, Response};
use rustls::version::TLS13;
use serde_json::{Value, json};

use crate::certificate::Certificate;
use crate::run::{count, counts, run, spec};
use crate::server::{Exchange, Http2, Manner, body_of, hello, reply};

/// A load of `users` with `iterations` each, `streams` on a connection.
fn users(port: u16, users: u64, iterations: u64, streams: u64) -> Value {
    let load = json!({"kind": "iterations", "users": users, "iterations": iterations});
    spec(port, load, |spec| spec["http2"] = json!({"streams": streams}))
}

fn details(result: &Value) -> Vec<&str> {
    let lines = result["errors_detail"].as_array().unwrap();
    lines.iter().map(|line| line["detail"].as_str().unwrap()).collect()
}

#[test]
fn users_share_connections() {
    let server = Http2::start(None, Manner::default(), hello);
    let result = run(&users(server.port, 20, 30, 8));
    assert_eq!(count(&result, "ok"), 600, "{}", result["errors_detail"]);
    assert_eq!(result["connections_opened"], 3);
    assert_eq!(server.connections.load(Ordering::SeqCst), 3);
    let http2 = json!({
        "streams": 8, "connections": 3, "goaways": 0, "resent": 0, "resets": 0, "abandoned": 0,
    });
    assert_eq!((&result["http2"], &result["protocol"]), (&http2, &json!("HTTP/2")));
    // Compressed headers and frames: at least 9 + 9 + 11 bytes for an answer.
    assert!(result["bytes_received"].as_u64().unwrap() >= 600 * 29);
    assert!(result["bytes_sent"].as_u64().unwrap() >= 600 * 10);
}

#[test]
fn every_shape_of_load_over_tls_on_two_threads() {
    let certificate = Certificate::good();
    let config = certificate.server(&["http/1.1", "h2"], &[&TLS13]);
    let server = Http2::start(Some(config), Manner::default(), hello);
    let phases = json!([{"rate": 200.0, "duration_s": 0.5}]);
    for load in [
        json!({"kind": "closed", "connections": 3, "duration_s": 0.3}),
        json!({"kind": "open", "connections": 3, "phases": phases}),
        json!({"kind": "iterations", "users": 9, "iterations": 10}),
    ] {
        let result = run(&spec(server.port, load, |spec| {
            spec["threads"] = json!(2);
            spec["http2"] = json!({"streams": 3});
            spec["target"]["tls"] = json!({"ca_file": certificate.file});
        }));
        assert_eq!(count(&result, "ok") + count(&result, "unfinished"), count(&result, "sent"));
        assert!(count(&result, "ok") > 10, "{}", result["errors_detail"]);
        assert_eq!(
            (&result["tls"]["alpn"], &result["connections_opened"]),
            (&json!("h2"), &json!(3))
        );
    }
}

#[test]
fn a_server_without_http2_is_refused() {
    let certificate = Certificate::good();
    for alpn in [&["http/1.1"][..], &[]] {
        let config = certificate.server(alpn, &[&TLS13]);
        let port = crate::server::over_tls(config, crate::server::HELLO, crate::server::Then::Stay);
        let mut spec = users(port, 2, 3, 1);
        spec["target"]["tls"] = json!({"ca_file": certificate.file});
        let result = run(&spec);
        assert_eq!((count(&result, "refused"), count(&result, "sent")), (6, 0));
        assert_eq!(details(&result), ["TLS: the server does not offer the HTTP version (ALPN)"]);
    }
}

/// Echoes the body, and tells what it saw in headers.
async fn echo(mut exchange: Exchange) {
    let body = body_of(&mut exchange.request).await;
    let parts = [exchange.request.method().as_str(), &exchange.request.uri().to_string()].join(" ");
    let response = Response::builder().header("x-seen", parts).body(()).unwrap();
    reply(exchange.reply, response, body);
}

#[test]
fn requests_are_rendered_checked_and_kept_as_ever() {
    let server = Http2::start(None, Manner::default(), echo);
    let mut spec = users(server.port, 6, 20, 3);
    spec["variables"] = json!({"n": {"kind": "int", "min": 10, "max": 99}});
    spec["requests"] = json!([{
        "name": "echo", "method": "POST", "path": "/e?n={n}", "body": "<{n}>",
        "checks": [{"kind": "equals", "text": "<{n}>"}, {"kind": "length", "min": 4, "max": 4}],
    }]);
    spec["audit"] = json!({"samples": 7, "max_body_bytes": 3});
    let result = run(&spec);
    assert_eq!(count(&result, "ok"), 120, "{}", result["errors_detail"]);
    let samples = result["samples"].as_array().unwrap();
    assert_eq!(samples.len(), 7);
    for sample in samples {
        let n = sample["variables"]["n"].as_str().unwrap();
        let seen = format!("POST http://127.0.0.1:{}/e?n={n}", server.port);
        let headers = sample["headers"].as_array().unwrap();
        assert!(headers.contains(&json!(["x-seen", seen])), "{headers:?}");
    }
}

#[test]
fn bodies_larger_than_the_windows_flow_both_ways() {
    let server = Http2::start(None, Manner::default(), echo);
    let body = "0123456789abcdef".repeat(30_000);
    let mut spec = users(server.port, 3, 4, 3);
    spec["requests"] = json!([{
        "name": "echo", "method": "POST", "path": "/", "body": body,
        "checks": [{"kind": "equals", "text": body}],
    }]);
    let result = run(&spec);
    assert_eq!(count(&result, "ok"), 12, "{}", result["errors_detail"]);
    assert!(result["bytes_received"].as_u64().unwrap() > 12 * 480_000);
}

#[test]
fn each_user_keeps_its_cookies_and_counts() {
    let sessions: Arc<Mutex<HashMap<String, u64>>> = Arc::default();
    let server = Http2::start(None, Manner::default(), move |exchange| {
        let sessions = Arc::clone(&sessions);
        async move {
            let cookie = exchange.request.headers().get("cookie");
            let cookie = cookie.map(|cookie| cookie.to_str().unwrap().to_owned());
            let session = cookie.unwrap_or_else(|| format!("session={}", exchange.number));
            let number = {
                let mut sessions = sessions.lock().unwrap();
                let number = sessions.entry(session.clone()).or_default();
                *number += 1;
                *number
            };
            let response = Response::builder().header("set-cookie", session).body(()).unwrap();
            reply(exchange.reply, response, format!("Count is {number}"));
        }
    });
    let mut spec = users(server.port, 5, 20, 5);
    spec["cookies"] = json!(true);
    spec["requests"][0]["checks"] =
        json!([{"kind": "counter", "pattern": "Count is (\\d+)", "step": 1}]);
    let result = run(&spec);
    assert_eq!(count(&result, "ok"), 100, "{}", result["errors_detail"]);
}

#[test]
fn answers_without_a_body_and_with_trailers() {
    let server = Http2::start(None, Manner::default(), |mut exchange: Exchange| async move {
        match exchange.request.uri().path() {
            "/empty" => {
                reply(exchange.reply, Response::builder().status(204).body(()).unwrap(), "")
            }
            "/head" => {
                let response = Response::builder().header("content-length", "11").body(()).unwrap();
                reply(exchange.reply, response, "");
            }
            _ => {
                let mut stream = exchange.reply.send_response(Response::new(()), false).unwrap();
                stream.send_data("Hello ".into(), false).unwrap();
                tokio::time::sleep(Duration::from_millis(2)).await;
                stream.send_data("World".into(), false).unwrap();
                let mut trailers = HeaderMap::new();
                trailers.insert("x-checksum", "1".parse().unwrap());
                stream.send_trailers(trailers).unwrap();
            }
        }
    });
    let mut spec = users(server.port, 2, 9, 2);
    spec["requests"] = json!([
        {"name": "empty", "path": "/empty", "checks": [{"kind": "status", "equals": 204}]},
        {"name": "head", "path": "/head", "method": "HEAD"},
        {"name": "trailers", "path": "/", "checks": [{"kind": "equals", "text": "Hello World"}]},
    ]);
    let result = run(&spec);
    assert_eq!(count(&result, "ok"), 18, "{}", result["errors_detail"]);
}

#[test]
fn wrong_answers_are_counted_as_what_they_are() {
    let server = Http2::start(None, Manner::default(), |exchange: Exchange| async move {
        let status = if exchange.number.is_multiple_of(4) { 500 } else { 200 };
        let body = if exchange.number % 4 == 1 { "Hello Wurld" } else { "Hello World" };
        reply(exchange.reply, Response::builder().status(status).body(()).unwrap(), body);
    });
    let result = run(&users(server.port, 4, 10, 4));
    let found =
        (count(&result, "ok"), count(&result, "wrong_status"), count(&result, "failed_check"));
    assert_eq!(found, (20, 10, 10), "{}", result["errors_detail"]);
    assert_eq!(result["connections_opened"], 1);
}

#[test]
fn a_server_that_asks_to_leave_loses_no_request() {
    let manner = Manner { leave_after: Some(40), ..Manner::default() };
    let server = Http2::start(None, manner, |exchange: Exchange| async move {
        tokio::time::sleep(Duration::from_millis(exchange.number % 5)).await;
        hello(exchange).await;
    });
    let result = run(&users(server.port, 16, 40, 8));
    assert_eq!(count(&result, "ok"), 640, "{} {}", result["errors_detail"], result["http2"]);
    assert!(result["http2"]["goaways"].as_u64().unwrap() >= 10, "{}", result["http2"]);
    assert!(result["connections_opened"].as_u64().unwrap() >= 12, "{}", result["http2"]);
}

#[test]
fn the_next_connection_of_a_group_resumes_the_session_of_the_last() {
    let certificate = Certificate::good();
    let manner = Manner { leave_after: Some(20), ..Manner::default() };
    let config = certificate.server(&["h2"], &[&TLS13]);
    let server = Http2::start(Some(config), manner, |exchange: Exchange| async move {
        tokio::time::sleep(Duration::from_millis(exchange.number % 5)).await;
        hello(exchange).await;
    });
    let mut spec = users(server.port, 8, 20, 8);
    spec["target"]["tls"] = json!({"ca_file": certificate.file});
    let result = run(&spec);
    assert_eq!(count(&result, "ok"), 160, "{} {}", result["errors_detail"], result["http2"]);
    let tls = &result["tls"];
    assert!(tls["resumed_handshakes"].as_u64().unwrap() >= 5, "{tls}");
    assert_eq!(tls["full_handshakes"], 1, "{tls}");
}

#[test]
fn a_connection_cut_short_is_a_reset_for_each_stream() {
    let manner = Manner { cut_after: Some(25), ..Manner::default() };
    let server = Http2::start(None, manner, hello);
    let result = run(&users(server.port, 8, 50, 4));
    assert_eq!(count(&result, "ok") + count(&result, "reset"), 400, "{:?}", counts(&result));
    assert!(count(&result, "reset") >= 15, "{:?} {:?}", counts(&result), details(&result));
}

#[test]
fn a_reset_stream_is_one_request_and_a_refused_one_is_sent_again() {
    let server = Http2::start(None, Manner::default(), |mut exchange: Exchange| async move {
        match exchange.number % 10 {
            3 => exchange.reply.send_reset(Reason::INTERNAL_ERROR),
            6 => exchange.reply.send_reset(Reason::REFUSED_STREAM),
            9 => {
                let mut stream = exchange.reply.send_response(Response::new(()), false).unwrap();
                stream.send_data("Hello".into(), false).unwrap();
                tokio::time::sleep(Duration::from_millis(5)).await;
                stream.send_reset(Reason::CANCEL);
            }
            _ => hello(exchange).await,
        }
    });
    let result = run(&users(server.port, 4, 45, 4));
    // 200 requests reach the server, 20 of them again.
    let found = (count(&result, "ok"), count(&result, "reset"), &result["http2"]["resent"]);
    assert_eq!(found, (140, 40, &json!(20)), "{}", result["errors_detail"]);
    assert_eq!(result["connections_opened"], 1, "the others on the connection go on");
    assert!(details(&result).iter().any(|detail| detail.contains("INTERNAL_ERROR")));
}

#[test]
fn an_answer_that_never_comes_leaves_the_other_streams_alone() {
    let server = Http2::start(None, Manner::default(), |exchange: Exchange| async move {
        if exchange.number.is_multiple_of(20) {
            tokio::time::sleep(Duration::from_secs(5)).await;
        }
        hello(exchange).await;
    });
    let mut spec = users(server.port, 4, 20, 4);
    spec["timeout_s"] = json!(0.4);
    let result = run(&spec);
    assert_eq!((count(&result, "ok"), count(&result, "timed_out")), (76, 4), "{result}");
    assert_eq!(result["connections_opened"], 1);
}

#[test]
fn more_streams_than_the_server_allows_are_refused() {
    let manner = Manner { streams: Some(2), ..Manner::default() };
    let server = Http2::start(None, manner, hello);
    let result = run(&users(server.port, 3, 5, 3));
    assert_eq!((count(&result, "ok"), count(&result, "refused")), (10, 5), "{result}");
    assert_eq!(details(&result), ["HTTP/2: the server allows 2 streams per connection"]);
}

#[test]
fn nobody_listens() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let result = run(&users(port, 4, 3, 2));
    assert_eq!((count(&result, "refused"), count(&result, "offered")), (12, 12));
    assert_eq!(details(&result), ["connection refused"]);
}
