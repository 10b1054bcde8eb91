//! A paused load stands still, and the time that passes is in none of its figures.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use webdyno_engine::run::Load;

use crate::run::{count, reactors, result, spec};
use crate::server::{Server, hello};

const PAUSE: Duration = Duration::from_millis(400);
const PATIENCE: Duration = Duration::from_secs(20);

fn closed(port: u16, duration_s: f64, change: impl FnOnce(&mut Value)) -> Load {
    let load = json!({"kind": "closed", "connections": 8, "duration_s": duration_s});
    Load::new(&spec(port, load, change).to_string()).unwrap()
}

/// Starts a load and waits until it sends.
fn begin(load: &Load) {
    load.start().unwrap();
    let end = Instant::now() + PATIENCE;
    while load.progress().ok_total == 0 {
        assert!(Instant::now() < end, "no answer came");
        sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_pause_is_in_no_figure() {
    let server = Server::answering(|_| hello());
    for reactor in reactors() {
        let load = closed(server.port, 0.6, |spec| {
            spec["threads"] = json!(2);
            spec["reactor"] = json!(reactor);
        });
        let began = Instant::now();
        begin(&load);
        for _ in 0..3 {
            load.pause();
            let before = load.progress();
            sleep(PAUSE);
            let after = load.progress();
            assert_eq!(before.ok_total, after.ok_total, "nothing is sent or counted");
            assert!(after.elapsed_s - before.elapsed_s < 0.01, "the clock stands still");
            assert!(!load.wait(Duration::ZERO));
            load.resume();
            sleep(Duration::from_millis(50));
        }
        assert!(load.wait(PATIENCE));
        assert!(began.elapsed() >= 3 * PAUSE + Duration::from_millis(600));
        let result = result(&load);
        let elapsed = result["elapsed_s"].as_f64().unwrap();
        assert!((0.6..0.7).contains(&elapsed), "{elapsed}");
        let slowest = result["latency_us"]["max"].as_f64().unwrap();
        assert!(
            slowest < 0.9 * PAUSE.as_micros() as f64,
            "no answer waited for a pause: {slowest}"
        );
        assert_eq!(count(&result, "ok") + count(&result, "unfinished"), count(&result, "sent"));
        // The connections outlived the pauses.
        assert_eq!(result["connections_opened"], 8);
        assert_eq!(result["series"].as_array().unwrap().len(), 1);
    }
}

#[test]
fn a_schedule_stands_still_with_its_load() {
    let server = Server::answering(|_| hello());
    for reactor in reactors() {
        let load = json!({
            "kind": "open", "connections": 8, "arrivals": "uniform",
            "phases": [{"rate": 500.0, "duration_s": 0.6}],
        });
        let load = spec(server.port, load, |spec| spec["reactor"] = json!(reactor));
        let load = Load::new(&load.to_string()).unwrap();
        begin(&load);
        for _ in 0..3 {
            load.pause();
            sleep(PAUSE);
            load.resume();
            sleep(Duration::from_millis(50));
        }
        assert!(load.wait(PATIENCE));
        let result = result(&load);
        let elapsed = result["elapsed_s"].as_f64().unwrap();
        assert!((0.55..0.7).contains(&elapsed), "{elapsed}");
        assert_eq!((count(&result, "offered"), count(&result, "ok")), (300, 300));
        let slowest = result["latency_us"]["max"].as_f64().unwrap();
        assert!(slowest < 0.9 * PAUSE.as_micros() as f64, "none waited for a pause: {slowest}");
    }
}

#[test]
fn what_is_under_way_is_neither_lost_nor_late() {
    let (waiting, go_on) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
    let (arrived, open) = (Arc::clone(&waiting), Arc::clone(&go_on));
    let server = Server::answering(move |_| {
        arrived.fetch_add(1, Ordering::SeqCst);
        while !open.load(Ordering::SeqCst) {
            sleep(Duration::from_millis(1));
        }
        hello()
    });
    // Its answers would time out, did they count the pause.
    let load = closed(server.port, 0.2, |spec| spec["timeout_s"] = json!(0.5));
    load.start().unwrap();
    while waiting.load(Ordering::SeqCst) < 8 {
        sleep(Duration::from_millis(1));
    }
    load.pause();
    sleep(Duration::from_millis(800));
    go_on.store(true, Ordering::SeqCst);
    sleep(Duration::from_millis(50));
    load.resume();
    assert!(load.wait(PATIENCE));
    let result = result(&load);
    assert_eq!(count(&result, "timed_out"), 0, "{}", result["counts"]);
    assert!(count(&result, "ok") >= 8);
}

#[test]
fn a_paused_load_can_be_stopped_and_an_ended_one_paused() {
    let server = Server::answering(|_| hello());
    let load = closed(server.port, 60.0, |_| {});
    begin(&load);
    load.pause();
    load.stop();
    assert!(load.wait(PATIENCE));
    assert_eq!(result(&load)["stopped_early"], true);

    let ended = closed(server.port, 0.1, |_| {});
    ended.start().unwrap();
    assert!(ended.wait(PATIENCE));
    ended.pause();
    ended.resume();
    assert!(count(&result(&ended), "ok") > 0);
}

#[test]
fn loads_take_turns_in_one_process() {
    let server = Server::answering(|_| hello());
    let loads = [0.3, 0.2].map(|seconds| closed(server.port, seconds, |_| {}));
    for load in &loads {
        begin(load);
        load.pause();
    }
    let mut left: Vec<&Load> = loads.iter().collect();
    let end = Instant::now() + PATIENCE;
    while !left.is_empty() {
        assert!(Instant::now() < end, "the loads do not end");
        left.retain(|load| {
            load.resume();
            let is_done = load.wait(Duration::from_millis(20));
            load.pause();
            !is_done
        });
    }
    for (load, seconds) in loads.iter().zip([0.3, 0.2]) {
        let elapsed = result(load)["elapsed_s"].as_f64().unwrap();
        assert!((seconds..seconds + 0.1).contains(&elapsed), "{elapsed}");
    }
}
