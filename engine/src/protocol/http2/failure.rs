//! What an error of `h2` means for the request that met it.

use h2::{Error, Reason};

use crate::reactor::Failure;

/// What `h2` says when it gives a connection up for the number of its empty DATA frames, or of tiny
/// ones: a limit of its own (100 empty ones a connection), which no server can know.
const TOO_MANY: &str = "too_many_data_frames";

/// What becomes of a request after an error.
#[derive(Debug)]
pub(super) enum Consequence {
    /// The server said that it did not process it: it can be sent again (RFC 9113, section 8.7).
    Resend,
    /// It failed. `reset` tells whether the server reset its stream alone.
    Fail {
        /// Why.
        failure: Failure,
        /// Whether the stream alone is concerned.
        reset: bool,
    },
}

/// What `error` means for a request, of whose answer something had come if `begun`.
pub(super) fn consequence(error: &Error, begun: bool) -> Consequence {
    let reason = error.reason();
    let unprocessed = (error.is_reset() && reason == Some(Reason::REFUSED_STREAM))
        || (error.is_go_away() && reason == Some(Reason::NO_ERROR));
    if error.is_remote() && unprocessed && !begun {
        return Consequence::Resend;
    }
    let reset = error.is_remote() && error.is_reset();
    Consequence::Fail { failure: failure(error, begun), reset }
}

/// The server allows only so many streams on a connection, which are too few.
pub(super) fn too_few(allowed: usize) -> Failure {
    let streams = if allowed == 1 { "stream" } else { "streams" };
    Failure::Ended(format!("HTTP/2: the server allows {allowed} {streams} per connection").into())
}

/// The server has this client reply to its frames, and reads none of the replies.
pub(super) fn unread() -> Failure {
    let text = "HTTP/2: the server sends frames such as PING, but does not read the replies";
    Failure::Ended(text.into())
}

/// The error in the words of error details.
pub(super) fn failure(error: &Error, begun: bool) -> Failure {
    let name = error.reason().map_or_else(String::new, |reason| format!("{reason:?}"));
    if error.is_io() {
        let text = if begun {
            "HTTP/2: the connection closed in the middle of the answer"
        } else {
            "HTTP/2: the connection closed without an answer"
        };
        return Failure::Ended(text.into());
    }
    if error.is_remote() && error.is_reset() {
        return Failure::Ended(format!("HTTP/2: the server reset the stream ({name})").into());
    }
    if error.is_remote() {
        return Failure::Ended(
            format!("HTTP/2: the server abandoned the connection ({name})").into(),
        );
    }
    if error.is_library() && error.to_string().contains(TOO_MANY) {
        return Failure::Ended("HTTP/2: more empty DATA frames than this client takes".into());
    }
    if error.is_library() {
        return Failure::Protocol(
            format!("HTTP/2: the server violated the protocol ({name})").into(),
        );
    }
    Failure::Ended(format!("HTTP/2: {error}").into())
}
