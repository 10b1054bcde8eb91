use std::time::{Duration, Instant};

use super::*;
use crate::plan::spec::Spec;

const KEY: [u8; 16] = *b"the sample nonce";

fn upgrade(headers: &str) -> Upgrade {
    let text = format!(
        r#"{{"target": {{"host": "localhost", "port": 8080}},
            "load": {{"kind": "iterations", "users": 1, "iterations": 1}},
            "requests": [{{"name": "r", "path": "/ws?a=b", "websocket": true, "message": "",
                           "headers": {headers}}}]}}"#
    );
    Upgrade::new(&Compiled::new(&Spec::parse(&text).unwrap()).unwrap())
}

/// What becomes of an answer with these header lines that comes in pieces of `size` bytes.
fn answered(upgrade: &Upgrade, head: &str, size: usize) -> Result<Option<usize>, Refusal> {
    let mut awaited = upgrade.request(KEY, &mut Vec::new());
    let head = head.replace("{accept}", &awaited.accept);
    for piece in head.as_bytes().chunks(size) {
        if let Some(taken) = upgrade.read(&mut awaited, piece)? {
            return Ok(Some(taken));
        }
    }
    Ok(None)
}

const GRANTED: &str = "HTTP/1.1 101 Switching Protocols\r\nupgrade: WebSocket\r\n\
                       connection: keep-alive, upgrade\r\nSec-WebSocket-Accept: {accept}\r\n";

#[test]
fn the_example_of_the_standard() {
    // Section 1.3.
    assert_eq!(accept("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    let mut out = Vec::new();
    upgrade(r#"[["Origin", "http://a.test"]]"#).request(KEY, &mut out);
    let out = String::from_utf8(out).unwrap();
    assert!(out.starts_with("GET /ws?a=b HTTP/1.1\r\nHost: localhost:8080\r\nOrigin: http"));
    assert!(out.ends_with("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"), "{out}");
}

#[test]
fn an_upgrade_is_granted_in_whatever_pieces() {
    let upgrade = upgrade(r#"[["Sec-WebSocket-Protocol", "chat, Echo"]]"#);
    let head = format!("{GRANTED}Sec-WebSocket-Protocol: Echo\r\n\r\n");
    for size in [1, 7, 4096] {
        let taken = answered(&upgrade, &head, size).unwrap();
        assert!(taken.is_some(), "{size}");
    }
    let both = format!("{GRANTED}Sec-WebSocket-Protocol: chat, echo\r\n\r\n");
    assert!(answered(&upgrade, &both, 4096).is_err());
    // What follows the head is not of it.
    let followed = format!("{GRANTED}\r\n\u{1}\u{2}");
    let length = answered(&upgrade, &followed, 4096).unwrap().unwrap();
    let alone = format!("{GRANTED}\r\n").replace("{accept}", &"x".repeat(28)).len();
    assert_eq!(length, alone);
    assert_eq!(answered(&upgrade, GRANTED, 9), Ok(None));
}

#[test]
fn a_head_that_drips_in_is_not_read_again_with_every_byte() {
    let head = format!("HTTP/1.1 101 S\r\nX: {}", "x".repeat(HEAD_BYTES));
    let (began, upgrade) = (Instant::now(), upgrade("[]"));
    let refusal = answered(&upgrade, &head, 1).expect_err("too long");
    assert!(refusal.failure.to_string().contains("too long"));
    // Minutes, where each byte has all before it read again.
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
}

#[test]
fn what_is_wrong_with_an_answer_is_told() {
    let cases = [
        ("HTTP/1.1 404 Not Found\r\n\r\n".to_owned(), UpgradeFailure::Status, "status 404"),
        (format!("{GRANTED}\r\n").replace("101", "200"), UpgradeFailure::Status, "200"),
        (
            format!("{GRANTED}\r\n").replace("{accept}", "{accept}="),
            UpgradeFailure::Accept,
            "Accept",
        ),
        (format!("{GRANTED}\r\n").replace("Accept", "Accepts"), UpgradeFailure::Accept, "Accept"),
        (
            format!("{GRANTED}Sec-WebSocket-Accept: {{accept}}\r\n\r\n"),
            UpgradeFailure::Accept,
            "Accept",
        ),
        (
            format!("{GRANTED}\r\n").replace("WebSocket\r", "h2c\r"),
            UpgradeFailure::Headers,
            "Upgrade",
        ),
        (format!("{GRANTED}\r\n").replace(", upgrade", ""), UpgradeFailure::Headers, "Connection"),
        (
            format!("{GRANTED}Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n"),
            UpgradeFailure::Headers,
            "extension",
        ),
        (
            format!("{GRANTED}Sec-WebSocket-Protocol: chat\r\n\r\n"),
            UpgradeFailure::Headers,
            "subprotocol",
        ),
        ("220 smtp.example.test\r\n".to_owned(), UpgradeFailure::Malformed, "HTTP/1.1"),
        (
            format!("HTTP/1.1 101 S\r\nX: {}", "x".repeat(HEAD_BYTES)),
            UpgradeFailure::Malformed,
            "too long",
        ),
    ];
    for (head, kind, named) in cases {
        for size in [13, 100_000] {
            let refusal = answered(&upgrade("[]"), &head, size).expect_err(named);
            let text = refusal.failure.to_string();
            assert_eq!(refusal.kind, kind, "{text}");
            assert!(text.starts_with("WebSocket: ") && text.contains(named), "{text}");
        }
    }
}

#[test]
fn interim_answers_may_come_before_the_one_that_grants() {
    let upgrade = upgrade("[]");
    let hints = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n";
    let head = format!("{hints}{hints}{GRANTED}\r\n");
    for size in [1, 7, 4096] {
        assert!(answered(&upgrade, &head, size).unwrap().is_some(), "{size}");
    }
    let followed = format!("{head}\u{1}\u{2}");
    let whole = head.replace("{accept}", &"x".repeat(28)).len();
    assert_eq!(answered(&upgrade, &followed, 4096), Ok(Some(whole)));
    let refused = format!("{hints}HTTP/1.1 404 Not Found\r\n\r\n");
    assert!(answered(&upgrade, &refused, 4096).is_err());
    // A server that says nothing else is not listened to for ever.
    let endless = "HTTP/1.1 100 Continue\r\n\r\n".repeat(HEAD_BYTES / 25 + 1);
    assert!(answered(&upgrade, &endless, 4096).is_err());
}
