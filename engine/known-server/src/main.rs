//! `known model=stall port=8080`: serves as the model says; its port is printed first.
//!
//! The models are
//! - `instant`: answers at once, on as many `threads` as are asked for
//! - `stall`: answers 1 ms after reading, any number at once, and stands still for 200 ms every 2 s
//! - `heavy`: answers each after a time drawn from a Pareto distribution (0.5 ms, α = 1.5, at most
//!   500 ms), any number at once
//! - `queue`: one at a time, each taking `service_us`: M/D/1 under Poisson arrivals
//! - `slow-start`: answers after 20 ms at first, falling in a straight line to 1 ms within 2 s of
//!   the first request, any number at once
//!
//! With `log=FILE` all but `instant` write when they answered each request, in the order they were
//! read, once the last connection has closed: monotonic nanoseconds, 8 bytes each, little-endian. On
//! a busy machine a server is late now and then, and only it knows when.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use webdyno_known_server::arguments::value;
use webdyno_known_server::{Model, Server};

fn main() -> ExitCode {
    let name: String = value("model", "stall".to_owned());
    let Some(model) = Model::of(&name, value("service_us", 40)) else {
        eprintln!("model={name}: no such model; use {}", Model::NAMES.join(", "));
        return ExitCode::from(2);
    };
    let threads = value("threads", 1);
    if threads > 1 && !matches!(model, Model::Instant) {
        eprintln!("threads={threads}: only model=instant has several");
        return ExitCode::from(2);
    }
    match serve(model, threads) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("known: {error}");
            ExitCode::FAILURE
        }
    }
}

fn serve(model: Model, threads: usize) -> io::Result<()> {
    let log: String = value("log", String::new());
    let server = Server::listen(value("port", 0))?;
    println!("{}", server.port()?);
    for _ in 1..threads {
        let share = server.share()?;
        std::thread::spawn(move || share.serve(Model::Instant, None));
    }
    server.serve(model, (!log.is_empty()).then(|| PathBuf::from(log)))
}
