//! Rendering a request allocates nothing once buffers have grown.
//!
//! A test program of its own, because it counts every allocation.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use webdyno_engine::check::Checks;
use webdyno_engine::check::changes::{Changes, View};
use webdyno_engine::plan::spec::Spec;
use webdyno_engine::plan::template::{Compiled, Request};
use webdyno_engine::protocol::http1::Encoder;

struct Counting;

thread_local! {
    /// This thread's, because the test harness allocates on its own.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call is handed to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller's promises are the system allocator's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are the system allocator's.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn neither_requests_nor_passed_checks_nor_known_cookies_allocate() {
    let spec = Spec::parse(
        r#"{"target": {"host": "127.0.0.1", "port": 80},
            "load": {"kind": "iterations", "users": 1, "iterations": 1}, "cookies": true,
            "variables": {"n": {"kind": "int", "min": 1, "max": 100},
                          "c": {"kind": "choice", "values": ["a", "b"]},
                          "s": {"kind": "sequence", "start": 1, "step": 1}},
            "requests": [
              {"name": "a", "method": "POST", "path": "/{n}/{c}", "body": "{s} {s}", "checks": [
                {"kind": "contains", "text": "x{n}"}, {"kind": "length", "min": 1},
                {"kind": "matches", "pattern": "^[0-9xab ]+$"}]},
              {"name": "b", "path": "/", "checks": [{"kind": "status", "equals": 200}]}]}"#,
    )
    .unwrap();
    let compiled = Compiled::new(&spec).unwrap();
    let checks = Checks::new(&spec, &compiled).unwrap();
    let changes = Changes::new(&checks);
    let mut view = View::new(&changes);
    let (mut encoder, mut user) = (Encoder::new(&compiled), compiled.user(0));
    let bodies: Vec<String> = (0..=100).map(|n| format!("x{n}")).collect();
    let (mut out, mut failures) = (Vec::with_capacity(1024), 0);
    let mut before = 0;
    for round in 0..12_000 {
        if round == 11_000 {
            before = ALLOCATIONS.get();
        }
        out.clear();
        let drawn = compiled.draw(&mut user);
        encoder.encode(&Request::new(&compiled, &drawn, user.cookies()), &mut out);
        let text = std::str::from_utf8(&out).unwrap();
        let n = text.strip_prefix("POST /").and_then(|rest| rest.split('/').next());
        let body = n.map_or("", |n| &bodies[n.parse::<usize>().unwrap()]).as_bytes();
        let (length, right) = (body.len() as u64, view.right(changes.settled()));
        let verdict = checks.verify(200, body, length, &drawn, &mut user, right);
        failures += usize::from(verdict.is_err());
        user.see_headers([(&b"Set-Cookie"[..], &b"sid=abc; Path=/"[..])]);
    }
    assert_eq!(failures, 0);
    assert_eq!(ALLOCATIONS.get() - before, 0);
}
