//! Requests as they go over the wire.

use super::*;
use crate::plan::spec::Spec;
use crate::plan::template::{Drawn, User};

fn compile(rest: &str) -> Result<Compiled, String> {
    let text = format!(
        r#"{{"target": {{"host": "127.0.0.1", "port": 8080}},
            "load": {{"kind": "iterations", "users": 1, "iterations": 1}},
            "variables": {{"n": {{"kind": "sequence", "start": 9, "step": 1}},
                           "i": {{"kind": "int", "min": 1, "max": 1000000}},
                           "c": {{"kind": "choice", "values": ["red", "blue"]}}}},
            {rest}}}"#
    );
    Compiled::new(&Spec::parse(&text).expect("the specification is right"))
}

/// The first `count` requests of one user.
fn requests(compiled: &Compiled, user: &mut User, count: usize) -> Vec<String> {
    let mut encoder = Encoder::new(compiled);
    (0..count).map(|_| written(compiled, &mut encoder, user).0).collect()
}

/// A user's next request, and what was drawn for it.
fn written(compiled: &Compiled, encoder: &mut Encoder, user: &mut User) -> (String, Drawn) {
    let drawn = compiled.draw(user);
    let mut out = Vec::new();
    encoder.encode(&Request::new(compiled, &drawn, user.cookies()), &mut out);
    (String::from_utf8(out).unwrap(), drawn)
}

fn is_constant(compiled: &Compiled) -> bool {
    Encoder::new(compiled).requests.iter().all(|written| written.whole.is_some())
}

fn only(request: &str) -> String {
    let compiled = compile(&format!(r#""requests": [{request}]"#)).unwrap();
    requests(&compiled, &mut compiled.user(0), 1).remove(0)
}

#[test]
fn a_plain_request() {
    let request = r#"{"name": "a", "path": "/hello", "headers": [["Accept", "*/*"]]}"#;
    let expected = "GET /hello HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nAccept: */*\r\n\r\n";
    assert_eq!(only(request), expected);
    let compiled = compile(&format!(r#""requests": [{request}]"#)).unwrap();
    assert!(is_constant(&compiled));
}

#[test]
fn a_host_of_ones_own_replaces_the_targets() {
    let request = r#"{"name": "a", "path": "/", "headers": [["host", "example.test"]]}"#;
    assert_eq!(only(request), "GET / HTTP/1.1\r\nhost: example.test\r\n\r\n");
}

#[test]
fn a_body_brings_its_length() {
    let request = r#"{"name": "a", "method": "PUT", "path": "/", "body": "grün {{}}"}"#;
    let expected = "PUT / HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nContent-Length: 8\r\n\r\ngrün {}";
    assert_eq!(only(request), expected);
    let request = r#"{"name": "a", "method": "POST", "path": "/"}"#;
    assert!(only(request).ends_with("\r\nContent-Length: 0\r\n\r\n"));
    let request = r#"{"name": "a", "method": "DELETE", "path": "/", "body": ""}"#;
    assert!(!only(request).contains("Content-Length"));
}

#[test]
fn variables_are_drawn_once_a_request_and_fill_every_part() {
    let request = r#"{"name": "a", "method": "POST", "path": "/{n}/{c}?n={n}",
        "headers": [["X", "{i}"]], "body": "{{\"n\": {n}}}"}"#;
    let compiled = compile(&format!(r#""requests": [{request}]"#)).unwrap();
    assert!(!is_constant(&compiled));
    let (mut encoder, mut user) = (Encoder::new(&compiled), compiled.user(3));
    for n in 9..100 {
        let (text, drawn) = written(&compiled, &mut encoder, &mut user);
        let values = compiled.values(&drawn);
        let value = |name: &str| &values.iter().find(|(known, _)| known == name).unwrap().1;
        let (c, i) = (value("c"), value("i"));
        assert_eq!(*value("n"), n.to_string());
        assert!(["red", "blue"].contains(&c.as_str()));
        let length = format!("{{\"n\": {n}}}").len();
        let expected = format!(
            "POST /{n}/{c}?n={n} HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nX: {i}\r\n\
            Content-Length: {length}\r\n\r\n{{\"n\": {n}}}"
        );
        assert_eq!(text, expected);
    }
}

#[test]
fn users_draw_alike_for_a_seed_and_differ_from_each_other() {
    let compile = |seed| {
        let request = r#"[{"name": "a", "path": "/{i}"}]"#;
        compile(&format!(r#""seed": {seed}, "requests": {request}"#)).unwrap()
    };
    let drawn = |seed, user| requests(&compile(seed), &mut compile(seed).user(user), 5);
    assert_eq!(drawn(1, 1), drawn(1, 1));
    assert_ne!(drawn(1, 1), drawn(1, 2));
    assert_ne!(drawn(1, 1), drawn(2, 1));
}

#[test]
fn users_walk_through_the_requests_in_order_or_at_random() {
    let three = r#""requests": [{"name": "a", "path": "/a"}, {"name": "b", "method": "HEAD", "path": "/b"}, {"name": "c", "path": "/c"}]"#;
    let compiled = compile(three).unwrap();
    let mut user = compiled.user(0);
    let mut draw = || compiled.draw(&mut user);
    let walk: Vec<_> = (0..5).map(|_| draw()).map(|d| (d.request_index(), d.is_head())).collect();
    assert_eq!(walk, [(0, false), (1, true), (2, false), (0, false), (1, true)]);

    let compiled = compile(&format!(r#""order": "random", {three}"#)).unwrap();
    let mut user = compiled.user(0);
    let mut counts = [0; 3];
    (0..9000).for_each(|_| counts[compiled.draw(&mut user).request_index()] += 1);
    assert!(counts.iter().all(|count| (2800..3200).contains(count)), "{counts:?}");
}

#[test]
fn cookies_are_each_users_own() {
    let request = r#"{"name": "a", "method": "POST", "path": "/", "body": "x"}"#;
    let compiled = compile(&format!(r#""cookies": true, "requests": [{request}]"#)).unwrap();
    assert!(compiled.keeps_cookies());
    let (mut first, mut second) = (compiled.user(0), compiled.user(1));
    let bare = requests(&compiled, &mut first, 1);
    first.see_headers([(&b"Date"[..], &b"a=b"[..]), (b"SET-cookie", b"s=1; Path=/")]);
    let head = "POST / HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n";
    let rest = "Content-Length: 1\r\n\r\nx";
    let with_cookie = requests(&compiled, &mut first, 1);
    assert_eq!(with_cookie, [format!("{head}Cookie: s=1\r\n{rest}")]);
    assert_eq!(requests(&compiled, &mut second, 1), bare);
    first.see_headers([(&b"Set-Cookie"[..], &b"s=; Max-Age=0"[..])]);
    assert_eq!(requests(&compiled, &mut first, 1), bare);
    assert_eq!(bare, [format!("{head}{rest}")]);
}

#[test]
fn after_their_visits_another_user_comes() {
    let request = r#"{"name": "a", "path": "/"}"#;
    for (visits, forgotten) in [("", false), (r#""visits": 2,"#, true)] {
        let spec = format!(r#""cookies": true, {visits} "requests": [{request}]"#);
        let compiled = compile(&spec).unwrap();
        let mut user = compiled.user(0);
        let first = requests(&compiled, &mut user, 1);
        user.see_headers([(&b"Set-Cookie"[..], &b"s=1"[..])]);
        *user.counter(0) = Some(1);
        let second = requests(&compiled, &mut user, 1);
        assert!(second[0].contains("Cookie: s=1"), "{second:?}");
        *user.counter(0) = Some(2);
        let third = requests(&compiled, &mut user, 1);
        assert_eq!(third == first, forgotten);
        assert_eq!(*user.counter(0), Some(if forgotten { 0 } else { 2 }));
    }
}

#[test]
fn what_cannot_be_a_request_is_refused_in_one_line() {
    for (request, expected) in [
        (r#""path": "/{m}""#, "path: unknown variable {m} (known: c, i, n); write {{ for a brace"),
        (r#""path": "/{n""#, "path: a lone '{'; write '{{' for the character"),
        (r#""path": "hello""#, "path: 'hello' must begin with '/'"),
        (
            r#""path": "/a b""#,
            "path: '/a b' has a character that a path cannot contain; percent-encode it",
        ),
        (r#""path": "/", "method": "GE T""#, "method 'GE T' is invalid; write it like GET"),
        (
            r#""path": "/", "headers": [["a b", "c"]]"#,
            "header 'a b': the name has a character that header names cannot contain; use letters, \
             digits and '-'",
        ),
        (
            r#""path": "/", "headers": [["a", "b\r\nc: d"]]"#,
            "header 'a': the value holds a control character; remove it",
        ),
        (
            r#""path": "/", "headers": [["content-length", "5"]]"#,
            "header 'content-length': the engine sets it to fit the body; leave it out",
        ),
        (r#""path": "/", "body": "}""#, "body: a lone '}'; write '}}' for the character"),
    ] {
        let error = compile(&format!(r#""requests": [{{"name": "r", {request}}}]"#)).unwrap_err();
        assert_eq!(error, format!("request 'r': {expected}"));
    }
    let cookie = r#"{"name": "r", "path": "/", "headers": [["Cookie", "a=b"]]}"#;
    let error = compile(&format!(r#""cookies": true, "requests": [{cookie}]"#)).unwrap_err();
    assert!(error.contains("the cookie jar sets it"), "{error}");
}

#[test]
fn a_request_with_too_many_variables_is_told_where_they_stand() {
    let names: Vec<String> = (0..9).map(|number| format!("v{number}")).collect();
    let variable = |name: &String| format!(r#""{name}": {{"kind": "int", "min": 1, "max": 2}}"#);
    let variables: Vec<String> = names.iter().map(variable).collect();
    let path: String = names.iter().map(|name| format!("/{{{name}}}")).collect();
    let text = format!(
        r#"{{"target": {{"host": "127.0.0.1", "port": 8080}},
            "load": {{"kind": "iterations", "users": 1, "iterations": 1}},
            "variables": {{{}}}, "requests": [{{"name": "r", "path": "{path}"}}]}}"#,
        variables.join(", ")
    );
    let error = Compiled::new(&Spec::parse(&text).unwrap()).unwrap_err();
    assert_eq!(error, "request 'r': path, headers, body: 9 variables; use at most 8");
}
