//! Servers of WebSocket, by tungstenite: they answer each message as a test says.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

use rustls::{ServerConfig, ServerConnection, StreamOwned};
use tungstenite::{Message, WebSocket, accept};

/// A connection, with or without TLS.
pub trait Stream: Read + Write + Send {}
impl<S: Read + Write + Send> Stream for S {}

/// An upgraded connection from the server's side.
pub type Peer = WebSocket<Box<dyn Stream>>;

/// Starts a server that handles each upgraded connection by `handle`. Its port.
pub fn start(tls: Option<Arc<ServerConfig>>, handle: impl Fn(Peer) + Send + Sync + 'static) -> u16 {
    raw(tls, move |stream| {
        if let Ok(peer) = accept(stream) {
            handle(peer);
        }
    })
}

/// Starts a server that handles each connection by `handle`. Its port.
pub fn raw(
    tls: Option<Arc<ServerConfig>>,
    handle: impl Fn(Box<dyn Stream>) + Send + Sync + 'static,
) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let handle = Arc::new(handle);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (handle, tls) = (Arc::clone(&handle), tls.clone());
            thread::spawn(move || {
                stream.set_nodelay(true).unwrap();
                handle(over(stream, tls));
            });
        }
    });
    port
}

fn over(stream: TcpStream, tls: Option<Arc<ServerConfig>>) -> Box<dyn Stream> {
    match tls {
        Some(config) => Box::new(StreamOwned::new(ServerConnection::new(config).unwrap(), stream)),
        None => Box::new(stream),
    }
}

/// The next text, `None` at the end of the connection.
pub fn text(peer: &mut Peer) -> Option<String> {
    loop {
        match peer.read() {
            Ok(Message::Text(text)) => return Some(text.to_string()),
            Ok(_) => {}
            Err(_) => return None,
        }
    }
}

/// Echoes every text.
pub fn echo(mut peer: Peer) {
    while let Some(said) = text(&mut peer) {
        if peer.send(Message::text(said)).is_err() {
            return;
        }
    }
}

/// Sends bytes as they are, past the library.
pub fn write(peer: &mut Peer, bytes: &[u8]) -> bool {
    peer.get_mut().write_all(bytes).and_then(|()| peer.get_mut().flush()).is_ok()
}
