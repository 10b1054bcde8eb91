//! A server on axum. Add your scenarios to `APPS`.

use std::env;
use std::pin::pin;
use std::process::ExitCode;
use std::time::Duration;

use axum::Router;
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::oneshot;
use tokio::time::timeout;

/// How long requests in flight may take to end after SIGTERM.
const GRACE: Duration = Duration::from_secs(2);

/// The application of each scenario.
const APPS: &[(&str, fn() -> Router)] = &[("hello", hello)];

fn hello() -> Router {
    Router::new().route("/hello", get(|| async { "Hello World" }))
}

#[tokio::main]
async fn main() -> ExitCode {
    let scenario = env::var("WEBDYNO_SCENARIO").unwrap_or_default();
    let Some((_, app)) = APPS.iter().find(|(name, _)| *name == scenario) else {
        let known: Vec<&str> = APPS.iter().map(|(name, _)| *name).collect();
        eprintln!("WEBDYNO_SCENARIO is '{scenario}'; one of: {}", known.join(", "));
        return ExitCode::from(2);
    };
    match serve(app()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve(app: Router) -> std::io::Result<()> {
    let port = env::var("PORT").unwrap_or_default();
    let host = env::var("HOST").unwrap_or_else(|_| "127.0.0.1".to_owned());
    let listener = TcpListener::bind(format!("{host}:{port}")).await?;
    let mut terminated = signal(SignalKind::terminate())?;
    let (stop, stopped) = oneshot::channel::<()>();
    let server = axum::serve(listener, app).with_graceful_shutdown(async {
        stopped.await.ok();
    });
    let mut server = pin!(server.into_future());
    tokio::select! {
        ended = &mut server => return ended,
        _ = terminated.recv() => drop(stop),
    }
    // A client that stays silent halfway through a request would keep the server from ending.
    timeout(GRACE, server).await.unwrap_or(Ok(()))
}
