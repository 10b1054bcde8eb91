//! The head of an answer: the status, what frames the body, and the headers on demand.

use std::mem::MaybeUninit;

use memchr::{memchr, memchr_iter};

use super::ParseError;

/// Headers up to this count are parsed on the stack, which covers every sane answer.
const USUAL_HEADERS: usize = 64;

/// The head of an answer, as far as reading the answer needs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// The status code, 100 to 999.
    pub status: u16,
    /// Whether the connection may carry another request after this answer.
    pub keep_alive: bool,
    /// The minor version: 0 for HTTP/1.0, 1 for HTTP/1.1.
    pub minor_version: u8,
    /// The body's length where the head states one. A HEAD answer states it without a body.
    pub content_length: Option<u64>,
    pub(super) chunked: bool,
}

impl Head {
    pub(super) const NONE: Head = Head {
        status: 0,
        keep_alive: false,
        minor_version: 1,
        content_length: None,
        chunked: false,
    };
}

/// Parses the head at the start of `input`: its length and meaning, or `None` if it is not whole.
pub(super) fn parse(input: &[u8]) -> Result<Option<(usize, Head)>, ParseError> {
    let mut headers = [MaybeUninit::uninit(); USUAL_HEADERS];
    match parse_into(input, &mut headers) {
        Err(httparse::Error::TooManyHeaders) => {
            // Only a hostile or odd answer comes here: every header needs a line of its own.
            let lines = memchr_iter(b'\n', input).count() + 1;
            parse_into(input, &mut vec![MaybeUninit::uninit(); lines])?.transpose()
        }
        parsed => parsed?.transpose(),
    }
}

type Interpreted = Option<Result<(usize, Head), ParseError>>;

fn parse_into<'a>(
    input: &'a [u8],
    headers: &mut [MaybeUninit<httparse::Header<'a>>],
) -> Result<Interpreted, httparse::Error> {
    let mut response = httparse::Response::new(&mut []);
    let config = httparse::ParserConfig::default();
    match config.parse_response_with_uninit_headers(&mut response, input, headers)? {
        httparse::Status::Partial => Ok(None),
        httparse::Status::Complete(length) => {
            let status = response.code.unwrap_or(0);
            let head = interpret(status, response.version.unwrap_or(1), response.headers);
            Ok(Some(head.map(|head| (length, head))))
        }
    }
}

/// Checks header lines: the length of `lines` up to and with the empty line, `None` without one.
pub(super) fn parse_lines(lines: &[u8]) -> Result<Option<usize>, ParseError> {
    let parsed = match parse_lines_into(lines, &mut [httparse::EMPTY_HEADER; USUAL_HEADERS]) {
        Err(httparse::Error::TooManyHeaders) => {
            let count = memchr_iter(b'\n', lines).count() + 1;
            parse_lines_into(lines, &mut vec![httparse::EMPTY_HEADER; count])
        }
        parsed => parsed,
    };
    Ok(parsed?)
}

fn parse_lines_into<'a>(
    lines: &'a [u8],
    headers: &mut [httparse::Header<'a>],
) -> Result<Option<usize>, httparse::Error> {
    Ok(match httparse::parse_headers(lines, headers)? {
        httparse::Status::Complete((end, _)) => Some(end),
        httparse::Status::Partial => None,
    })
}

/// Whether `input` begins with a whole status line (valid so far, the head not yet whole).
pub(super) fn has_status_line(input: &[u8]) -> bool {
    let mut response = httparse::Response::new(&mut []);
    // Without room for headers the parse stops at the first one, the status line being read.
    let _ = response.parse(input);
    response.reason.is_some()
}

/// One pass over the headers for the three that frame the answer; the length tells most apart.
fn interpret(
    status: u16,
    minor_version: u8,
    headers: &[httparse::Header<'_>],
) -> Result<Head, ParseError> {
    if status < 100 {
        return Err(ParseError::BadStatusCode);
    }
    let mut content_length = None;
    let mut encoded = false;
    let mut options = Options { keep_alive: minor_version == 1, close: false };
    for header in headers {
        match header.name.len() {
            10 if header.name.eq_ignore_ascii_case("connection") => {
                options.read(header.value);
            }
            14 if header.name.eq_ignore_ascii_case("content-length") => {
                let length = decimal(header.value)?;
                match content_length.replace(length) {
                    None => {}
                    Some(first) if first == length => {
                        return Err(ParseError::DuplicateContentLength);
                    }
                    Some(_) => return Err(ParseError::ConflictingContentLength),
                }
            }
            17 if header.name.eq_ignore_ascii_case("transfer-encoding") => {
                // Codings beneath `chunked` would need decoding, and no request offers to do it.
                if encoded || !header.value.eq_ignore_ascii_case(b"chunked") {
                    return Err(ParseError::UnsupportedEncoding);
                }
                encoded = true;
            }
            _ => {}
        }
    }
    if encoded && minor_version == 0 {
        return Err(ParseError::EncodingInHttp10);
    }
    if encoded && content_length.is_some() {
        return Err(ParseError::LengthAndEncoding);
    }
    let keep_alive = options.keep_alive && !options.close;
    Ok(Head { status, keep_alive, minor_version, content_length, chunked: encoded })
}

/// What all lines of `Connection` together ask for: `close` wins (RFC 9112, section 9.3).
struct Options {
    keep_alive: bool,
    close: bool,
}

impl Options {
    fn read(&mut self, value: &[u8]) {
        for option in tokens(value) {
            self.close |= option.eq_ignore_ascii_case(b"close");
            self.keep_alive |= option.eq_ignore_ascii_case(b"keep-alive");
        }
    }
}

/// The tokens of a list, white space and empty ones left out.
pub(in crate::protocol) fn tokens(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    let tokens = value.split(|&byte| byte == b',').map(<[u8]>::trim_ascii);
    tokens.filter(|token| !token.is_empty())
}

fn decimal(value: &[u8]) -> Result<u64, ParseError> {
    if value.is_empty() || !value.iter().all(u8::is_ascii_digit) {
        return Err(ParseError::BadContentLength);
    }
    value.iter().try_fold(0u64, |sum, digit| {
        sum.checked_mul(10)
            .and_then(|sum| sum.checked_add(u64::from(digit - b'0')))
            .ok_or(ParseError::ContentLengthOverflow)
    })
}

/// The headers of a parsed head, name and value as sent (white space around values removed).
#[derive(Debug, Clone)]
pub struct Headers<'a> {
    rest: &'a [u8],
}

impl<'a> Headers<'a> {
    /// Iterates over a head that [`parse`] accepted, status line and empty line included.
    pub(in crate::protocol) fn new(head: &'a [u8]) -> Self {
        let start = head.iter().position(|byte| !matches!(byte, b'\r' | b'\n')).unwrap_or(0);
        let status_line = memchr(b'\n', &head[start..]).map_or(head.len(), |end| start + end + 1);
        Self { rest: &head[status_line..] }
    }
}

impl<'a> Iterator for Headers<'a> {
    type Item = (&'a [u8], &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let end = memchr(b'\n', self.rest)?;
        let (line, rest) = (&self.rest[..end], &self.rest[end + 1..]);
        self.rest = rest;
        let colon = memchr(b':', line)?;
        Some((&line[..colon], line[colon + 1..].trim_ascii()))
    }
}
