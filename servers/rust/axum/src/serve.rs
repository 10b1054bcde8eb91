//! Listening, and an orderly end.

use std::env;
use std::io;
use std::pin::pin;
use std::time::Duration;

use axum::Router;
use axum::serve::ListenerExt;
use tokio::net::TcpListener;
use tokio::signal::ctrl_c;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::oneshot;
use tokio::time::timeout;

/// How long requests in flight may take to end after SIGTERM.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(2);

/// Answers requests on `$HOST` until SIGTERM or Ctrl-C, then lets those in flight end.
pub async fn serve(port: u16, router: Router) -> io::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let host = env::var("HOST").unwrap_or_else(|_| "127.0.0.1".to_owned());
    let listener = TcpListener::bind((host, port)).await?.tap_io(|connection| {
        // Or the pieces of a stream wait for the client's acknowledgements.
        connection.set_nodelay(true).ok();
    });
    let (stop, stopped) = oneshot::channel::<()>();
    let server = axum::serve(listener, router).with_graceful_shutdown(async {
        stopped.await.ok();
    });
    let mut server = pin!(server.into_future());

    tokio::select! {
        ended = &mut server => return ended,
        _ = terminate.recv() => {}
        _ = ctrl_c() => {}
    }

    drop(stop);
    // Idle connections are closed at once; a client that stays silent halfway through a request
    // would keep the server from ending.
    timeout(SHUTDOWN_GRACE, server).await.unwrap_or(Ok(()))
}
