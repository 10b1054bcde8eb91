//! From the specification to how rustls is to behave.

use std::fmt::Display;
use std::fs;
use std::sync::Arc;

use rustls::client::Resumption;
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};

use super::verifier;
use crate::plan::spec::TlsSpec;

/// What helps where the file of authorities is of no use.
const CERTIFICATES: &str = "name a readable file of certificates in PEM form";

/// What all connections of a load share.
#[derive(Debug)]
pub struct Client {
    config: ClientConfig,
    name: ServerName<'static>,
}

impl Client {
    /// A client of `host`, which speaks `protocol` (as ALPN names it).
    ///
    /// # Errors
    /// One line that names the key and the remedy.
    pub fn new(spec: &TlsSpec, host: &str, protocol: &'static str) -> Result<Client, String> {
        let name = host.trim_matches(['[', ']']).to_owned();
        let name = ServerName::try_from(name).map_err(|_| {
            format!(
                "target.host: \"{host}\" is not a name that a certificate can have; use the \
                 server's name or address"
            )
        })?;
        let provider = Arc::new(ring::default_provider());
        let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .map_err(|error| format!("target.tls: {error}"))?;
        let mut config = if spec.insecure {
            let verifier = verifier::anything(&provider);
            builder.dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth()
        } else {
            let verifier = trusted(spec, provider)?;
            builder.dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth()
        };
        config.alpn_protocols = vec![protocol.as_bytes().to_vec()];
        Ok(Client { config, name })
    }

    /// The name the certificate must be for.
    pub(super) fn name(&self) -> ServerName<'static> {
        self.name.clone()
    }

    /// Whether the server chose (by ALPN) what was offered. One that does not choose at all speaks
    /// HTTP/1.1 (RFC 9113, section 3.2).
    pub(super) fn is_right_protocol(&self, chosen: Option<&[u8]>) -> bool {
        chosen.unwrap_or(b"http/1.1") == self.config.alpn_protocols[0]
    }

    /// The configuration of one user, who remembers sessions as a browser does: when the
    /// connection is opened anew the session is resumed, and no other user's is.
    pub(super) fn user(&self) -> Arc<ClientConfig> {
        let mut config = self.config.clone();
        config.resumption = Resumption::in_memory_sessions(1);
        Arc::new(config)
    }
}

fn trusted(
    spec: &TlsSpec,
    provider: Arc<CryptoProvider>,
) -> Result<Arc<dyn rustls::client::danger::ServerCertVerifier>, String> {
    let Some(file) = &spec.ca_file else {
        return system(provider);
    };
    let unusable = |why: &dyn Display| format!("target.tls.ca_file: {file}: {why}; {CERTIFICATES}");
    let pem = fs::read(file).map_err(|error| unusable(&error))?;
    let certificates: Vec<CertificateDer<'static>> = CertificateDer::pem_slice_iter(&pem)
        .collect::<Result<_, _>>()
        .map_err(|error| unusable(&error))?;
    let mut roots = RootCertStore::empty();
    for certificate in &certificates {
        roots.add(certificate.clone()).map_err(|error| unusable(&error))?;
    }
    if roots.is_empty() {
        return Err(format!("target.tls.ca_file: {file} holds no certificate; {CERTIFICATES}"));
    }
    verifier::of(roots, certificates, provider)
}

fn system(
    provider: Arc<CryptoProvider>,
) -> Result<Arc<dyn rustls::client::danger::ServerCertVerifier>, String> {
    let mut roots = RootCertStore::empty();
    // Some of a system's authorities may be unreadable or outdated: those are not trusted.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        return Err("target.tls: this system has no certificate authorities; name them by \
                    ca_file, or set insecure"
            .to_owned());
    }
    verifier::of(roots, Vec::new(), provider)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(spec: &TlsSpec) -> String {
        let line = Client::new(spec, "localhost", "http/1.1").expect_err("refused");
        assert!(!line.contains('\n'), "{line}");
        line
    }

    #[test]
    fn a_file_without_certificates_is_named() {
        let missing = TlsSpec { ca_file: Some("/nowhere.pem".into()), ..TlsSpec::default() };
        let line = refused(&missing);
        assert!(line.starts_with("target.tls.ca_file: /nowhere.pem: No such file"), "{line}");
        assert!(line.ends_with("; name a readable file of certificates in PEM form"), "{line}");
        let empty = TlsSpec { ca_file: Some("/dev/null".into()), ..TlsSpec::default() };
        let line = refused(&empty);
        assert!(line.contains("/dev/null holds no certificate; name a"), "{line}");
    }

    #[test]
    fn names_and_addresses_can_be_asked_for() {
        let insecure = TlsSpec { insecure: true, ca_file: None };
        for host in ["localhost", "127.0.0.1", "[::1]", "::1"] {
            assert!(Client::new(&insecure, host, "h2").is_ok(), "{host}");
        }
        let line = Client::new(&insecure, "no name", "h2").unwrap_err();
        assert!(line.ends_with("; use the server's name or address"), "{line}");
    }
}
