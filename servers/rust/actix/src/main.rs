//! Answers one of Webdyno's scenarios with Actix Web.

mod apps;
mod database;
mod decimal;
mod environment;
mod pieces;
mod rows;
mod stamps;
mod world_cache;

use std::env;
use std::error::Error;
use std::io;
use std::process::ExitCode;
use std::time::Duration;

use actix_web::{App, HttpServer};
use apps::Mount;

/// How long requests in flight may take to end after SIGTERM, in seconds.
const SHUTDOWN_GRACE_S: u64 = 2;

/// Longer than the 60 s usual in proxies, so that it is the client who closes first and no request
/// meets a connection that is just being closed.
const KEEP_ALIVE: Duration = Duration::from_secs(75);

fn main() -> ExitCode {
    let (port, mount) = match configure() {
        Ok(configured) => configured,
        Err(error) => {
            eprintln!("server: {error}");
            return ExitCode::from(2);
        }
    };
    match serve(port, mount) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("server: port {port}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Reads the environment: where to listen, and which scenario to answer.
fn configure() -> Result<(u16, Mount), Box<dyn Error>> {
    let port = environment::port()?;
    let mount = apps::mount(&environment::scenario())?;
    Ok((port, mount))
}

/// Answers requests on `$HOST`, with one worker a core, until SIGTERM or Ctrl-C.
#[actix_web::main]
async fn serve(port: u16, mount: Mount) -> io::Result<()> {
    let host = env::var("HOST").unwrap_or_else(|_| "127.0.0.1".to_owned());
    HttpServer::new(move || App::new().configure(|config| mount(config)))
        .keep_alive(KEEP_ALIVE)
        .shutdown_timeout(SHUTDOWN_GRACE_S)
        .tcp_nodelay(true) // events of a stream are written one by one
        .bind((host, port))?
        .run()
        .await
}
