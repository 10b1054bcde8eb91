//! When samples are taken, what they cost, and what is refused.

use std::collections::BTreeMap;
use std::time::Duration;

use webdyno_engine::observer::Observer;

use crate::observing::{observe, series, stop};
use crate::processes::Script;

#[test]
fn samples_come_at_the_interval_and_cost_little() {
    let script = Script::start(&[]);
    let roots = BTreeMap::from([("server".to_owned(), script.pid())]);
    let observer = Observer::new(roots, 0.05, Some(0)).unwrap();
    observer.start().unwrap();
    std::thread::sleep(Duration::from_millis(1050));
    let seen = stop(&observer);
    script.end();
    let times: Vec<f64> =
        series(&seen, "server").iter().map(|sample| sample["t_s"].as_f64().unwrap()).collect();
    assert!(times.windows(2).all(|pair| pair[0] < pair[1]));
    assert!((12..=24).contains(&times.len()), "{times:?}");
    assert_eq!(seen["samples"].as_u64().unwrap(), times.len() as u64);
    assert_eq!(seen["interval_s"], 0.05);
    let cost = seen["cost_cpu_s"].as_f64().unwrap();
    // 1% of a core is the aim; this leaves room for a busy machine and an unoptimised build.
    assert!(cost > 0.0 && cost < 0.1, "{cost} s of CPU time in 1 s");
}

#[test]
fn a_pause_holds_no_samples_and_no_time() {
    let script = Script::start(&[]);
    let observer = observe(&[("server", script.pid())]);
    std::thread::sleep(Duration::from_millis(200));
    observer.pause().unwrap();
    observer.mark("paused").unwrap();
    std::thread::sleep(Duration::from_millis(600));
    observer.resume().unwrap();
    observer.mark("resumed").unwrap();
    std::thread::sleep(Duration::from_millis(200));
    let seen = stop(&observer);
    script.end();
    let at = |mark: &str| seen["marks"][mark]["t_s"].as_f64().unwrap();
    assert!(at("resumed") - at("paused") < 0.1, "{} {}", at("paused"), at("resumed"));
    let times: Vec<f64> =
        series(&seen, "server").iter().map(|sample| sample["t_s"].as_f64().unwrap()).collect();
    assert!(times.is_sorted(), "{times:?}");
    let last = times.last().unwrap();
    assert!((0.35..0.75).contains(last), "{last}");
    // It goes on as before: in the second part there are samples, too.
    assert!(times.iter().filter(|time| **time > at("resumed")).count() >= 5, "{times:?}");
}

#[test]
fn misuse_is_said_in_one_line() {
    let roots = |pid| BTreeMap::from([("server".to_owned(), pid)]);
    let own = std::process::id().cast_signed();
    let error = |roots, interval_s| Observer::new(roots, interval_s, None).map(drop).unwrap_err();
    assert!(error(roots(own), 0.0).contains("interval_s is 0; give 0.001 to 10"));
    assert!(error(roots(own), f64::NAN).contains("interval_s is NaN"));
    assert!(error(roots(i32::MAX), 0.05).contains("server: process 2147483647 cannot be read"));
    let observer = Observer::new(roots(own), 0.05, None).unwrap();
    assert!(observer.mark("early").unwrap_err().contains("call start() first"));
    assert!(observer.stop().unwrap_err().contains("call start() first"));
    assert!(observer.pause().unwrap_err().contains("call start() first"));
    assert!(observer.resume().unwrap_err().contains("call start() first"));
    observer.start().unwrap();
    assert!(observer.start().unwrap_err().contains("started already"));
    let first = observer.stop().unwrap();
    assert_eq!(observer.stop().unwrap(), first, "a second stop says the same");
}
