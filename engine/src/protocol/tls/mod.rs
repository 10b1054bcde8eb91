//! TLS between the sockets and everything above them, by rustls.
//!
//! [`Tls`] is a reactor over a reactor: what is sent through it is encrypted, and what comes in is
//! given on in the clear. A connection counts as open when its handshake is done, and what goes
//! wrong before is a failure to open it. A load without TLS has no such layer and pays nothing.

mod config;
mod reactor;
mod session;
mod verifier;

pub use config::Client;
pub use reactor::Tls;
