use futures_util::{SinkExt, StreamExt};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::header::{CONNECTION, HeaderValue, UPGRADE};
use hyper::upgrade::Upgraded;
use hyper::{Request, StatusCode};
use hyper_util::rt::TokioIo;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::server::create_response_with_body;
use tokio_tungstenite::tungstenite::protocol::Role;

use crate::answer::{self, Answer, Body};

/// Accepts a WebSocket, which has a task of its own once the answer is sent.
pub fn upgrade(request: Request<Incoming>) -> Answer {
    let accepted = create_response_with_body(&request, || Body::Left(Full::default()));
    let Ok(answer) = accepted else {
        return upgrade_required();
    };
    tokio::spawn(async move {
        // It fails where the client has left already.
        if let Ok(connection) = hyper::upgrade::on(request).await {
            echo(connection).await;
        }
    });
    answer
}

fn upgrade_required() -> Answer {
    let mut refused = answer::text(StatusCode::UPGRADE_REQUIRED, "a WebSocket is served here");
    let headers = refused.headers_mut();
    headers.insert(CONNECTION, HeaderValue::from_static("upgrade"));
    headers.insert(UPGRADE, HeaderValue::from_static("websocket"));
    refused
}

/// Sends each message back until the client leaves. Pings and its close are answered by reading.
async fn echo(connection: Upgraded) {
    let connection = TokioIo::new(connection);
    let mut socket = WebSocketStream::from_raw_socket(connection, Role::Server, None).await;
    while let Some(Ok(message)) = socket.next().await {
        if !message.is_text() && !message.is_binary() {
            continue;
        }
        if socket.send(message).await.is_err() {
            return;
        }
    }
}
