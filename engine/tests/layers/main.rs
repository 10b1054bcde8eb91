//! TLS and HTTP/2 against servers of other makers' libraries: rustls with tokio, and `h2`.

mod certificate;
mod http2;
#[path = "../load/run.rs"]
mod run;
mod server;
mod tls;
