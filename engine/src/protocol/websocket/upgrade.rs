//! The upgrade from HTTP/1.1: the request for it, and whether the server's answer grants it
//! (section 4).

use std::mem::MaybeUninit;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use ring::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};

use crate::check::SWITCHING;
use crate::plan::template::{Compiled, Template};
use crate::reactor::Failure;
use crate::record::websocket::UpgradeFailure;

/// What a server appends to the key before it hashes both.
const GUID: &str = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
/// Bytes of an answer's head, at most, as for HTTP/1.1.
const HEAD_BYTES: usize = 64 * 1024;
/// Headers of an answer, at most.
const HEADERS: usize = 256;

/// The request for an upgrade, but for its key.
#[derive(Debug)]
pub(super) struct Upgrade {
    head: Vec<u8>,
    /// The subprotocols that are offered, in lower case.
    offered: Vec<String>,
}

impl Upgrade {
    /// That of a load, whose messages all go the same way.
    pub(super) fn new(compiled: &Compiled) -> Upgrade {
        let template: &Template = &compiled.templates()[0];
        // What is drawn is refused here by `Compiled`.
        let path = template.path.constant().unwrap_or_default();
        let mut head = [&b"GET "[..], path, b" HTTP/1.1\r\n"].concat();
        let mut offered = Vec::new();
        for (name, value) in &template.headers {
            let value = value.constant().unwrap_or_default();
            if name.eq_ignore_ascii_case("sec-websocket-protocol") {
                offered.extend(tokens(value));
            }
            head.extend([name.as_bytes(), b": ", value, b"\r\n"].concat());
        }
        head.extend(b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n");
        Upgrade { head, offered }
    }

    /// Appends the request with a key of these random bytes; what its answer is to be read by.
    pub(super) fn request(&self, random: [u8; 16], out: &mut Vec<u8>) -> Awaited {
        let key = BASE64.encode(random);
        out.extend_from_slice(&self.head);
        out.extend_from_slice(b"Sec-WebSocket-Key: ");
        out.extend_from_slice(key.as_bytes());
        out.extend_from_slice(b"\r\n\r\n");
        Awaited { accept: accept(&key), head: Vec::new() }
    }

    /// Reads a piece of the answer: how many bytes of it the answer's head took, once it is whole and
    /// grants the upgrade.
    ///
    /// # Errors
    /// Why there is none.
    pub(super) fn read(
        &self,
        awaited: &mut Awaited,
        piece: &[u8],
    ) -> Result<Option<usize>, Refusal> {
        let before = awaited.head.len();
        awaited.head.extend_from_slice(piece);
        let within = &awaited.head[..awaited.head.len().min(HEAD_BYTES)];
        match self.check(within, &awaited.accept)? {
            Some(length) => Ok(Some(length - before)),
            None if within.len() == HEAD_BYTES => Err(Refusal::malformed("its head is too long")),
            None => Ok(None),
        }
    }

    /// Checks the head that an answer begins with (section 4.1): its length, once it is whole.
    fn check(&self, head: &[u8], accept: &str) -> Result<Option<usize>, Refusal> {
        let mut headers = [MaybeUninit::uninit(); HEADERS];
        let mut answer = httparse::Response::new(&mut []);
        let parsed = httparse::ParserConfig::default().parse_response_with_uninit_headers(
            &mut answer,
            head,
            &mut headers,
        );
        let length = match parsed {
            Ok(httparse::Status::Complete(length)) => length,
            Ok(httparse::Status::Partial) => return Ok(None),
            Err(error) => return Err(Refusal::malformed(&error.to_string())),
        };
        let status = answer.code.unwrap_or(0);
        if status != SWITCHING {
            let text = format!("the server answered status {status}, not 101");
            return Err(Refusal::new(UpgradeFailure::Status, &text));
        }
        let all = |name: &'static str| {
            let named = answer.headers.iter().filter(move |h| h.name.eq_ignore_ascii_case(name));
            named.map(|header| header.value)
        };
        let has = |name, token: &str| all(name).flat_map(tokens).any(|found| found == token);
        let header = |text: &str| Err(Refusal::new(UpgradeFailure::Headers, text));
        if !has("upgrade", "websocket") {
            return header("the answer lacks Upgrade: websocket");
        }
        if !has("connection", "upgrade") {
            return header("the answer lacks Connection: Upgrade");
        }
        let mut accepts = all("sec-websocket-accept");
        if accepts.next() != Some(accept.as_bytes()) || accepts.next().is_some() {
            let text = "Sec-WebSocket-Accept does not match the key";
            return Err(Refusal::new(UpgradeFailure::Accept, text));
        }
        if all("sec-websocket-extensions").flat_map(tokens).next().is_some() {
            return header("the server chose an extension, though none was offered");
        }
        let mut chosen = all("sec-websocket-protocol").flat_map(tokens);
        if chosen.any(|chosen| !self.offered.contains(&chosen)) {
            return header("the server chose a subprotocol that was not offered");
        }
        Ok(Some(length))
    }
}

/// What is known of an upgrade that was asked for.
#[derive(Debug)]
pub(super) struct Awaited {
    /// The one right value of `Sec-WebSocket-Accept`.
    accept: String,
    /// The answer so far.
    head: Vec<u8>,
}

/// Why a connection was not upgraded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) kind: UpgradeFailure,
    pub(super) failure: Failure,
}

impl Refusal {
    pub(super) fn new(kind: UpgradeFailure, text: &str) -> Refusal {
        Refusal { kind, failure: Failure::Protocol(format!("WebSocket: {text}").into()) }
    }

    fn malformed(text: &str) -> Refusal {
        Refusal::new(UpgradeFailure::Malformed, &format!("the answer is not HTTP/1.1: {text}"))
    }
}

/// What a server proves by that it has read a key (section 4.2.2).
fn accept(key: &str) -> String {
    // The protocol asks for SHA-1; nothing is kept safe by it.
    let hash = digest(&SHA1_FOR_LEGACY_USE_ONLY, [key, GUID].concat().as_bytes());
    BASE64.encode(hash)
}

/// The tokens of a list, in lower case.
fn tokens(value: &[u8]) -> impl Iterator<Item = String> {
    let tokens = value.split(|&byte| byte == b',').map(<[u8]>::trim_ascii);
    let tokens = tokens.filter(|token| !token.is_empty());
    tokens.map(|token| String::from_utf8_lossy(token).to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
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
        // What follows the head is not of it.
        let followed = format!("{GRANTED}\r\n\u{1}\u{2}");
        let length = answered(&upgrade, &followed, 4096).unwrap().unwrap();
        let alone = format!("{GRANTED}\r\n").replace("{accept}", &"x".repeat(28)).len();
        assert_eq!(length, alone);
        assert_eq!(answered(&upgrade, GRANTED, 9), Ok(None));
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
            (
                format!("{GRANTED}\r\n").replace("Accept", "Accepts"),
                UpgradeFailure::Accept,
                "Accept",
            ),
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
            (
                format!("{GRANTED}\r\n").replace(", upgrade", ""),
                UpgradeFailure::Headers,
                "Connection",
            ),
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
}
