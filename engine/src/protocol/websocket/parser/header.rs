//! The header of a server's frame (section 5.2), from whatever pieces it comes in.

use crate::protocol::websocket::error::FrameError;
use crate::protocol::websocket::opcode::Opcode;

/// Bytes of a control frame's payload, at most.
pub(super) const LONGEST_CONTROL: usize = 125;
/// Bytes of a header, at most: a client's has a mask as well.
const LONGEST: usize = 10;

/// What a header says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Frame {
    /// Whether it is the last of its message.
    pub(super) fin: bool,
    pub(super) opcode: Opcode,
    /// Bytes of the payload.
    pub(super) length: u64,
}

/// The part of a header that has come.
#[derive(Debug, Default)]
pub(super) struct Header {
    bytes: [u8; LONGEST],
    length: usize,
}

impl Header {
    /// Takes what there is of it from `input`: how many bytes, and what it says once it is whole.
    /// `within` tells whether a message has begun before.
    pub(super) fn read(
        &mut self,
        input: &[u8],
        within: bool,
    ) -> Result<(usize, Option<Frame>), FrameError> {
        let mut taken = 0;
        while self.length < self.needed_len() {
            let Some(byte) = input.get(taken) else { return Ok((taken, None)) };
            self.bytes[self.length] = *byte;
            self.length += 1;
            taken += 1;
            if self.length == 2 {
                // What is wrong shows in the first bytes, however long the frame claims to be.
                self.check(within)?;
            }
        }
        self.length = 0;
        let opcode = Opcode::of(self.bytes[0] & 0x0f).ok_or(FrameError::ReservedOpcode)?;
        let frame = Frame { fin: self.bytes[0] & 0x80 != 0, opcode, length: self.payload()? };
        Ok((taken, Some(frame)))
    }

    /// Bytes of the header, as far as is known yet.
    fn needed_len(&self) -> usize {
        match self.bytes[1] {
            _ if self.length < 2 => 2,
            126 => 4,
            127 => 10,
            _ => 2,
        }
    }

    fn check(&self, within: bool) -> Result<(), FrameError> {
        let [first, second, ..] = self.bytes;
        if first & 0x70 != 0 {
            return Err(FrameError::ReservedBits);
        }
        if second & 0x80 != 0 {
            return Err(FrameError::Masked);
        }
        match Opcode::of(first & 0x0f).ok_or(FrameError::ReservedOpcode)? {
            Opcode::Continuation if !within => Err(FrameError::LoneContinuation),
            Opcode::Text | Opcode::Binary if within => Err(FrameError::Interrupted),
            Opcode::Continuation | Opcode::Text | Opcode::Binary => Ok(()),
            _ if first & 0x80 == 0 => Err(FrameError::FragmentedControl),
            _ if usize::from(second) > LONGEST_CONTROL => Err(FrameError::LongControl),
            _ => Ok(()),
        }
    }

    /// The payload's length, which must be written in the fewest bytes.
    fn payload(&self) -> Result<u64, FrameError> {
        let [_, short, long @ ..] = self.bytes;
        let (length, least) = match short {
            126 => (u64::from(u16::from_be_bytes([long[0], long[1]])), 126),
            127 => (u64::from_be_bytes(long), 0x1_0000),
            short => (u64::from(short), 0),
        };
        if length < least || length > i64::MAX as u64 {
            return Err(FrameError::BadLength);
        }
        Ok(length)
    }
}
