//! From a payload to the frame that a client sends (section 5.2).

use super::opcode::Opcode;

const FIN: u8 = 0x80;
const MASKED: u8 = 0x80;

/// Appends to `out` the one frame of `payload`, masked by `mask`.
pub(super) fn frame(opcode: Opcode, payload: &[u8], mask: [u8; 4], out: &mut Vec<u8>) {
    out.reserve(payload.len() + 14);
    out.push(FIN | opcode as u8);
    match payload.len() {
        length @ ..=125 => out.push(MASKED | length as u8),
        length @ ..=0xffff => {
            out.push(MASKED | 126);
            out.extend_from_slice(&(length as u16).to_be_bytes());
        }
        length => {
            out.push(MASKED | 127);
            out.extend_from_slice(&(length as u64).to_be_bytes());
        }
    }
    out.extend_from_slice(&mask);
    let from = out.len();
    out.extend_from_slice(payload);
    apply(mask, &mut out[from..]);
}

/// Appends the close of this `code`.
pub(super) fn close(code: u16, mask: [u8; 4], out: &mut Vec<u8>) {
    frame(Opcode::Close, &code.to_be_bytes(), mask, out);
}

/// Masks, or takes the mask off again.
fn apply(mask: [u8; 4], bytes: &mut [u8]) {
    let [a, b, c, d] = mask;
    let wide = u64::from_ne_bytes([a, b, c, d, a, b, c, d]);
    let (words, rest) = bytes.as_chunks_mut::<8>();
    for word in words {
        *word = (u64::from_ne_bytes(*word) ^ wide).to_ne_bytes();
    }
    for (byte, mask) in rest.iter_mut().zip(mask.iter().cycle()) {
        *byte ^= mask;
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use proptest::prelude::*;
    use tungstenite::protocol::Role;
    use tungstenite::{Message, WebSocket};

    #[test]
    fn the_examples_of_the_standard() {
        // Section 5.7: a single-frame masked text message, and a masked pong.
        let mask = [0x37, 0xfa, 0x21, 0x3d];
        let mut out = Vec::new();
        frame(Opcode::Text, b"Hello", mask, &mut out);
        assert_eq!(out, [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58]);
        out.clear();
        frame(Opcode::Pong, b"Hello", mask, &mut out);
        assert_eq!(out, [0x8a, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58]);
    }

    /// What another library's server reads.
    fn read(bytes: Vec<u8>) -> Message {
        WebSocket::from_raw_socket(Cursor::new(bytes), Role::Server, None).read().unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn another_library_reads_what_was_written(
            text in prop_oneof![any::<String>(), "[a-z]{100,150}", "[a-z]{65530,65540}"],
            mask: [u8; 4],
        ) {
            let payload = text.as_bytes();
            let written = |opcode, payload: &[u8]| {
                let mut out = Vec::new();
                frame(opcode, payload, mask, &mut out);
                out
            };
            let seen = read(written(Opcode::Text, payload));
            prop_assert_eq!(seen, Message::text(text.clone()));
            let seen = read(written(Opcode::Binary, payload));
            prop_assert_eq!(seen, Message::binary(payload.to_vec()));
            let short = &payload[..payload.len().min(125)];
            let seen = read(written(Opcode::Pong, short));
            prop_assert_eq!(seen, Message::Pong(short.to_vec().into()));
        }
    }
}
