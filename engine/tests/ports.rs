//! What becomes of a load for which one source address has too few ports. It runs in a process of its
//! own, in a network namespace that has 64 of them.

#[path = "load/run.rs"]
#[allow(dead_code, reason = "shared with the tests of loads")]
mod run;
#[path = "load/server.rs"]
#[allow(dead_code, reason = "shared with the tests of loads")]
mod server;

use std::net::{TcpListener, UdpSocket};
use std::os::fd::AsRawFd;
use std::process::Command;

use serde_json::json;
use webdyno_engine::run::Load;

use run::{count, run, spec};
use server::{Server, hello};

const RANGE: &str = "/proc/sys/net/ipv4/ip_local_port_range";

/// `command` in a network namespace of its own.
fn apart(command: &str) -> Command {
    let mut unshare = Command::new("unshare");
    unshare.args(["--map-root-user", "--net", command]);
    unshare
}

#[test]
fn one_address_has_too_few_ports() {
    if !apart("true").output().is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: this system gives out no network namespaces");
        return;
    }
    let program = std::env::current_exe().unwrap();
    let tests = ["--ignored", "--exact", "few_ports", "--nocapture"];
    let output = apart(program.to_str().unwrap()).args(tests).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{output:?}");
}

#[test]
#[ignore = "runs in the namespace that the other test makes"]
fn few_ports() {
    loopback_up();
    std::fs::write(RANGE, "40000 40063").unwrap();

    // More connections at once than ports of one address.
    let server = Server::answering(|_| hello());
    let load = |users: u64, iterations: u64| json!({"kind": "iterations", "users": users, "iterations": iterations});
    let result = run(&spec(server.port, load(100, 5), |_| {}));
    assert_eq!(count(&result, "ok"), 500, "{result}");
    assert_eq!(result["connections_opened"], 100);

    // More connections, one after the other, than ports are free again.
    let result = run(&spec(server.port, load(4, 100), |spec| {
        spec["requests"][0]["headers"] = json!([["Connection", "close"]]);
    }));
    assert_eq!(count(&result, "ok"), 400, "{result}");
    assert_eq!(result["connections_opened"], 400);

    // Over IPv6 there is one address: too many connections are refused up front.
    let listener = TcpListener::bind("[::1]:0").unwrap();
    let closed = |connections: u64| {
        let load = json!({"kind": "closed", "connections": connections, "duration_s": 0.5});
        spec(listener.local_addr().unwrap().port(), load, |spec| {
            spec["target"]["host"] = json!("::1");
            spec["timeout_s"] = json!(0.1);
        })
    };
    let refused = Load::new(&closed(65).to_string()).unwrap_err();
    assert!(refused.contains("65 connections") && refused.contains("127.0.0.1"), "{refused}");

    // And ports that run out later are not the server's refusal. Nobody answers here, so that all
    // connections are given up and opened again, while their ports are still taken.
    let result = run(&closed(60));
    assert!(count(&result, "client_limit") > 0, "{}", result["counts"]);
    assert_eq!(count(&result, "refused"), 0, "{}", result["errors_detail"]);
    let details = result["errors_detail"].as_array().unwrap();
    let told = |line: &serde_json::Value| {
        line["kind"] == "client_limit" && line["detail"] == "no port is left for another connection"
    };
    assert!(details.iter().any(told), "{details:?}");
}

/// A new namespace's loopback is down.
fn loopback_up() {
    let socket = UdpSocket::bind("0.0.0.0:0").unwrap();
    // SAFETY: an `ifreq` is of integers and unions of them, for which zeros are valid.
    let mut request: libc::ifreq = unsafe { std::mem::zeroed() };
    request.ifr_name[..2].copy_from_slice(&[b'l' as libc::c_char, b'o' as libc::c_char]);
    request.ifr_ifru.ifru_flags = (libc::IFF_UP | libc::IFF_RUNNING) as libc::c_short;
    // SAFETY: the pointer is to a live `ifreq`, of which the call reads name and flags.
    let done = unsafe { libc::ioctl(socket.as_raw_fd(), libc::SIOCSIFFLAGS, &raw const request) };
    assert_eq!(done, 0, "{}", std::io::Error::last_os_error());
}
