//! Certificates, made when a test runs.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rcgen::{CertificateParams, KeyPair, date_time_ymd};
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, SupportedProtocolVersion};

/// A self-signed certificate with its key, and a file that holds it while this lives.
pub struct Certificate {
    der: rcgen::Certificate,
    key: KeyPair,
    pub file: PathBuf,
}

impl Certificate {
    /// One for `names`, valid in these years.
    pub fn new(names: &[&str], years: (i32, i32)) -> Certificate {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let mut params = CertificateParams::new(names).unwrap();
        params.not_before = date_time_ymd(years.0, 1, 1);
        params.not_after = date_time_ymd(years.1, 1, 1);
        // As `openssl req -x509` makes them: an authority of its own.
        params.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let der = params.self_signed(&key).unwrap();
        let number = NUMBER.fetch_add(1, Ordering::SeqCst);
        let name = format!("webdyno-{}-{number}.pem", std::process::id());
        let file = std::env::temp_dir().join(name);
        std::fs::write(&file, der.pem()).unwrap();
        Certificate { der, key, file }
    }

    /// One that is right for a server of this machine.
    pub fn good() -> Certificate {
        Certificate::new(&["localhost", "127.0.0.1"], (2020, 2120))
    }

    /// How a server with it speaks TLS.
    pub fn server(
        &self,
        alpn: &[&str],
        versions: &[&'static SupportedProtocolVersion],
    ) -> Arc<ServerConfig> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let key = PrivateKeyDer::try_from(self.key.serialize_der()).unwrap();
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_protocol_versions(versions)
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![self.der.der().clone()], key)
            .unwrap();
        config.alpn_protocols = alpn.iter().map(|name| name.as_bytes().to_vec()).collect();
        Arc::new(config)
    }
}

impl Drop for Certificate {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.file);
    }
}
