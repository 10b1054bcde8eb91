//! An answer as every protocol gives it: part by part.

use http::{HeaderMap, header};

use super::http1::Headers;

/// A part of an answer.
#[derive(Debug)]
pub enum AnswerPart<'a> {
    /// Status and headers.
    Head {
        /// Status code.
        status: u16,
        /// The headers.
        fields: Fields<'a>,
    },
    /// A piece of the body, after which more of the answer comes.
    Piece(&'a [u8]),
    /// The answer is whole.
    Last {
        /// The last piece of the body, perhaps all of it, perhaps empty.
        piece: &'a [u8],
        /// Whether another request can follow in the slot.
        reusable: bool,
    },
}

/// The headers of an answer, not looked at before somebody asks.
#[derive(Debug, Clone, Copy)]
pub enum Fields<'a> {
    /// A head as it was sent, which has been found good.
    Text(&'a [u8]),
    /// Headers that had to be decoded; names are in lower case.
    Map(&'a HeaderMap),
}

impl<'a> Fields<'a> {
    /// Names and values.
    pub fn iter(self) -> impl Iterator<Item = (&'a [u8], &'a [u8])> {
        match self {
            Fields::Text(head) => Pairs::Text(Headers::new(head)),
            Fields::Map(map) => Pairs::Map(map.iter()),
        }
    }
}

enum Pairs<'a> {
    Text(Headers<'a>),
    Map(header::Iter<'a, header::HeaderValue>),
}

impl<'a> Iterator for Pairs<'a> {
    type Item = (&'a [u8], &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Pairs::Text(headers) => headers.next(),
            Pairs::Map(headers) => {
                headers.next().map(|(name, value)| (name.as_ref(), value.as_ref()))
            }
        }
    }
}

/// What came breaks the protocol in the way of this name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Malformed(pub &'static str);

/// The parts that came in with one event.
pub trait Parts {
    /// The next of them, until the answer is whole or broken; `None` when more of it must come first.
    fn next(&mut self) -> Option<Result<AnswerPart<'_>, Malformed>>;
}
