//! The part of the specification about the server under load, and how it is spoken to.

use serde::Deserialize;

use super::one;

/// The server under load.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// Host name or address, without scheme.
    pub host: String,
    /// TCP port.
    pub port: u16,
    /// The `Host` header, where it differs from `host:port`.
    #[serde(default)]
    pub host_header: Option<String>,
    /// Present where the server is spoken to over TLS.
    #[serde(default)]
    pub tls: Option<TlsSpec>,
}

impl Target {
    /// The value of the `Host` header.
    pub fn host_header(&self) -> String {
        match &self.host_header {
            Some(header) => header.clone(),
            None if self.host.contains(':') => {
                format!("[{}]:{}", self.host.trim_matches(['[', ']']), self.port)
            }
            None => format!("{}:{}", self.host, self.port),
        }
    }
}

/// How the server is spoken to over TLS, and what is asked of its certificate.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TlsSpec {
    /// Whether any certificate will do.
    pub insecure: bool,
    /// A PEM file with the authorities to trust in place of the system's; the server's own
    /// certificate may be among them.
    pub ca_file: Option<String>,
}

/// How HTTP/2 is spoken.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Http2Spec {
    /// Requests at once on each connection, by as many users.
    #[serde(default = "one")]
    pub streams: usize,
}
