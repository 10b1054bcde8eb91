//! Runs a load by the specification on standard input and prints its result.

use std::io::{Read, stdin};
use std::process::ExitCode;
use std::time::Duration;

use webdyno_engine::run::Load;

fn main() -> ExitCode {
    match run() {
        Ok(result) => {
            println!("{result}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("load: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<String, String> {
    let mut spec = String::new();
    stdin().read_to_string(&mut spec).map_err(|error| error.to_string())?;
    let load = Load::new(&spec)?;
    load.start()?;
    while !load.wait(Duration::from_secs(1)) {}
    serde_json::to_string(&load.result()?).map_err(|error| error.to_string())
}
