//! What a load over WebSocket can be: one upgrade a connection, then messages.

use super::{CheckSpec, RequestSpec, Spec};

/// Headers that the upgrade is made of (RFC 6455, section 4.1). Extensions are not offered.
const OF_UPGRADE: [&str; 6] = [
    "connection",
    "upgrade",
    "sec-websocket-key",
    "sec-websocket-version",
    "sec-websocket-extensions",
    "sec-websocket-accept",
];

impl Spec {
    /// Refuses what WebSocket cannot be combined with.
    pub(super) fn validate_websocket(&self) -> Result<(), String> {
        let named = |request: &RequestSpec, error: String| {
            Err(format!("request '{}': {error}", request.name))
        };
        if !self.is_websocket() {
            return match self.requests.iter().find(|request| request.message.is_some()) {
                Some(request) => {
                    named(request, "message: belongs to websocket; set it to true".to_owned())
                }
                None => Ok(()),
            };
        }
        if self.http2.is_some() {
            return Err("http2: websocket upgrades HTTP/1.1; leave one out".to_owned());
        }
        if self.cookies {
            return Err("cookies: users keep none over websocket; set it to false".to_owned());
        }
        let first = &self.requests[0];
        for request in &self.requests {
            if let Err(error) = message(request, first) {
                return named(request, error);
            }
        }
        Ok(())
    }
}

/// Whether `request` is a message that can share a connection with the `first`.
fn message(request: &RequestSpec, first: &RequestSpec) -> Result<(), String> {
    if !request.websocket {
        return Err("websocket: false beside requests where it is true; set all alike".to_owned());
    }
    if request.message.is_none() {
        return Err("message: missing; give the text to send over websocket".to_owned());
    }
    if request.method != "GET" {
        return Err(format!("method: {}; websocket upgrades by GET, leave it out", request.method));
    }
    if request.body.is_some() {
        return Err("body: websocket sends a message; leave the body out".to_owned());
    }
    if (&request.path, &request.headers) != (&first.path, &first.headers) {
        return Err(format!(
            "path, headers: not those of request '{}'; messages share a connection, which is \
             upgraded once",
            first.name
        ));
    }
    for (name, _) in &request.headers {
        if OF_UPGRADE.iter().any(|other| name.eq_ignore_ascii_case(other)) {
            return Err(format!("header '{name}': websocket sets it; leave it out"));
        }
    }
    if request.checks.iter().any(|check| matches!(check, CheckSpec::Status { .. })) {
        return Err("check status: a message has none; leave it out".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn parse(change: impl FnOnce(&mut Value)) -> Result<Spec, String> {
        let mut spec = json!({
            "target": {"host": "127.0.0.1", "port": 8080},
            "load": {"kind": "closed", "connections": 4, "duration_s": 1.0},
            "requests": [{"name": "echo", "path": "/ws", "websocket": true, "message": "Hello"}],
        });
        change(&mut spec);
        Spec::parse(&spec.to_string())
    }

    #[test]
    fn messages_may_differ_and_their_checks_may() {
        let spec = parse(|spec| {
            let check = json!([{"kind": "equals", "text": "Bye"}]);
            let bye = json!({"name": "bye", "path": "/ws", "websocket": true, "message": "Bye",
                             "checks": check});
            spec["requests"].as_array_mut().unwrap().push(bye);
        });
        assert!(spec.unwrap().is_websocket());
    }

    #[test]
    fn what_cannot_be_combined_is_one_line_that_names_it() {
        let cases: [(&str, Value, &str); 10] = [
            ("/http2", json!({"streams": 2}), "http2: "),
            ("/cookies", json!(true), "cookies: "),
            ("/requests/0/websocket", json!(false), "request 'echo': message: "),
            ("/requests/0/message", Value::Null, "request 'echo': message: "),
            ("/requests/0/method", json!("POST"), "request 'echo': method: POST"),
            ("/requests/0/body", json!("x"), "request 'echo': body: "),
            ("/requests/0/headers", json!([["upgrade", "x"]]), "request 'echo': header 'upgrade'"),
            (
                "/requests/0/checks",
                json!([{"kind": "status", "equals": 101}]),
                "request 'echo': check status: ",
            ),
            (
                "/requests/1",
                json!({"name": "b", "path": "/b", "websocket": true, "message": ""}),
                "request 'b': path, headers: ",
            ),
            ("/requests/1", json!({"name": "b", "path": "/ws"}), "request 'b': websocket: "),
        ];
        for (pointer, value, named) in cases {
            let error = parse(|spec| {
                let (parent, key) = pointer.rsplit_once('/').unwrap();
                let parent = spec.pointer_mut(parent).unwrap();
                match parent.as_array_mut() {
                    Some(list) => list.push(value),
                    None => parent[key] = value,
                }
            });
            let error = error.expect_err(pointer);
            assert!(error.starts_with(named) && !error.contains('\n'), "{pointer}: {error}");
        }
    }
}
