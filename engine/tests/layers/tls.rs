//! HTTP/1.1 over TLS.

use std::time::Duration;

use rustls::version::{TLS12, TLS13};
use serde_json::{Value, json};
use webdyno_engine::run::Load;

use crate::certificate::Certificate;
use crate::run::{count, run, spec};
use crate::server::{HELLO, LAST_HELLO, Then, over_slow_tls, over_tls};

fn users(port: u16, users: u64, iterations: u64, tls: Value) -> Value {
    let load = json!({"kind": "iterations", "users": users, "iterations": iterations});
    spec(port, load, |spec| spec["target"]["tls"] = tls)
}

fn trusting(certificate: &Certificate) -> Value {
    json!({"ca_file": certificate.file})
}

fn handshakes(result: &Value) -> (u64, u64) {
    let of = |kind: &str| result["tls"][kind].as_u64().unwrap();
    (of("full_handshakes"), of("resumed_handshakes"))
}

#[test]
fn either_version_is_spoken_and_told() {
    let certificate = Certificate::good();
    for (version, name) in [(&TLS13, "TLS 1.3"), (&TLS12, "TLS 1.2")] {
        let port = over_tls(certificate.server(&[], &[version]), HELLO, Then::Stay);
        let result = run(&users(port, 3, 50, trusting(&certificate)));
        assert_eq!(count(&result, "ok"), 150, "{}", result["errors_detail"]);
        assert_eq!(handshakes(&result), (3, 0));
        let tls = &result["tls"];
        assert_eq!((&tls["version"], &tls["alpn"]), (&json!(name), &Value::Null));
        assert!(tls["cipher_suite"].as_str().unwrap().starts_with("TLS_"), "{tls}");
        let took = tls["handshake_us"]["p50"].as_f64().unwrap();
        let cpu = tls["handshake_cpu_us"].as_f64().unwrap();
        assert!(took > 0.0 && cpu > 0.0 && took < 5e6, "{tls}");
        assert_eq!((&result["protocol"], &result["http2"]), (&json!("HTTP/1.1"), &Value::Null));
    }
}

#[test]
fn every_shape_of_load_goes_over_tls() {
    let certificate = Certificate::good();
    let port = over_tls(certificate.server(&["http/1.1"], &[&TLS13]), HELLO, Then::Stay);
    let phases = json!([{"rate": 200.0, "duration_s": 0.5}]);
    for load in [
        json!({"kind": "closed", "connections": 4, "duration_s": 0.3}),
        json!({"kind": "open", "connections": 4, "phases": phases}),
    ] {
        let result = run(&spec(port, load, |spec| {
            spec["threads"] = json!(2);
            spec["target"]["tls"] = trusting(&certificate);
        }));
        assert_eq!(count(&result, "ok") + count(&result, "unfinished"), count(&result, "sent"));
        assert!(count(&result, "ok") > 10, "{}", result["errors_detail"]);
        assert_eq!((handshakes(&result), &result["tls"]["alpn"]), ((4, 0), &json!("http/1.1")));
    }
}

#[test]
fn a_user_who_comes_again_resumes_the_session() {
    let certificate = Certificate::good();
    for version in [&TLS13, &TLS12] {
        let port = over_tls(certificate.server(&[], &[version]), LAST_HELLO, Then::Leave);
        let result = run(&users(port, 2, 6, trusting(&certificate)));
        assert_eq!(count(&result, "ok"), 12, "{}", result["errors_detail"]);
        assert_eq!(handshakes(&result), (2, 10), "{}", result["tls"]);
        assert_eq!(result["connections_opened"], 12);
    }
}

#[test]
fn connections_are_opened_beside_each_other_where_requests_wait_for_them() {
    let certificate = Certificate::good();
    // One handshake after the other would serve 20 requests a second: once the connections of the
    // start are used up, and half of the requests have come, the next would wait for 0.7 s.
    let pause = Duration::from_millis(50);
    let port = over_slow_tls(pause, certificate.server(&[], &[&TLS13]), LAST_HELLO, Then::Leave);
    let phases = json!([{"rate": 100.0, "duration_s": 1.0}]);
    let load = json!({"kind": "open", "connections": 32, "phases": phases});
    let result = run(&spec(port, load, |spec| spec["target"]["tls"] = trusting(&certificate)));
    assert_eq!(count(&result, "ok"), 100, "{result}");
    let median_us = result["latency_us"]["p50"].as_f64().unwrap();
    assert!((50e3..350e3).contains(&median_us), "{result}");
    // None is opened that nobody waits for, but for those at the start.
    assert!(result["connections_opened"].as_u64().unwrap() <= 132, "{result}");
}

#[test]
fn an_answer_may_end_with_the_connection() {
    let certificate = Certificate::good();
    let answer = "HTTP/1.1 200 OK\r\n\r\nHello World";
    let port = over_tls(certificate.server(&[], &[&TLS13]), answer, Then::Leave);
    let result = run(&users(port, 2, 3, trusting(&certificate)));
    assert_eq!(count(&result, "ok"), 6, "{}", result["errors_detail"]);
}

#[test]
fn a_large_answer_comes_through_whole() {
    let certificate = Certificate::good();
    let body = "0123456789abcdef".repeat(20_000);
    let answer = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    let port = over_tls(certificate.server(&[], &[&TLS13]), answer.leak(), Then::Stay);
    let mut spec = users(port, 2, 10, trusting(&certificate));
    spec["requests"][0]["checks"] = json!([{"kind": "equals", "text": body}]);
    let result = run(&spec);
    assert_eq!(count(&result, "ok"), 20, "{}", result["errors_detail"]);
    assert_eq!(result["bytes_received"].as_u64().unwrap(), 20 * (answer_length(&body)));
}

fn answer_length(body: &str) -> u64 {
    format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len()).len() as u64
}

/// Two users with three requests each find no connection, for this reason.
fn refused(port: u16, host: &str, tls: Value, kind: &str) -> String {
    let mut spec = users(port, 2, 3, tls);
    spec["target"]["host"] = json!(host);
    let result = run(&spec);
    assert_eq!((count(&result, "refused"), count(&result, "offered")), (6, 6), "{result}");
    let failed = result["tls"]["failed_handshakes"].as_object().unwrap();
    // Those before the load count too.
    for (name, failures) in failed {
        assert_eq!(failures.as_u64().unwrap() >= 6, name == kind, "{failed:?}");
    }
    result["errors_detail"][0]["detail"].as_str().unwrap().to_owned()
}

#[test]
fn certificates_that_are_wrong_open_nothing() {
    let good = Certificate::good();
    let old = Certificate::new(&["localhost"], (2000, 2001));
    let early = Certificate::new(&["localhost"], (2100, 2101));
    let other = Certificate::new(&["other.example"], (2020, 2120));
    for (server, trusted, wrong) in [
        (&good, &other, "certificate: it is self-signed and not trusted here"),
        (&old, &old, "certificate: it has expired"),
        (&early, &early, "certificate: it is not valid yet"),
        (&other, &other, "certificate: it is not for this host name"),
    ] {
        let port = over_tls(server.server(&[], &[&TLS13]), HELLO, Then::Stay);
        assert_eq!(refused(port, "localhost", trusting(trusted), "certificate"), wrong);
        let mut spec = users(port, 2, 3, json!({"insecure": true}));
        spec["target"]["host"] = json!("localhost");
        assert_eq!(count(&run(&spec), "ok"), 6, "{wrong}: any certificate will do");
    }
}

#[test]
fn a_server_without_a_protocol_in_common_is_refused() {
    let certificate = Certificate::good();
    let port = over_tls(certificate.server(&["h2"], &[&TLS13]), HELLO, Then::Stay);
    let wrong = "TLS: the server does not offer the HTTP version (ALPN)";
    assert_eq!(refused(port, "localhost", trusting(&certificate), "protocol"), wrong);
}

#[test]
fn an_authority_that_cannot_be_read_is_refused_before_the_load() {
    let spec = users(1, 1, 1, json!({"ca_file": "/nowhere/ca.pem"}));
    let error = Load::new(&spec.to_string()).unwrap_err();
    assert!(error.starts_with("target.tls.ca_file: /nowhere/ca.pem: "), "{error}");
}

#[test]
fn a_body_that_ends_with_the_connection_ends_only_with_a_goodbye() {
    let certificate = Certificate::good();
    let answer = "HTTP/1.1 200 OK\r\n\r\nHello World";
    for version in [&TLS13, &TLS12] {
        let port = over_tls(certificate.server(&[], &[version]), answer, Then::Cut);
        let result = run(&users(port, 2, 3, trusting(&certificate)));
        assert_eq!((count(&result, "reset"), count(&result, "ok")), (6, 0), "{result}");
        let detail = result["errors_detail"][0]["detail"].as_str().unwrap();
        assert!(detail.contains("close_notify"), "{detail}");
    }
}

#[test]
fn an_answer_that_says_its_length_needs_no_goodbye() {
    let certificate = Certificate::good();
    let port = over_tls(certificate.server(&[], &[&TLS13]), LAST_HELLO, Then::Cut);
    let result = run(&users(port, 2, 3, trusting(&certificate)));
    assert_eq!(count(&result, "ok"), 6, "{result}");
}

#[test]
fn an_answer_counts_whatever_comes_right_behind_it() {
    let certificate = Certificate::good();
    for version in [&TLS13, &TLS12] {
        let port = over_tls(certificate.server(&[], &[version]), LAST_HELLO, Then::Garble);
        let result = run(&users(port, 2, 3, trusting(&certificate)));
        assert_eq!(count(&result, "ok"), 6, "{result}");
    }
}
