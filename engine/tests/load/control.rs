//! Starting, watching and stopping a load.

use std::net::TcpListener;
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

use serde_json::json;
use webdyno_engine::record::result::LoadPhase;
use webdyno_engine::run::Load;

use crate::run::{count, result, spec};
use crate::server::{Server, hello};

const LONG: f64 = 60.0;

#[test]
fn stop_ends_every_shape_at_once_and_the_counts_add_up() {
    let server = Server::answering(|_| {
        sleep(Duration::from_millis(30));
        hello()
    });
    for load in [
        json!({"kind": "closed", "connections": 4, "duration_s": LONG}),
        json!({"kind": "iterations", "users": 4, "iterations": 1_000_000}),
        json!({
            "kind": "open", "connections": 4,
            "phases": [{"rate": 1000.0, "duration_s": LONG}],
        }),
    ] {
        let spec = spec(server.port, load, |spec| spec["threads"] = json!(2));
        let load = Load::new(&spec.to_string()).unwrap();
        load.start().unwrap();
        sleep(Duration::from_millis(250));
        let asked = Instant::now();
        load.stop();
        assert!(load.wait(Duration::from_secs(5)));
        assert!(asked.elapsed() < Duration::from_secs(1), "{:?}", asked.elapsed());
        let result = result(&load);
        assert_eq!(result["stopped_early"], true);
        assert!(count(&result, "ok") > 0);
        assert!(count(&result, "unfinished") > 0, "{}", result["counts"]);
        assert!(result["elapsed_s"].as_f64().unwrap() < 5.0);
    }
}

#[test]
fn stop_before_the_connections_are_open() {
    let server = Server::answering(|_| hello());
    let load = json!({"kind": "closed", "connections": 4, "duration_s": LONG});
    let load = Load::new(&spec(server.port, load, |_| {}).to_string()).unwrap();
    load.start().unwrap();
    load.stop();
    assert!(load.wait(Duration::from_secs(5)));
    assert_eq!(result(&load)["stopped_early"], true);
}

#[test]
fn progress_tells_what_happened_since_the_last_look() {
    let server = Server::answering(|_| hello());
    let load = json!({"kind": "closed", "connections": 4, "duration_s": 1.0});
    let load = Load::new(&spec(server.port, load, |_| {}).to_string()).unwrap();
    load.start().unwrap();
    let mut ticks = Vec::new();
    let mut looks = 0;
    while !load.wait(Duration::from_millis(150)) {
        let progress = load.progress();
        assert!(matches!(progress.phase, LoadPhase::Connecting | LoadPhase::Loading));
        assert!(!progress.done && progress.in_flight <= 4);
        ticks.extend(progress.ticks);
        looks += 1;
    }
    assert!(looks >= 3);
    let last = load.progress();
    ticks.extend(last.ticks);
    assert_eq!((last.phase, last.done, last.in_flight), (LoadPhase::Done, true, 0));
    let result = result(&load);
    assert_eq!(last.ok_total, count(&result, "ok"));
    // Every window of 100 ms once; what lies after the last whole one is in the result alone.
    let ends: Vec<f64> = ticks.iter().map(|tick| (tick.0 * 10.0).round()).collect();
    let wanted: Vec<f64> = (1..=ends.len()).map(|tick| tick as f64).collect();
    assert_eq!(ends, wanted);
    assert!(ends.len() >= 10, "{ends:?}");
    let ticked: u64 = ticks.iter().map(|tick| tick.1).sum();
    assert!(ticked <= last.ok_total && ticked > last.ok_total / 2);
}

#[test]
fn its_end_is_told_while_one_thread_waits_and_another_has_nothing_under_way() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = spawn(move || {
        let never_answered = listener.accept().unwrap();
        // Its thread comes again, and finds nobody.
        let _left = listener.accept().unwrap();
        never_answered
    });
    let load = json!({"kind": "closed", "connections": 2, "duration_s": 0.4});
    let spec = spec(port, load, |spec| {
        spec["threads"] = json!(2);
        spec["timeout_s"] = json!(3.0);
    });
    let load = Load::new(&spec.to_string()).unwrap();
    load.start().unwrap();
    let began = Instant::now();
    while matches!(load.progress().phase, LoadPhase::Connecting | LoadPhase::Loading) {
        assert!(!load.wait(Duration::from_millis(10)), "it ended without having drained");
    }
    assert_eq!(load.progress().phase, LoadPhase::Draining);
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    assert!(load.wait(Duration::from_secs(5)));
    assert_eq!(count(&result(&load), "timed_out"), 1);
    drop(server.join().unwrap());
}

#[test]
fn misuse_is_refused_in_one_line() {
    let server = Server::answering(|_| hello());
    let spec =
        spec(server.port, json!({"kind": "iterations", "users": 1, "iterations": 1}), |_| {});
    let load = Load::new(&spec.to_string()).unwrap();
    assert!(load.result().unwrap_err().contains("start"));
    assert!(!load.wait(Duration::from_millis(1)));
    load.start().unwrap();
    assert!(load.start().unwrap_err().contains("started already"));
    assert!(load.wait(Duration::from_secs(10)));
    assert!(load.result().is_ok());
}

#[test]
fn a_load_leaves_the_machine_only_where_allowed() {
    let away = spec(80, json!({"kind": "iterations", "users": 1, "iterations": 1}), |spec| {
        spec["target"]["host"] = json!("192.0.2.1");
    });
    assert!(Load::new(&away.to_string()).unwrap_err().contains("allow_remote"));
}

#[test]
fn a_cpu_that_does_not_exist_is_an_error_and_no_hang() {
    let server = Server::answering(|_| hello());
    let load = json!({"kind": "closed", "connections": 2, "duration_s": 0.2});
    let spec = spec(server.port, load, |spec| spec["cpus"] = json!([1000]));
    let load = Load::new(&spec.to_string()).unwrap();
    load.start().unwrap();
    assert!(load.wait(Duration::from_secs(5)));
    assert!(load.result().unwrap_err().contains("cpus"));
}
