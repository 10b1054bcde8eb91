//! Who is to blame for requests that are sent late.
//!
//! The load runs in a process of its own, which can be stopped as a whole while the server goes on.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use webdyno_engine::run::Load;

use crate::run::{count, reactors, spec};
use crate::server::{Server, hello};

const STALL: Duration = Duration::from_millis(300);

/// What the line with the result begins with.
const RESULT: &str = "result: ";

#[test]
#[ignore = "the process of its own, which the other tests start"]
fn apart() {
    let mut spec = String::new();
    std::io::stdin().read_to_string(&mut spec).unwrap();
    let load = Load::new(&spec).unwrap();
    load.start().unwrap();
    assert!(load.wait(Duration::from_secs(30)));
    println!("\n{RESULT}{}", serde_json::to_string(&load.result().unwrap()).unwrap());
}

/// Runs a load in a process that stands still for `STALL` after 400 ms, if it is to.
fn run_apart(spec: &Value, stalls: bool) -> Value {
    let mut load = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "stalls::apart", "--nocapture"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    load.stdin.take().unwrap().write_all(spec.to_string().as_bytes()).unwrap();
    if stalls {
        let pid = Pid::from_child(&load);
        sleep(Duration::from_millis(400));
        kill_process(pid, Signal::STOP).unwrap();
        sleep(STALL);
        kill_process(pid, Signal::CONT).unwrap();
    }
    let mut text = String::new();
    load.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    assert!(load.wait().unwrap().success());
    let line = text.lines().find_map(|line| line.strip_prefix(RESULT)).unwrap();
    serde_json::from_str(line).unwrap()
}

fn late(result: &Value) -> (u64, u64) {
    let of = |why: &str| result["generator"][why].as_u64().unwrap();
    (of("late_own"), of("late_waited"))
}

fn open(port: u16, connections: u64, reactor: &str) -> Value {
    let phases = json!([{"rate": 500.0, "duration_s": 1.4}]);
    let load = json!({"kind": "open", "connections": connections, "phases": phases});
    spec(port, load, |spec| spec["reactor"] = json!(reactor))
}

#[test]
fn a_stall_of_the_generator_is_not_laid_at_the_servers_door() {
    for reactor in reactors() {
        let server = Server::answering(|_| hello());
        let result = run_apart(&open(server.port, 2, reactor), true);
        assert_eq!(count(&result, "ok"), 700, "{result}");
        let (own, waited) = late(&result);
        // 150 requests fell due meanwhile; on two connections nearly all wait for one to be free.
        assert!(own > 100, "{reactor}: own {own}, waited {waited}");
        assert!(waited < own / 4, "{reactor}: own {own}, waited {waited}");
    }
}

#[test]
fn nor_are_answers_that_lay_unread_meanwhile() {
    // Slower than the rate allows on one connection at a time, so that both are busy all along.
    for reactor in reactors() {
        let server = Server::answering(|_| {
            sleep(Duration::from_millis(2));
            hello()
        });
        let result = run_apart(&open(server.port, 4, reactor), true);
        let (own, waited) = late(&result);
        assert!(own > 100 && own > 2 * waited, "{reactor}: own {own}, waited {waited}");
    }
}

#[test]
fn a_stall_of_the_server_is_not_laid_at_the_generators() {
    for reactor in reactors() {
        let begun = Instant::now();
        let stalled = Mutex::new(false);
        let server = Server::answering(move |_| {
            let mut stalled = stalled.lock().unwrap();
            if !*stalled && begun.elapsed() > Duration::from_millis(700) {
                sleep(STALL);
                *stalled = true;
            }
            hello()
        });
        let result = run_apart(&open(server.port, 2, reactor), false);
        let (own, waited) = late(&result);
        // On a busy machine the load's thread is held up now and then, too.
        assert!(waited > 100, "{reactor}: own {own}, waited {waited}");
    }
}

#[test]
fn a_due_request_takes_an_idle_connection_before_it_is_refused() {
    const TAKEN: usize = 200;
    for reactor in reactors() {
        // Whoever comes after the first 200 is refused, because nobody listens any more.
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        std::thread::spawn(move || {
            let taken: Vec<_> = (0..TAKEN).map(|_| listener.accept().unwrap().0).collect();
            drop(listener);
            for mut stream in taken {
                std::thread::spawn(move || {
                    let mut piece = [0; 4096];
                    while let Ok(1..) = stream.read(&mut piece) {
                        if stream.write_all(&hello()).is_err() {
                            return;
                        }
                    }
                });
            }
        });
        // After the stall 150 requests are due at once, and 100 connections to be tried again.
        let result = run_apart(&open(port, TAKEN as u64 + 100, reactor), true);
        let refused = count(&result, "refused");
        assert!(refused < 30, "{reactor}: {refused} were refused beside idle connections");
        assert!(count(&result, "ok") > 600, "{reactor}: {}", result["counts"]);
    }
}
