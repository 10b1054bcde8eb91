//! Servers that have the client reply to their frames, and read none of the replies: apart from other
//! tests, since they keep a core busy.

#[path = "hostile/frames.rs"]
#[allow(dead_code, reason = "shared with the tests of hostile servers")]
mod frames;
#[path = "load/run.rs"]
#[allow(dead_code, reason = "shared with the tests of well-behaved servers")]
mod run;
#[path = "hostile/server.rs"]
#[allow(dead_code, reason = "shared with the tests of hostile servers")]
mod server;

use serde_json::json;

use frames::{PING, SETTINGS};
use server::Peer;

/// Takes a request, and then sends such frames without end, reading nothing.
fn flood(peer: &mut Peer, kind: u8, payload: &[u8]) {
    peer.hold_little();
    peer.swallow(24);
    frames::send(peer, SETTINGS, 0, 0, b"");
    frames::request(peer);
    let many = frames::frame(kind, 0, 0, payload).repeat(1000);
    while peer.write(&many) {}
}

#[test]
fn replies_that_http2_asks_for_do_not_pile_up() {
    let servers: [fn(&mut Peer); 2] =
        [|peer| flood(peer, PING, &[7; 8]), |peer| flood(peer, SETTINGS, b"")];
    for reactor in run::reactors() {
        for server in servers {
            let load = json!({"kind": "iterations", "users": 1, "iterations": 1});
            let result = run::run(&run::spec(server::start(server), load, |spec| {
                spec["http2"] = json!({"streams": 1});
                spec["timeout_s"] = json!(60.0);
                spec["reactor"] = json!(reactor);
            }));
            let told = &result["errors_detail"];
            assert_eq!(run::count(&result, "reset"), 1, "{reactor}: {} {told}", result["counts"]);
            assert_eq!(
                told[0]["detail"],
                "HTTP/2: the server sends frames such as PING, but does not read the replies"
            );
        }
    }
}
