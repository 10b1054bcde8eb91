//! What this machine lacks is not the server's refusal. A process of its own, because the limit of
//! open files is the whole process's.

#[path = "load/run.rs"]
#[allow(dead_code, reason = "shared with the tests of loads")]
mod run;

use std::fs::File;
use std::net::TcpListener;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::json;
use webdyno_engine::run::Load;

use run::{count, result, spec};

/// The limit for this process: enough for the loads' reservations, and little more.
const FILES: u64 = 600;

#[test]
fn open_files() {
    let hard = getrlimit(Resource::Nofile).maximum;
    let set =
        |current| setrlimit(Resource::Nofile, Rlimit { current: Some(current), maximum: hard });
    set(300).unwrap();

    // Loads that live at once share the limit: each alone would have fitted into it.
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = server.local_addr().unwrap().port();
    let closed = |connections: u64| {
        let load = json!({"kind": "closed", "connections": connections, "duration_s": 0.3});
        spec(port, load, |spec| spec["timeout_s"] = json!(0.1)).to_string()
    };
    let loads: Vec<Load> = (0..3).map(|_| Load::new(&closed(200)).unwrap()).collect();
    let raised = getrlimit(Resource::Nofile).current.unwrap();
    assert!(raised >= 3 * 200 + 256, "{raised}");
    drop(loads);

    // A hard limit that is too low is told up front.
    let lower = Rlimit { current: Some(FILES), maximum: Some(FILES) };
    setrlimit(Resource::Nofile, lower).unwrap();
    let refused = Load::new(&closed(500)).unwrap_err();
    assert!(refused.contains("ulimit -Hn") && !refused.contains('\n'), "{refused}");

    // Files that run out afterwards are this machine's limit, not the server's refusal. Its queue
    // takes connections, though nobody answers them.
    let load = Load::new(&closed(40)).unwrap();
    let mut used: Vec<File> = Vec::new();
    while let Ok(file) = File::open("/dev/null") {
        used.push(file);
    }
    used.truncate(used.len() - 12);
    load.start().unwrap();
    assert!(load.wait(std::time::Duration::from_secs(20)));
    drop(used);
    let result = result(&load);
    assert!(count(&result, "client_limit") > 0, "{}", result["counts"]);
    assert_eq!(count(&result, "refused"), 0, "{}", result["errors_detail"]);
    let details = result["errors_detail"].as_array().unwrap();
    let told = |line: &serde_json::Value| {
        line["kind"] == "client_limit" && line["detail"] == "too many open files"
    };
    assert!(details.iter().any(told), "{details:?}");
    drop(server);
}
