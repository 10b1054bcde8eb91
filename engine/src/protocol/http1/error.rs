//! What can be wrong with an answer.

use std::fmt;

macro_rules! kinds {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $text:literal;)*) => {
        /// A way in which an answer breaks the protocol. Every kind is counted as `malformed`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum ParseError {
            $($(#[$doc])* $variant,)*
        }

        impl ParseError {
            /// Every kind.
            pub const ALL: &'static [ParseError] = &[$(ParseError::$variant,)*];

            /// A stable name for counting: lower case, words joined by `_`.
            pub fn name(self) -> &'static str {
                match self { $(ParseError::$variant => $name,)* }
            }
        }

        impl fmt::Display for ParseError {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $(ParseError::$variant => $text,)* })
            }
        }
    };
}

kinds! {
    /// The answer does not begin with `HTTP/1.0` or `HTTP/1.1`.
    BadVersion = "bad_version", "the answer does not begin with HTTP/1.0 or HTTP/1.1";
    /// The status line has no three-digit code, or a reason with control characters.
    BadStatusLine = "bad_status_line", "the status line is broken";
    /// A status code below 100.
    BadStatusCode = "bad_status_code", "the status code is below 100";
    /// A header name that is empty or holds characters no name may have.
    BadHeaderName = "bad_header_name", "a header name holds a forbidden character";
    /// A header value that holds a control character.
    BadHeaderValue = "bad_header_value", "a header value holds a control character";
    /// A carriage return without its line feed.
    BadLineEnd = "bad_line_end", "a carriage return without a line feed";
    /// The head is larger than the limit.
    HeadTooLarge = "head_too_large", "the head is larger than the limit";
    /// A `Content-Length` that is not a plain decimal number.
    BadContentLength = "bad_content_length", "Content-Length is not a number";
    /// A `Content-Length` beyond 64 bits.
    ContentLengthOverflow = "content_length_overflow", "Content-Length is beyond 64 bits";
    /// The same `Content-Length` more than once.
    DuplicateContentLength = "duplicate_content_length", "Content-Length occurs twice";
    /// Two lengths that differ.
    ConflictingContentLength = "conflicting_content_length", "two Content-Lengths differ";
    /// Both `Content-Length` and `Transfer-Encoding`.
    LengthAndEncoding = "length_and_encoding", "both Content-Length and Transfer-Encoding";
    /// A `Transfer-Encoding` other than one `chunked`.
    UnsupportedEncoding = "unsupported_encoding", "a Transfer-Encoding other than chunked";
    /// A `Transfer-Encoding` in an HTTP/1.0 answer, which has none.
    EncodingInHttp10 = "encoding_in_http10", "a Transfer-Encoding in an HTTP/1.0 answer";
    /// `101 Switching Protocols`, which no request asked for.
    UnexpectedUpgrade = "unexpected_upgrade", "101 Switching Protocols without being asked";
    /// More interim (1xx) answers before one final answer than any server needs.
    TooManyInterim = "too_many_interim", "too many interim (1xx) answers";
    /// A chunk's size line that does not begin with a hexadecimal number.
    BadChunkSize = "bad_chunk_size", "a chunk size is not a hexadecimal number";
    /// A chunk size beyond 64 bits.
    ChunkSizeOverflow = "chunk_size_overflow", "a chunk size is beyond 64 bits";
    /// A chunk extension with a line feed or control character in it.
    BadChunkExtension = "bad_chunk_extension", "a chunk extension is broken";
    /// A chunk's size line longer than any server needs.
    ChunkLineTooLong = "chunk_line_too_long", "a chunk's size line is too long";
    /// A chunk's data that is not followed by a line end.
    BadChunkEnd = "bad_chunk_end", "a chunk's data is not followed by a line end";
    /// A trailer line that is no header line.
    BadTrailer = "bad_trailer", "a trailer line is broken";
    /// Trailers larger than the limit of a head.
    TrailersTooLarge = "trailers_too_large", "the trailers are larger than the limit";
    /// The connection closed within the head.
    TruncatedHead = "truncated_head", "the connection closed before the end of the head";
    /// The connection closed before `Content-Length` bytes.
    TruncatedBody = "truncated_body", "the connection closed before the end of the body";
    /// The connection closed within a chunked body.
    TruncatedChunks = "truncated_chunks", "the connection closed before the end of a chunked body";
    /// Bytes that answer no request.
    Unsolicited = "unsolicited", "received bytes that answer no request";
}

impl std::error::Error for ParseError {}

impl From<httparse::Error> for ParseError {
    fn from(error: httparse::Error) -> Self {
        match error {
            httparse::Error::Version => Self::BadVersion,
            httparse::Error::Status | httparse::Error::Token => Self::BadStatusLine,
            httparse::Error::HeaderName => Self::BadHeaderName,
            httparse::Error::HeaderValue => Self::BadHeaderValue,
            httparse::Error::NewLine => Self::BadLineEnd,
            // The header array grows to whatever the head's limit allows, so this means "large".
            httparse::Error::TooManyHeaders => Self::HeadTooLarge,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_name_and_words_of_its_own() {
        let names: Vec<_> = ParseError::ALL.iter().map(|kind| kind.name()).collect();
        let words: Vec<_> = ParseError::ALL.iter().map(ToString::to_string).collect();
        for (place, (name, told)) in names.iter().zip(&words).enumerate() {
            assert!(told.contains(' ') && !told.contains('_'), "{name}: {told}");
            assert!(!names[..place].contains(name) && !words[..place].contains(told), "{name}");
        }
    }
}
