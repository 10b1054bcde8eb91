//! One connection's TLS, without I/O: bytes in, bytes out.

use std::io::{Read, Write};
use std::sync::Arc;

use rustls::pki_types::ServerName;
use rustls::{AlertDescription, CertificateError, ClientConfig, ClientConnection, Error};

use crate::reactor::Failure;

/// A connection that speaks TLS.
#[derive(Debug)]
pub(super) struct Session {
    tls: ClientConnection,
    /// When its handshake began; `None` once it is done.
    pub(super) began: Option<u64>,
}

impl Session {
    pub(super) fn new(
        config: Arc<ClientConfig>,
        name: ServerName<'static>,
        now: u64,
    ) -> Result<Session, Failure> {
        let tls = ClientConnection::new(config, name).map_err(|error| failure(&error))?;
        Ok(Session { tls, began: Some(now) })
    }

    pub(super) fn connection(&self) -> &ClientConnection {
        &self.tls
    }

    pub(super) fn is_handshaking(&self) -> bool {
        self.tls.is_handshaking()
    }

    /// Version and cipher suite, and the protocol that the server chose (ALPN), if it chose.
    pub(super) fn agreed(&self) -> (Option<(String, String)>, Option<String>) {
        let version = self.tls.protocol_version().and_then(|version| version.as_str());
        let suite = self.tls.negotiated_cipher_suite().map(|suite| suite.suite());
        let suite = suite.and_then(|suite| suite.as_str()).unwrap_or_default();
        let version = version.map(|name| name.replacen("TLSv1_", "TLS 1.", 1));
        let agreed = version.map(|version| (version, suite.replacen("TLS13_", "TLS_", 1)));
        let protocol = self.tls.alpn_protocol();
        (agreed, protocol.map(|name| String::from_utf8_lossy(name).into_owned()))
    }

    /// Encrypts `clear` and appends it to `out`.
    pub(super) fn send(&mut self, clear: &[u8], out: &mut Vec<u8>) {
        let mut rest = clear;
        while !rest.is_empty() {
            // Its own buffer is limited; writing to memory cannot fail.
            let Ok(taken) = self.tls.writer().write(rest) else { return };
            rest = &rest[taken..];
            self.pending(out);
            if taken == 0 {
                return;
            }
        }
    }

    /// Appends to `out` what TLS itself has to say.
    pub(super) fn pending(&mut self, out: &mut Vec<u8>) {
        while self.tls.wants_write() {
            if !matches!(self.tls.write_tls(out), Ok(1..)) {
                return;
            }
        }
    }

    /// Says goodbye.
    pub(super) fn close(&mut self, out: &mut Vec<u8>) {
        self.tls.send_close_notify();
        self.pending(out);
    }

    /// Decrypts what came in and appends it to `clear`; whether the server said goodbye. Whatever
    /// comes of it, there may be something [`pending`](Self::pending).
    ///
    /// # Errors
    /// What came is not what TLS asks for. What was decrypted before is in `clear` all the same.
    pub(super) fn receive(
        &mut self,
        mut bytes: &[u8],
        clear: &mut Vec<u8>,
    ) -> Result<bool, Failure> {
        while !bytes.is_empty() {
            if !matches!(self.tls.read_tls(&mut bytes), Ok(1..)) {
                break;
            }
            let state = match self.tls.process_new_packets() {
                Ok(state) => state,
                Err(error) => {
                    // It ends where there is no more, by an error of its own.
                    let _ = self.tls.reader().read_to_end(clear);
                    return Err(failure(&error));
                }
            };
            let more = state.plaintext_bytes_to_read();
            if more > 0 {
                let before = clear.len();
                clear.resize(before + more, 0);
                let read = self.tls.reader().read(&mut clear[before..]).unwrap_or(0);
                clear.truncate(before + read);
            }
            if state.peer_has_closed() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// In words of our own where they are plainer.
fn failure(error: &Error) -> Failure {
    let text = match error {
        Error::InvalidCertificate(wrong) => return Failure::Certificate(certificate(wrong).into()),
        Error::AlertReceived(AlertDescription::NoApplicationProtocol)
        | Error::NoApplicationProtocol => NO_PROTOCOL.to_owned(),
        Error::AlertReceived(alert) => format!("TLS: the server refused by alert {alert:?}"),
        Error::InvalidMessage(wrong) => format!("TLS: what came is not TLS ({wrong:?})"),
        error => format!("TLS: {error}"),
    };
    Failure::Protocol(text.into())
}

pub(super) const NO_PROTOCOL: &str = "TLS: the server does not offer the HTTP version (ALPN)";

fn certificate(error: &CertificateError) -> String {
    match error {
        CertificateError::UnknownIssuer => "its issuer is not trusted here".to_owned(),
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            "it has expired".to_owned()
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "it is not valid yet".to_owned()
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "it is not for this host name".to_owned()
        }
        CertificateError::Other(other) if format!("{other:?}").contains("CaUsedAsEndEntity") => {
            "it is self-signed and not trusted here".to_owned()
        }
        error => error.to_string(),
    }
}
