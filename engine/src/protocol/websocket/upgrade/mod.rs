//! The upgrade from HTTP/1.1: the request for it, and whether the server's answer grants it
//! (section 4).

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use memchr::memchr;
use ring::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};

use crate::check::SWITCHING;
use crate::plan::template::Compiled;
use crate::protocol::HEAD_BYTES;
use crate::protocol::http1::{request_head, tokens};
use crate::reactor::Failure;
use crate::record::websocket::UpgradeFailure;

/// What a server appends to the key before it hashes both.
const GUID: &str = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
/// Headers of an answer, at most.
const HEADERS: usize = 256;
/// Bytes in which another protocol shows, though its first line may never end.
const BEGINNING: usize = 16;

/// The request for an upgrade, but for its key.
#[derive(Debug, Default)]
pub(super) struct Upgrade {
    head: Vec<u8>,
    /// The subprotocols that are offered.
    offered: Vec<Vec<u8>>,
}

impl Upgrade {
    /// That of a load, whose messages all go the same way.
    pub(super) fn new(compiled: &Compiled) -> Upgrade {
        let template = &compiled.templates()[0];
        // What is drawn is refused here by `Compiled`.
        let mut head = request_head(template).constant().unwrap_or_default().to_vec();
        let mut offered = Vec::new();
        for (name, value) in &template.headers {
            if name.eq_ignore_ascii_case("sec-websocket-protocol") {
                let value = value.constant().unwrap_or_default();
                offered.extend(tokens(value).map(<[u8]>::to_vec));
            }
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
        Awaited { accept: accept(&key), head: Vec::new(), interim: 0 }
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
        // Only an end of a line can end the head. One that drips in byte by byte would else cost the
        // square of its length.
        if before < BEGINNING || memchr(b'\n', piece).is_some() {
            while let Some(head) = self.check(&within[awaited.interim..], &awaited.accept)? {
                match head {
                    WholeHead::Interim(length) => awaited.interim += length,
                    WholeHead::Grants(length) => {
                        return Ok(Some(awaited.interim + length - before));
                    }
                }
            }
        }
        if within.len() < HEAD_BYTES {
            Ok(None)
        } else {
            Err(Refusal::malformed("its head is too long"))
        }
    }

    /// Checks the head that `head` begins with (section 4.1), once it is whole.
    fn check(&self, head: &[u8], accept: &str) -> Result<Option<WholeHead>, Refusal> {
        let mut headers = [httparse::EMPTY_HEADER; HEADERS];
        let mut answer = httparse::Response::new(&mut headers);
        let length = match answer.parse(head) {
            Ok(httparse::Status::Complete(length)) => length,
            Ok(httparse::Status::Partial) => return Ok(None),
            Err(error) => return Err(Refusal::malformed(&error.to_string())),
        };
        let status = answer.code.unwrap_or(0);
        if matches!(status, 100 | 102..200) {
            return Ok(Some(WholeHead::Interim(length)));
        }
        if status != SWITCHING {
            let text = format!("the server answered status {status}, not 101");
            return Err(Refusal::new(UpgradeFailure::Status, &text));
        }
        let all = |name: &'static str| {
            let named = answer.headers.iter().filter(move |h| h.name.eq_ignore_ascii_case(name));
            named.map(|header| header.value)
        };
        let has = |name, token: &[u8]| is_among(token, all(name).flat_map(tokens));
        let header = |text: &str| Err(Refusal::new(UpgradeFailure::Headers, text));
        if !has("upgrade", b"websocket") {
            return header("the answer lacks Upgrade: websocket");
        }
        if !has("connection", b"upgrade") {
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
        let chosen: Vec<&[u8]> = all("sec-websocket-protocol").flat_map(tokens).collect();
        let offered = |chosen| is_among(chosen, self.offered.iter().map(Vec::as_slice));
        if !chosen.iter().copied().all(offered) {
            return header("the server chose a subprotocol that was not offered");
        }
        if chosen.len() > 1 {
            return header("the server chose several subprotocols");
        }
        Ok(Some(WholeHead::Grants(length)))
    }
}

/// A head of so many bytes that is no refusal.
enum WholeHead {
    /// That of an interim answer, after which the one that counts comes (RFC 9110, section 15.2).
    Interim(usize),
    /// It grants the upgrade.
    Grants(usize),
}

/// What is known of an upgrade that was asked for.
#[derive(Debug)]
pub(super) struct Awaited {
    /// The one right value of `Sec-WebSocket-Accept`.
    accept: String,
    /// The answer so far.
    head: Vec<u8>,
    /// Bytes of it that were interim answers.
    interim: usize,
}

/// Why a connection was not upgraded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) kind: UpgradeFailure,
    pub(super) failure: Failure,
}

impl Refusal {
    fn new(kind: UpgradeFailure, text: &str) -> Refusal {
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

fn is_among<'a>(token: &[u8], mut tokens: impl Iterator<Item = &'a [u8]>) -> bool {
    tokens.any(|other| other.eq_ignore_ascii_case(token))
}

#[cfg(test)]
mod tests;
