//! Frames of HTTP/2, byte by byte (RFC 9113, section 4.1).

use crate::server::Peer;

pub const DATA: u8 = 0;
pub const HEADERS: u8 = 1;
pub const RST_STREAM: u8 = 3;
pub const SETTINGS: u8 = 4;
pub const PUSH_PROMISE: u8 = 5;
pub const PING: u8 = 6;
pub const GOAWAY: u8 = 7;
pub const WINDOW_UPDATE: u8 = 8;
pub const CONTINUATION: u8 = 9;
const ACK: u8 = 1;

/// The bytes of a frame.
pub fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let mut frame = (payload.len() as u32).to_be_bytes()[1..].to_vec();
    frame.extend([kind, flags]);
    frame.extend(stream.to_be_bytes());
    frame.extend_from_slice(payload);
    frame
}

/// Sends a frame; a client that is gone is no matter.
pub fn send(peer: &mut Peer, kind: u8, flags: u8, stream: u32, payload: &[u8]) {
    peer.write(frame(kind, flags, stream, payload));
}

/// Waits for the next request, acknowledging settings; its stream, `None` at the end.
pub fn request(peer: &mut Peer) -> Option<u32> {
    loop {
        let head = peer.take(9)?;
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
        peer.take(length as usize)?;
        let stream = u32::from_be_bytes([head[5], head[6], head[7], head[8]]);
        match (head[3], head[4]) {
            (HEADERS, _) => return Some(stream),
            (SETTINGS, 0) => send(peer, SETTINGS, ACK, 0, b""),
            _ => {}
        }
    }
}

/// Speaks HTTP/2 up to the answers, which are whatever `answer` does.
pub fn serve(peer: &mut Peer, answer: fn(&mut Peer, u32)) {
    peer.swallow(24);
    send(peer, SETTINGS, 0, 0, b"");
    while let Some(stream) = request(peer) {
        answer(peer, stream);
    }
}
