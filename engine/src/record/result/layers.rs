//! What is said of TLS and HTTP/2.

use serde::Serialize;

use super::{Quantiles, ratio};
use crate::record::handshakes::HandshakeFailure;
pub(super) use crate::record::handshakes::Handshakes;
use crate::record::http2::Http2Record;

/// TLS as the load met it. Handshakes before the start of the load are included, as are the
/// connections that they opened.
#[derive(Debug, Clone, Serialize)]
pub struct TlsReport {
    /// The version agreed on, such as `TLS 1.3`; absent where no handshake succeeded.
    pub version: Option<String>,
    /// The cipher suite.
    pub cipher_suite: Option<String>,
    /// What the server chose by ALPN, if it chose.
    pub alpn: Option<String>,
    /// Handshakes with a certificate.
    pub full_handshakes: u64,
    /// Handshakes that took up an earlier session of the same user.
    pub resumed_handshakes: u64,
    /// Handshakes that failed.
    pub failed_handshakes: FailedHandshakes,
    /// How long handshakes took, from the open TCP connection.
    pub handshake_us: Quantiles,
    /// CPU microseconds of this side for each handshake, failed ones included.
    pub handshake_cpu_us: f64,
}

/// Handshakes that failed, by what was wrong.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct FailedHandshakes {
    /// The server's certificate was not accepted.
    pub certificate: u64,
    /// What came was not TLS, or there was no agreement on versions, ciphers or ALPN.
    pub protocol: u64,
    /// The connection ended first.
    pub closed: u64,
    /// They took longer than the timeout, or the load ended first.
    pub unfinished: u64,
}

/// HTTP/2 as the load met it.
#[derive(Debug, Clone, Serialize)]
pub struct Http2Report {
    /// Streams of each connection that were used at once, at most.
    pub streams: usize,
    /// The rest.
    #[serde(flatten)]
    pub record: Http2Record,
}

impl TlsReport {
    pub(super) fn of(handshakes: &Handshakes) -> TlsReport {
        let failed = |kind| handshakes.failures(kind);
        let all = handshakes.full + handshakes.resumed + handshakes.failed.iter().sum::<u64>();
        let (version, cipher_suite) = handshakes.agreed.clone().unzip();
        TlsReport {
            version,
            cipher_suite,
            alpn: handshakes.protocol.clone(),
            full_handshakes: handshakes.full,
            resumed_handshakes: handshakes.resumed,
            failed_handshakes: FailedHandshakes {
                certificate: failed(HandshakeFailure::Certificate),
                protocol: failed(HandshakeFailure::Protocol),
                closed: failed(HandshakeFailure::Closed),
                unfinished: failed(HandshakeFailure::Unfinished),
            },
            handshake_us: Quantiles::of(&handshakes.times),
            handshake_cpu_us: ratio(handshakes.cpu as f64 / 1e3, all as f64),
        }
    }
}
