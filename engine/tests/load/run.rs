//! Runs loads and reads their results.

#[path = "kernel.rs"]
mod kernel;

use std::time::Duration;

use serde_json::{Value, json};
use webdyno_engine::reactor::{Uring, Waker};
use webdyno_engine::run::Load;

/// No test's load lasts this long, on a busy machine either.
const PATIENCE: Duration = Duration::from_secs(120);

/// The specification of a load of `GET /` on a port, changed by `change`.
pub fn spec(port: u16, load: Value, change: impl FnOnce(&mut Value)) -> Value {
    let mut spec = json!({
        "target": {"host": "127.0.0.1", "port": port},
        "load": load,
        "timeout_s": 5.0,
        "requests": [{
            "name": "hello",
            "path": "/",
            "checks": [{"kind": "status", "equals": 200}, {"kind": "equals", "text": "Hello World"}],
        }],
    });
    change(&mut spec);
    spec
}

/// The reactors of this machine.
pub fn reactors() -> Vec<&'static str> {
    if !kernel::offers_uring() {
        return vec!["epoll"];
    }
    let made = Uring::new(1, Waker::new().unwrap(), false);
    made.expect("the kernel has io_uring and allows it");
    vec!["epoll", "io_uring"]
}

/// Runs a load to its end; its result, which counted right.
pub fn run(spec: &Value) -> Value {
    let load = Load::new(&spec.to_string()).unwrap();
    load.start().unwrap();
    assert!(load.wait(PATIENCE), "the load did not end");
    result(&load)
}

/// The result of a load that has ended.
pub fn result(load: &Load) -> Value {
    let result = serde_json::to_value(load.result().unwrap()).unwrap();
    assert_adds_up(&result);
    result
}

/// One count of a result.
pub fn count(result: &Value, kind: &str) -> u64 {
    result["counts"][kind].as_u64().unwrap_or_else(|| panic!("no count {kind}"))
}

/// The counts that are not zero, as pairs sorted by kind.
pub fn counts(result: &Value) -> Vec<(String, u64)> {
    let counts = result["counts"].as_object().unwrap();
    let counts = counts.iter().map(|(kind, count)| (kind.clone(), count.as_u64().unwrap()));
    counts.filter(|(_, count)| *count > 0).collect()
}

/// What must hold of every result, whatever the server did.
fn assert_adds_up(result: &Value) {
    let sum = |kinds: &[&str]| kinds.iter().map(|kind| count(result, kind)).sum::<u64>();
    let due = ["sent", "not_sent", "refused", "client_limit"];
    assert_eq!(count(result, "offered"), sum(&due), "{result}");
    let outcomes =
        ["ok", "wrong_status", "failed_check", "reset", "timed_out", "malformed", "unfinished"];
    assert_eq!(count(result, "sent"), sum(&outcomes), "{result}");

    let names = result["by_request"].as_array().unwrap();
    for kind in outcomes.into_iter().chain(["sent"]) {
        let total: u64 = names.iter().map(|name| name["counts"][kind].as_u64().unwrap()).sum();
        assert_eq!(total, count(result, kind), "{kind} by name in {result}");
    }
    let seconds = result["series"].as_array().unwrap();
    for kind in ["offered", "sent", "ok"] {
        let total: u64 = seconds.iter().map(|second| second[kind].as_u64().unwrap()).sum();
        assert_eq!(total, count(result, kind), "{kind} in the series of {result}");
    }
    for latency in
        ["latency_us", "latency_from_send_us", "send_lag_us", "first_byte_us", "connect_us"]
    {
        let at = |quantile: &str| result[latency][quantile].as_f64().unwrap();
        let rising = [at("min"), at("p50"), at("p90"), at("p99"), at("p999"), at("max")];
        assert!(rising.is_sorted(), "{latency}: {rising:?}");
    }
    let elapsed = result["elapsed_s"].as_f64().unwrap();
    let throughput = result["throughput_rps"].as_f64().unwrap();
    let ok = count(result, "ok") as f64;
    assert!((throughput * elapsed - ok).abs() <= ok * 1e-9, "{result}");
}
