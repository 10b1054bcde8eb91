//! Every way in which a request can fail is counted as what it is.

use std::net::TcpListener;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value, json};

use crate::run::{count, counts, run, spec};
use crate::server::{Server, answer, hello};

/// Answers every `nth` request with `wrong` and the others as they should be.
fn every(nth: u64, wrong: impl Fn() -> Vec<u8> + Send + Sync + 'static) -> Server {
    let number = AtomicU64::new(0);
    Server::answering(move |_| match (number.fetch_add(1, Ordering::SeqCst) + 1) % nth {
        0 => wrong(),
        _ => hello(),
    })
}

/// Two users who send 20 requests each.
fn forty(port: u16) -> Value {
    let load = json!({"kind": "iterations", "users": 2, "iterations": 20});
    run(&spec(port, load, |spec| spec["timeout_s"] = json!(0.2)))
}

fn expect(result: &Value, wanted: &[(&str, u64)]) {
    let mut wanted: Vec<_> = wanted.iter().map(|(kind, n)| ((*kind).to_owned(), *n)).collect();
    wanted.extend([("offered".to_owned(), 40), ("sent".to_owned(), 40)]);
    wanted.sort();
    let mut found = counts(result);
    found.sort();
    assert_eq!(found, wanted, "{}", result["errors_detail"]);
}

fn details(result: &Value) -> Vec<String> {
    let lines = result["errors_detail"].as_array().unwrap().iter();
    lines
        .map(|line| {
            let text = |key: &str| line[key].as_str().unwrap_or("-").to_owned();
            format!("{} {}: {} x{}", text("kind"), text("request"), text("detail"), line["count"])
        })
        .collect()
}

#[test]
fn a_connection_closed_without_an_answer_is_reset() {
    let result = forty(every(5, Vec::new).port);
    expect(&result, &[("ok", 32), ("reset", 8)]);
    // The 40th request is a reset which no request follows, and the other user's last may be too.
    let opened = result["connections_opened"].as_u64().unwrap();
    assert!((8..=9).contains(&opened), "{opened}");
    assert_eq!(details(&result), ["reset hello: closed without an answer x8"]);
}

#[test]
fn a_connection_closed_amid_the_answer_is_reset() {
    let number = AtomicU64::new(0);
    let server = Server::start(move |mut peer| {
        while peer.request().is_some() {
            if number.fetch_add(1, Ordering::SeqCst) % 4 == 3 {
                peer.write(&hello()[..60]);
                return;
            }
            peer.write(&hello());
        }
    });
    expect(&forty(server.port), &[("ok", 30), ("reset", 10)]);
}

#[test]
fn another_status_is_wrong_status() {
    let result = forty(every(4, || answer(500, "", "Hello World")).port);
    expect(&result, &[("ok", 30), ("wrong_status", 10)]);
    assert_eq!(details(&result), ["wrong_status hello: status: expected 200, got 500 x10"]);
}

#[test]
fn another_body_is_a_failed_check() {
    let result = forty(every(4, || answer(200, "", "Hello Wurld")).port);
    expect(&result, &[("failed_check", 10), ("ok", 30)]);
    let details = details(&result);
    assert!(details[0].contains("Wurld") && details[0].ends_with("x10"), "{details:?}");
}

#[test]
fn no_answer_in_time_is_timed_out() {
    let number = AtomicU64::new(0);
    let server = Server::answering(move |_| {
        if number.fetch_add(1, Ordering::SeqCst) % 20 == 7 {
            sleep(Duration::from_millis(600));
        }
        hello()
    });
    expect(&forty(server.port), &[("ok", 38), ("timed_out", 2)]);
}

#[test]
fn an_answer_that_drips_is_timed_out_too() {
    let server = Server::start(|mut peer| {
        while peer.request().is_some() {
            for byte in hello() {
                sleep(Duration::from_millis(20));
                if !peer.write(&[byte]) {
                    return;
                }
            }
        }
    });
    let load = json!({"kind": "iterations", "users": 2, "iterations": 2});
    let result = run(&spec(server.port, load, |spec| spec["timeout_s"] = json!(0.2)));
    assert_eq!(count(&result, "timed_out"), 4);
}

#[test]
fn garbage_is_malformed() {
    let result = forty(every(4, || b"this is not HTTP\r\n\r\n".to_vec()).port);
    expect(&result, &[("malformed", 10), ("ok", 30)]);
    assert_eq!(details(&result).len(), 1);
}

#[test]
fn more_than_one_answer_to_a_request_is_malformed() {
    let result = forty(every(4, || [hello(), hello()].concat()).port);
    expect(&result, &[("malformed", 10), ("ok", 30)]);
}

#[test]
fn a_port_where_nothing_listens_refuses() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let load = json!({"kind": "iterations", "users": 2, "iterations": 3});
    let result = run(&spec(port, load, |_| {}));
    assert_eq!(counts(&result), [("offered".to_owned(), 6), ("refused".to_owned(), 6)]);
    assert_eq!(details(&result), ["refused -: connection refused x6"]);

    let load = json!({"kind": "closed", "connections": 2, "duration_s": 0.4});
    let refused = count(&run(&spec(port, load, |_| {})), "refused");
    assert!((2..=20).contains(&refused), "{refused} attempts: no busy loop");

    let phases = json!([{"rate": 50.0, "duration_s": 0.4}]);
    let load = json!({"kind": "open", "connections": 4, "phases": phases});
    let result = run(&spec(port, load, |_| {}));
    assert_eq!((count(&result, "offered"), count(&result, "sent")), (20, 0));
    assert!(count(&result, "refused") >= 10, "{:?}", counts(&result));
}

#[test]
fn a_server_that_hangs_up_on_everyone_is_a_reset_each_time() {
    let server = Server::start(drop);
    let load = json!({"kind": "iterations", "users": 2, "iterations": 10});
    let result = run(&spec(server.port, load, |_| {}));
    assert_eq!(count(&result, "reset"), 20);
}
