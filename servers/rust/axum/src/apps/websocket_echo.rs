use axum::Router;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use axum::routing::get;

pub fn router() -> Router {
    Router::new().route("/ws", get(upgrade))
}

/// Answers 400 by itself where no upgrade is asked for.
async fn upgrade(upgrade: WebSocketUpgrade) -> Response {
    upgrade.on_upgrade(echo)
}

/// Sends each message back until the client leaves. Pings and its close are answered by reading.
async fn echo(mut socket: WebSocket) {
    while let Some(Ok(message)) = socket.recv().await {
        if !matches!(message, Message::Text(_) | Message::Binary(_)) {
            continue;
        }
        if socket.send(message).await.is_err() {
            return;
        }
    }
}
