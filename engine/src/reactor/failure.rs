//! Why a connection could not be opened, or ended.

use std::fmt;

use rustix::io::Errno;

use crate::record::counts::Outcome;

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
    /// The connection ended without the goodbye that TLS asks for (close_notify): anyone on the way
    /// may have cut it off.
    Unannounced,
}

impl Failure {
    /// How a request is counted that was under way when this happened.
    pub fn outcome(&self) -> Outcome {
        match self {
            Failure::System(_) | Failure::Ended(_) | Failure::Unannounced => Outcome::Reset,
            Failure::Certificate(_) | Failure::Protocol(_) => Outcome::Malformed,
        }
    }

    /// Whether this machine had no file, port or memory left for a connection, so that the server was
    /// never asked.
    pub fn is_client_limit(&self) -> bool {
        let Failure::System(error) = self else { return false };
        self.is_out_of_ports()
            || matches!(*error, Errno::MFILE | Errno::NFILE | Errno::NOBUFS | Errno::NOMEM)
    }

    /// Whether no port was left for a connection from its address to the server's.
    pub fn is_out_of_ports(&self) -> bool {
        // The first where the kernel chooses the port as it connects, the others as it binds.
        matches!(self, Failure::System(Errno::ADDRNOTAVAIL | Errno::ADDRINUSE | Errno::AGAIN))
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
            Failure::Unannounced => f.write_str("TLS: closed without close_notify"),
            Failure::System(_) if self.is_out_of_ports() => {
                f.write_str("no port is left for another connection")
            }
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
    fn what_this_machine_lacks_is_not_the_servers_refusal() {
        for error in [Errno::MFILE, Errno::NFILE, Errno::ADDRNOTAVAIL, Errno::NOBUFS] {
            assert!(Failure::from(error).is_client_limit(), "{error}");
        }
        for error in [Errno::CONNREFUSED, Errno::CONNRESET, Errno::TIMEDOUT, Errno::HOSTUNREACH] {
            assert!(!Failure::from(error).is_client_limit(), "{error}");
        }
        assert!(!Failure::Ended("no more".into()).is_client_limit());
    }

    #[test]
    fn the_kernel_speaks_in_words() {
        assert_eq!(Failure::from(Errno::CONNREFUSED).to_string(), "connection refused");
        assert_eq!(Failure::Certificate("expired".into()).to_string(), "certificate: expired");
    }
}
