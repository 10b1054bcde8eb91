//! What a thread records of its handshakes.

use hdrhistogram::Histogram;

use super::histogram::histogram;

/// How a handshake failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HandshakeFailure {
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
    /// Failed ones, by [`HandshakeFailure`].
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
    /// One has succeeded.
    pub fn succeeded(&mut self, resumed: bool, took: u64) {
        if resumed {
            self.resumed += 1;
        } else {
            self.full += 1;
        }
        self.times.saturating_record(took);
    }

    /// One has failed.
    pub fn failed(&mut self, kind: HandshakeFailure) {
        self.failed[kind as usize] += 1;
    }

    /// How many failed in this way.
    pub fn failures(&self, kind: HandshakeFailure) -> u64 {
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
