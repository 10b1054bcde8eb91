//! Answers one of Webdyno's scenarios with axum.

mod apps;
mod database;
mod decimal;
mod environment;
mod pieces;
mod rows;
mod serve;
mod stamps;
mod table_store;
mod world_cache;

use std::error::Error;
use std::process::ExitCode;

use axum::Router;
use tokio::runtime::Runtime;

fn main() -> ExitCode {
    let runtime = Runtime::new().expect("the runtime's threads can be started");
    // Pools can only be made where a runtime is there.
    let entered = runtime.enter();
    let (port, router) = match configure() {
        Ok(configured) => configured,
        Err(error) => {
            eprintln!("server: {error}");
            return ExitCode::from(2);
        }
    };
    drop(entered);
    let served = runtime.block_on(serve::serve(port, router));
    // Dropping the runtime would wait for blocking work without a limit.
    runtime.shutdown_background();
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("server: port {port}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Reads the environment: where to listen, and which scenario to answer.
fn configure() -> Result<(u16, Router), Box<dyn Error>> {
    let port = environment::port()?;
    let router = apps::router(&environment::scenario())?;
    Ok((port, router))
}
