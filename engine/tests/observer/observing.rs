//! An observer of some processes, and what its result says.

use serde_json::Value;
use webdyno_engine::observer::Observer;

pub fn observe(roots: &[(&str, i32)]) -> Observer {
    let roots = roots.iter().map(|(role, pid)| ((*role).to_owned(), *pid)).collect();
    let observer = Observer::new(roots, 0.01, None).unwrap();
    observer.start().unwrap();
    observer
}

pub fn stop(observer: &Observer) -> Value {
    serde_json::from_str(&observer.stop().unwrap()).unwrap()
}

pub fn series(seen: &Value, role: &str) -> Vec<Value> {
    seen["roles"][role]["series"].as_array().unwrap().clone()
}
