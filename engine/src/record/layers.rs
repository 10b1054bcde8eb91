//! What lies between the sockets and the requests, and what each such layer recorded.

use hdrhistogram::Histogram;

use super::handshakes::Handshakes;
use super::histogram::histogram;
use super::http2::Http2Record;
use super::websocket::WebSocketRecord;

/// What the layers of a thread recorded.
#[derive(Debug, Clone, Default)]
pub struct Layers {
    /// Of TLS, where it is spoken.
    pub tls: Option<Handshakes>,
    /// Of HTTP/2, where it is spoken.
    pub http2: Option<Http2Record>,
    /// Of WebSocket, where it is spoken.
    pub websocket: Option<WebSocketRecord>,
    /// How long connections took to open, where they are not the worker's, in nanoseconds.
    pub connects: Option<Histogram<u64>>,
}

impl Layers {
    /// Takes over another thread's.
    pub fn add(&mut self, other: &Layers) {
        if let Some(tls) = &other.tls {
            self.tls.get_or_insert_default().add(tls);
        }
        if let Some(http2) = &other.http2 {
            self.http2.get_or_insert_default().add(http2);
        }
        if let Some(websocket) = &other.websocket {
            self.websocket.get_or_insert_default().add(websocket);
        }
        if let Some(connects) = &other.connects {
            self.connects.get_or_insert_with(histogram).add(connects).expect("the same bounds");
        }
    }
}
