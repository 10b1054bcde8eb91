//! Every request is a line of the file that the specification names.

use std::path::PathBuf;

use serde_json::json;

use crate::run::{count, result, run, spec};
use crate::server::{Server, hello};

/// A file that is removed in the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let name = format!("webdyno-record-{}-{name}", std::process::id());
        Scratch(std::env::temp_dir().join(name))
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }

    /// Its lines without the heading, cut at commas.
    fn rows(&self) -> Vec<Vec<String>> {
        let text = std::fs::read_to_string(&self.0).unwrap();
        let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect());
        let heading: Vec<String> = lines.next().unwrap();
        assert_eq!(heading[..3], ["timeStamp", "elapsed", "label"]);
        lines.collect()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn each_request_of_each_thread_is_a_line() {
    let (server, file) = (Server::answering(|_| hello()), Scratch::new("all"));
    let load = json!({"kind": "iterations", "users": 5, "iterations": 700});
    let result = run(&spec(server.port, load, |spec| {
        spec["threads"] = json!(2);
        spec["record"] = json!(file.path());
    }));
    assert_eq!(count(&result, "ok"), 3500);
    let rows = file.rows();
    assert_eq!(rows.len(), 3500);
    let bytes =
        |column: usize| -> u64 { rows.iter().map(|row| row[column].parse::<u64>().unwrap()).sum() };
    assert_eq!(bytes(8), result["bytes_received"].as_u64().unwrap());
    assert_eq!(bytes(9), result["bytes_sent"].as_u64().unwrap());
    assert!(rows.iter().all(|row| row[2..5] == ["hello", "200", "OK"] && row[6] == "true"));
    let threads = |name: &str| rows.iter().filter(|row| row[5] == name).count();
    assert_eq!(threads("load 1-1") + threads("load 1-2"), 3500);
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    let begun: u128 = rows[0][0].parse().unwrap();
    assert!(now.as_millis() - begun < 60_000);
}

#[test]
fn failures_are_lines_too() {
    let (server, file) = (Server::answering(|_| hello()), Scratch::new("failures"));
    let load = json!({"kind": "iterations", "users": 2, "iterations": 10});
    let result = run(&spec(server.port, load, |spec| {
        spec["requests"][0]["checks"] = json!([{"kind": "equals", "text": "Goodbye"}]);
        spec["record"] = json!(file.path());
    }));
    assert_eq!(count(&result, "failed_check"), 20);
    let rows = file.rows();
    assert_eq!(rows.len(), 20);
    assert!(rows.iter().all(|row| row[3..5] == ["200", "failed_check"] && row[6] == "false"));
}

#[test]
fn a_request_that_found_no_connection_is_none_of_the_requests() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let file = Scratch::new("refused");
    let load = json!({"kind": "iterations", "users": 2, "iterations": 3});
    let result = run(&spec(port, load, |spec| spec["record"] = json!(file.path())));
    assert_eq!(count(&result, "refused"), 6);
    let rows = file.rows();
    assert_eq!(rows.len(), 6);
    assert!(rows.iter().all(|row| row[2] == "none" && row[4] == "refused"), "{rows:?}");
}

#[test]
fn a_file_that_cannot_be_written_ends_the_load_before_it_begins() {
    let server = Server::answering(|_| hello());
    let load = json!({"kind": "iterations", "users": 1, "iterations": 1});
    let spec = spec(server.port, load, |spec| spec["record"] = json!("/nowhere/at/all.jtl"));
    let load = webdyno_engine::run::Load::new(&spec.to_string()).unwrap();
    let error = load.start().unwrap_err();
    assert!(error.starts_with("record: /nowhere/at/all.jtl: cannot be written"), "{error}");
    assert_eq!(server.requests(), 0);
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_takes_nothing_from_the_figures() {
    let server = Server::answering(|_| hello());
    let load = json!({"kind": "iterations", "users": 1, "iterations": 3});
    let spec = spec(server.port, load, |spec| spec["record"] = json!("/dev/full"));
    let load = webdyno_engine::run::Load::new(&spec.to_string()).unwrap();
    load.start().unwrap();
    assert!(load.wait(std::time::Duration::from_secs(30)));
    let error = load.result().unwrap_err();
    assert!(error.starts_with("record: /dev/full: not complete: No space left"), "{error}");
    assert!(error.ends_with("; make room there, or name another file"), "{error}");
    assert_eq!(count(&result(&load), "ok"), 3);
}
