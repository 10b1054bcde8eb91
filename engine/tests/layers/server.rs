//! Servers whose behaviour a test knows: HTTP/1.1 over TLS, and HTTP/2 with or without it.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use bytes::Bytes;
use h2::server::SendResponse;
use http::{Request, Response};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_rustls::TlsAcceptor;

/// The usual answer.
pub const HELLO: &str = "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nHello World";

/// The usual answer, on a connection that carries no other.
pub const LAST_HELLO: &str =
    "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 11\r\n\r\nHello World";

/// What a server does after its answer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Then {
    /// It keeps the connection.
    Stay,
    /// It says goodbye (close_notify) and closes.
    Leave,
    /// It closes without a word, as does whoever cuts a connection off.
    Cut,
    /// It sends right behind it what nobody can decrypt.
    Garble,
}

/// Starts a server of HTTP/1.1 over TLS that sends `answer` to each request. Its port.
pub fn over_tls(config: Arc<ServerConfig>, answer: &'static str, then: Then) -> u16 {
    over_slow_tls(Duration::ZERO, config, answer, then)
}

/// The same, but it begins each handshake only after a `pause`.
pub fn over_slow_tls(
    pause: Duration,
    config: Arc<ServerConfig>,
    answer: &'static str,
    then: Then,
) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let tls = ServerConnection::new(Arc::clone(&config)).unwrap();
            thread::spawn(move || {
                thread::sleep(pause);
                stream.set_nodelay(true).unwrap();
                let mut stream = StreamOwned::new(tls, stream);
                let mut request = Vec::new();
                let mut piece = [0; 4096];
                while let Ok(count @ 1..) = stream.read(&mut piece) {
                    request.extend_from_slice(&piece[..count]);
                    while let Some(end) = request.windows(4).position(|end| end == b"\r\n\r\n") {
                        request.drain(..end + 4);
                        if then == Then::Garble {
                            let _ = stream.conn.writer().write_all(answer.as_bytes());
                            let mut whole = Vec::new();
                            while stream.conn.wants_write() {
                                stream.conn.write_tls(&mut whole).unwrap();
                            }
                            whole.extend(b"\x17\x03\x03\0\x20");
                            whole.extend([0x47; 32]);
                            let _ = stream.sock.write_all(&whole);
                        } else if stream.write_all(answer.as_bytes()).is_err() {
                            return;
                        }
                    }
                    let _ = stream.flush();
                    if then == Then::Leave {
                        stream.conn.send_close_notify();
                        let _ = stream.flush();
                    }
                    if then != Then::Stay {
                        return;
                    }
                }
            });
        }
    });
    port
}

/// One request to a server of HTTP/2.
pub struct Exchange {
    pub request: Request<h2::RecvStream>,
    pub reply: SendResponse<Bytes>,
    /// Counts the requests of the server, from 1.
    pub number: u64,
}

/// A server of HTTP/2 on a port of its own.
pub struct Http2 {
    pub port: u16,
    pub connections: Arc<AtomicU64>,
}

/// How a server of HTTP/2 behaves beside its answers.
#[derive(Clone, Copy, Default)]
pub struct Manner {
    /// Streams it allows at once.
    pub streams: Option<u32>,
    /// It asks to leave the connection after so many requests.
    pub leave_after: Option<u64>,
    /// It cuts the connection after so many requests.
    pub cut_after: Option<u64>,
}

impl Http2 {
    /// Starts a server that handles each request by `handle`, over TLS if there is a `config`.
    pub fn start<F, A>(config: Option<Arc<ServerConfig>>, manner: Manner, handle: F) -> Http2
    where
        F: Fn(Exchange) -> A + Send + Sync + 'static,
        A: Future<Output = ()> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let port = listener.local_addr().unwrap().port();
        let connections = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&connections);
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(1)
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(accept(listener, config, manner, Arc::new(handle), counted));
        });
        Http2 { port, connections }
    }
}

async fn accept<F, A>(
    listener: TcpListener,
    config: Option<Arc<ServerConfig>>,
    manner: Manner,
    handle: Arc<F>,
    connections: Arc<AtomicU64>,
) where
    F: Fn(Exchange) -> A + Send + Sync + 'static,
    A: Future<Output = ()> + Send + 'static,
{
    let listener = tokio::net::TcpListener::from_std(listener).unwrap();
    let numbers = Arc::new(AtomicU64::new(0));
    while let Ok((stream, _)) = listener.accept().await {
        connections.fetch_add(1, Ordering::SeqCst);
        stream.set_nodelay(true).unwrap();
        let (handle, numbers) = (Arc::clone(&handle), Arc::clone(&numbers));
        match config.clone() {
            None => drop(tokio::spawn(serve(stream, manner, handle, numbers))),
            Some(config) => drop(tokio::spawn(async move {
                if let Ok(stream) = TlsAcceptor::from(config).accept(stream).await {
                    serve(stream, manner, handle, numbers).await;
                }
            })),
        }
    }
}

async fn serve<S, F, A>(stream: S, manner: Manner, handle: Arc<F>, numbers: Arc<AtomicU64>)
where
    S: AsyncRead + AsyncWrite + Unpin,
    F: Fn(Exchange) -> A + Send + Sync + 'static,
    A: Future<Output = ()> + Send + 'static,
{
    let mut builder = h2::server::Builder::new();
    if let Some(streams) = manner.streams {
        builder.max_concurrent_streams(streams);
    }
    let Ok(mut connection) = builder.handshake::<_, Bytes>(stream).await else { return };
    let mut seen = 0;
    while let Some(Ok((request, reply))) = connection.accept().await {
        seen += 1;
        if manner.cut_after == Some(seen) {
            return;
        }
        let number = numbers.fetch_add(1, Ordering::SeqCst) + 1;
        tokio::spawn(handle(Exchange { request, reply, number }));
        if manner.leave_after == Some(seen) {
            connection.graceful_shutdown();
        }
    }
}

/// Reads the whole body of a request.
pub async fn body_of(request: &mut Request<h2::RecvStream>) -> Vec<u8> {
    let mut whole = Vec::new();
    let body = request.body_mut();
    while let Some(Ok(piece)) = body.data().await {
        let _ = body.flow_control().release_capacity(piece.len());
        whole.extend_from_slice(&piece);
    }
    whole
}

/// Sends an answer. A client that is gone needs none.
pub fn reply(mut reply: SendResponse<Bytes>, response: Response<()>, body: impl Into<Bytes>) {
    let body = body.into();
    if let Ok(mut stream) = reply.send_response(response, body.is_empty())
        && !body.is_empty()
    {
        let _ = stream.send_data(body, true);
    }
}

/// Answers as usual.
pub async fn hello(exchange: Exchange) {
    reply(exchange.reply, Response::new(()), "Hello World");
}
