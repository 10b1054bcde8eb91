//! Why a connection could not be opened, or ended.

use std::fmt;

use rustix::io::Errno;

use crate::counts::Outcome;

/// What went wrong with a connection, in the words that error details carry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The kernel said so, e.g. that the connection was refused or reset.
    System(Errno),
    /// The server's certificate was not accepted.
    Certificate(Box<str>),
    /// What the server sent breaks TLS or HTTP/2, or it cannot agree on how to speak them.
    Protocol(Box<str>),
    /// The server ended the connection or the exchange, and perhaps said why.
    Ended(Box<str>),
}

impl Failure {
    /// How a request is counted that was under way when this happened.
    pub fn outcome(&self) -> Outcome {
        match self {
            Failure::System(_) | Failure::Ended(_) => Outcome::Reset,
            Failure::Certificate(_) | Failure::Protocol(_) => Outcome::Malformed,
        }
    }
}

impl From<Errno> for Failure {
    fn from(error: Errno) -> Failure {
        Failure::System(error)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // In the words of the C library.
            Failure::System(error) => {
                let text = std::io::Error::from(*error).to_string();
                match text.split_once(" (os error") {
                    Some((words, _)) => f.write_str(&words.to_lowercase()),
                    None => f.write_str(&text),
                }
            }
            Failure::Certificate(text) => write!(f, "certificate: {text}"),
            Failure::Protocol(text) | Failure::Ended(text) => f.write_str(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_speaks_in_words() {
        assert_eq!(Failure::from(Errno::CONNREFUSED).to_string(), "connection refused");
        assert_eq!(Failure::Certificate("expired".into()).to_string(), "certificate: expired");
    }
}
