//! Answers one of Webdyno's scenarios with ntex.

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

use apps::Mount;
use ntex::SharedCfg;
use ntex::http::HttpServiceConfig;
use ntex::time::Seconds;
use ntex::web::{App, HttpServer};

/// How long requests in flight may take to end after SIGTERM.
const SHUTDOWN_GRACE: Seconds = Seconds(2);

/// Longer than the 60 s usual in proxies, so that it is the client who closes first and no request
/// meets a connection that is just being closed.
const KEEP_ALIVE: Seconds = Seconds(75);

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
#[ntex::main]
async fn serve(port: u16, mount: Mount) -> io::Result<()> {
    let host = env::var("HOST").unwrap_or_else(|_| "127.0.0.1".to_owned());
    let http = HttpServiceConfig::new().set_keepalive(KEEP_ALIVE);
    HttpServer::new(async move || App::new().configure(|config| mount(config)))
        .config(SharedCfg::new("server").add(http))
        .shutdown_timeout(SHUTDOWN_GRACE)
        .bind((host, port))?
        .run()
        .await
}
