//! What a thread records of its handshakes.

use hdrhistogram::Histogram;
use rustls::HandshakeKind;

use crate::reactor::Failure;
use crate::record::histogram::histogram;

/// How a handshake failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    /// The server's certificate was not accepted.
    Certificate,
    /// What came was not TLS, or no agreement was found.
    Protocol,
    /// The connection ended first.
    Closed,
    /// It took longer than the timeout, or the load ended first.
    Unfinished,
}

/// The handshakes of a thread, those before the start of the load included.
#[derive(Debug, Clone)]
pub struct Handshakes {
    /// Full ones, with a certificate.
    pub full: u64,
    /// Ones that took up an earlier session.
    pub resumed: u64,
    /// Failed ones, by [`FailureKind`].
    pub failed: [u64; 4],
    /// How long those that succeeded took, in nanoseconds from the open TCP connection.
    pub times: Histogram<u64>,
    /// CPU time of this thread spent on them, in nanoseconds.
    pub cpu: u64,
    /// Version and cipher suite of the last one.
    pub agreed: Option<(String, String)>,
    /// The protocol that the server chose (ALPN), if it chose.
    pub protocol: Option<String>,
}

impl Default for Handshakes {
    fn default() -> Handshakes {
        Handshakes {
            full: 0,
            resumed: 0,
            failed: [0; 4],
            times: histogram(),
            cpu: 0,
            agreed: None,
            protocol: None,
        }
    }
}

impl Handshakes {
    pub(super) fn done(&mut self, connection: &rustls::ClientConnection, took: u64) {
        match connection.handshake_kind() {
            Some(HandshakeKind::Resumed) => self.resumed += 1,
            _ => self.full += 1,
        }
        self.times.saturating_record(took);
        // All connections of a load agree on the same, unless the server is changed meanwhile.
        if self.agreed.is_none() {
            let version = connection.protocol_version().and_then(|version| version.as_str());
            let suite = connection.negotiated_cipher_suite().map(|suite| suite.suite());
            let suite = suite.and_then(|suite| suite.as_str()).unwrap_or_default();
            let words = |name: &str| name.replacen("TLSv1_", "TLS 1.", 1);
            self.agreed =
                version.map(|version| (words(version), suite.replacen("TLS13_", "TLS_", 1)));
            let protocol = connection.alpn_protocol();
            self.protocol = protocol.map(|name| String::from_utf8_lossy(name).into_owned());
        }
    }

    pub(super) fn failed(&mut self, kind: FailureKind) {
        self.failed[kind as usize] += 1;
    }

    /// How many failed in this way.
    pub fn failures(&self, kind: FailureKind) -> u64 {
        self.failed[kind as usize]
    }

    /// Takes over another thread's.
    pub fn add(&mut self, other: &Handshakes) {
        self.full += other.full;
        self.resumed += other.resumed;
        for (own, more) in self.failed.iter_mut().zip(other.failed) {
            *own += more;
        }
        self.times.add(&other.times).expect("the same bounds");
        self.cpu += other.cpu;
        if self.agreed.is_none() {
            self.agreed.clone_from(&other.agreed);
            self.protocol.clone_from(&other.protocol);
        }
    }
}

impl From<&Failure> for FailureKind {
    fn from(failure: &Failure) -> FailureKind {
        match failure {
            Failure::Certificate(_) => FailureKind::Certificate,
            Failure::Protocol(_) => FailureKind::Protocol,
            Failure::System(_) | Failure::Ended(_) | Failure::Unannounced => FailureKind::Closed,
        }
    }
}
