//! TLS, HTTP/2 and WebSocket against servers of other makers' libraries: rustls with tokio, `h2`, and
//! tungstenite.

mod certificate;
mod echo;
mod http2;
#[path = "../load/run.rs"]
mod run;
mod server;
mod tls;
mod websocket;
mod websocket_odd;
