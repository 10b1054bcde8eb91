//! A chunked body: sizes, extensions, data, trailers (RFC 9112, section 7.1).

use memchr::memchr2;

use super::ParseError;
use super::event::{AnswerEvent, Step};

/// A size line (zeros, padding and extension included) may be this long, for each chunk.
const LINE_LIMIT: usize = 16 * 1024;

/// Which part of a chunked body the next byte belongs to.
///
/// | from | at | to |
/// |---|---|---|
/// | `SizeStart`, `Size` | a digit | `Size` |
/// | `Size`, `Padding` | white space | `Padding` |
/// | `Size`, `Padding` | `;` | `Extension` |
/// | `Size`, `Padding`, `Extension` | a carriage return | `SizeLineFeed` |
/// | `SizeLineFeed` | a line feed | `Data`, or `TrailerStart` after the size 0 |
/// | `Data` | the last byte of the chunk | `DataReturn` |
/// | `DataReturn` | a carriage return | `DataLineFeed` |
/// | `DataLineFeed` | a line feed | `SizeStart` |
/// | `TrailerStart`, `TrailerName` | a character of names | `TrailerName` |
/// | `TrailerName` | `:` | `TrailerValue` |
/// | `TrailerValue` | a carriage return | `TrailerLineFeed` |
/// | `TrailerLineFeed` | a line feed | `TrailerStart` |
/// | `TrailerStart` | a carriage return | `EndLineFeed` |
/// | `EndLineFeed` | a line feed | the end |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ChunkPlace {
    /// Before the first digit of a size.
    SizeStart,
    /// Within a size.
    Size,
    /// White space after a size; some servers pad sizes to a fixed width.
    Padding,
    /// After `;`.
    Extension,
    /// Between the carriage return and line feed of a size line.
    SizeLineFeed,
    /// Within a chunk's data.
    Data,
    DataReturn,
    DataLineFeed,
    /// ChunkPlace the start of a trailer line, or of the empty line at the end.
    TrailerStart,
    TrailerName,
    TrailerValue,
    TrailerLineFeed,
    EndLineFeed,
}

/// Where in a chunked body the next byte falls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Chunked {
    at: ChunkPlace,
    /// The size being read, then what is left of the chunk's data.
    left: u64,
    /// Bytes of the current size line, then of all trailers.
    line: usize,
}

impl Chunked {
    pub(super) const START: Chunked = Chunked { at: ChunkPlace::SizeStart, left: 0, line: 0 };

    /// Reads up to the next event. Data is an event of its own for each chunk.
    pub(super) fn advance(
        &mut self,
        input: &[u8],
        trailer_limit: usize,
    ) -> Result<Step, ParseError> {
        let mut i = 0;
        while i < input.len() {
            let byte = input[i];
            match self.at {
                ChunkPlace::Data => {
                    let here = usize::try_from(self.left).unwrap_or(usize::MAX);
                    let end = i + here.min(input.len() - i);
                    self.left -= (end - i) as u64;
                    if self.left == 0 {
                        self.at = ChunkPlace::DataReturn;
                    }
                    return Ok(Step { consumed: end, event: AnswerEvent::Body { start: i, end } });
                }
                ChunkPlace::SizeStart | ChunkPlace::Size | ChunkPlace::Padding => {
                    self.size(byte)?
                }
                ChunkPlace::Extension => {
                    let rest = &input[i..];
                    let length = memchr2(b'\r', b'\n', rest).unwrap_or(rest.len());
                    self.lengthen(length)?;
                    i += length;
                    match input.get(i) {
                        Some(b'\r') => self.at = ChunkPlace::SizeLineFeed,
                        Some(_) => return Err(ParseError::BadChunkExtension),
                        None => break,
                    }
                }
                ChunkPlace::SizeLineFeed => {
                    expect(byte, b'\n', ParseError::BadChunkExtension)?;
                    self.line = 0;
                    self.at =
                        if self.left == 0 { ChunkPlace::TrailerStart } else { ChunkPlace::Data };
                }
                ChunkPlace::DataReturn => {
                    expect(byte, b'\r', ParseError::BadChunkEnd)?;
                    self.at = ChunkPlace::DataLineFeed;
                }
                ChunkPlace::DataLineFeed => {
                    expect(byte, b'\n', ParseError::BadChunkEnd)?;
                    *self = Self::START;
                }
                ChunkPlace::EndLineFeed => {
                    expect(byte, b'\n', ParseError::BadTrailer)?;
                    return Ok(Step { consumed: i + 1, event: AnswerEvent::Complete });
                }
                _ => self.trailer(byte, trailer_limit)?,
            }
            i += 1;
        }
        Ok(Step { consumed: input.len(), event: AnswerEvent::NeedMore })
    }

    fn size(&mut self, byte: u8) -> Result<(), ParseError> {
        self.lengthen(1)?;
        let digit = (byte as char).to_digit(16).filter(|_| self.at != ChunkPlace::Padding);
        match (self.at, byte, digit) {
            (_, _, Some(digit)) => {
                let larger = self.left.checked_mul(16).ok_or(ParseError::ChunkSizeOverflow)?;
                self.left = larger + u64::from(digit);
                self.at = ChunkPlace::Size;
            }
            (ChunkPlace::SizeStart, ..) => return Err(ParseError::BadChunkSize),
            (_, b'\r', _) => self.at = ChunkPlace::SizeLineFeed,
            (_, b';', _) => self.at = ChunkPlace::Extension,
            (_, b' ' | b'\t', _) => self.at = ChunkPlace::Padding,
            _ => return Err(ParseError::BadChunkSize),
        }
        Ok(())
    }

    fn lengthen(&mut self, by: usize) -> Result<(), ParseError> {
        self.line = self.line.saturating_add(by);
        if self.line > LINE_LIMIT { Err(ParseError::ChunkLineTooLong) } else { Ok(()) }
    }

    fn trailer(&mut self, byte: u8, limit: usize) -> Result<(), ParseError> {
        self.line += 1;
        if self.line > limit {
            return Err(ParseError::TrailersTooLarge);
        }
        self.at = match (self.at, byte) {
            (ChunkPlace::TrailerStart, b'\r') => ChunkPlace::EndLineFeed,
            (ChunkPlace::TrailerName, b':') => ChunkPlace::TrailerValue,
            (ChunkPlace::TrailerStart | ChunkPlace::TrailerName, byte) if is_token(byte) => {
                ChunkPlace::TrailerName
            }
            (ChunkPlace::TrailerValue, b'\r') => ChunkPlace::TrailerLineFeed,
            (ChunkPlace::TrailerValue, b'\t' | b' '..=b'~' | 0x80..) => ChunkPlace::TrailerValue,
            (ChunkPlace::TrailerLineFeed, b'\n') => ChunkPlace::TrailerStart,
            _ => return Err(ParseError::BadTrailer),
        };
        Ok(())
    }
}

fn expect(byte: u8, expected: u8, error: ParseError) -> Result<(), ParseError> {
    if byte == expected { Ok(()) } else { Err(error) }
}

/// A character that a header name may hold (RFC 9110, section 5.6.2).
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}
