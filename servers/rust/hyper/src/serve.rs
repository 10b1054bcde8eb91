//! Listening, and an orderly end.

use std::convert::Infallible;
use std::env;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::signal::ctrl_c;
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::{sleep, timeout};

use crate::apps::App;

/// How long requests in flight may take to end after SIGTERM.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(2);

/// Longer than the 60 s usual in proxies, so that it is the client who closes first and no request
/// meets a connection that is just being closed.
const KEEP_ALIVE: Duration = Duration::from_secs(75);

/// Answers requests on `$HOST` until SIGTERM or Ctrl-C, then lets those in flight end.
pub async fn serve(port: u16, app: App) -> io::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let host = env::var("HOST").unwrap_or_else(|_| "127.0.0.1".to_owned());
    let listener = TcpListener::bind((host, port)).await?;
    let app = Arc::new(app);
    let graceful = GracefulShutdown::new();

    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => connect(stream, &app, &graceful),
                Err(error) => {
                    // Mostly a lack of file handles, which passes.
                    eprintln!("server: {error}");
                    sleep(Duration::from_millis(100)).await;
                }
            },
            _ = terminate.recv() => break,
            _ = ctrl_c() => break,
        }
    }

    drop(listener);
    // Idle connections are closed at once; a client that stays silent halfway through a request
    // would keep the server from ending.
    timeout(SHUTDOWN_GRACE, graceful.shutdown()).await.ok();
    Ok(())
}

/// Serves a connection in a task of its own.
fn connect(stream: TcpStream, app: &Arc<App>, graceful: &GracefulShutdown) {
    // Events of a stream are written one by one. It fails where the client has left already.
    stream.set_nodelay(true).ok();
    let answering = Arc::clone(app);
    let service = service_fn(move |request| {
        let app = Arc::clone(&answering);
        async move { Ok::<_, Infallible>(app.answer(request).await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(KEEP_ALIVE)
        .serve_connection(TokioIo::new(stream), service);
    if matches!(**app, App::WebSocketEcho) {
        // Not watched, as hyper-util cannot; a WebSocket ends with its client or the process.
        let upgradeable = connection.with_upgrades();
        tokio::spawn(async move {
            upgradeable.await.ok();
        });
        return;
    }
    let watched = graceful.watch(connection);
    tokio::spawn(async move {
        // A client that goes away in the midst of a request is no fault of ours.
        watched.await.ok();
    });
}
