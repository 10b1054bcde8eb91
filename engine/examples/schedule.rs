//! Prints when the requests of an open load are due, by the specification on standard input:
//! nanoseconds from its start, one a line. Nothing is sent.

use std::io::{BufWriter, Write, stdin, stdout};
use std::process::ExitCode;

use webdyno_engine::arrivals::schedule::Schedule;
use webdyno_engine::plan::spec::{Shape, Spec};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("schedule: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), String> {
    let spec: Spec = serde_json::from_reader(stdin()).map_err(|error| error.to_string())?;
    let Shape::Open { phases, arrivals, .. } = &spec.load else {
        return Err("load: only an open one has a schedule".to_owned());
    };
    // Each thread keeps a share of its own; in one list they are the load's.
    let mut due: Vec<u64> = (0..spec.threads)
        .flat_map(|thread| Schedule::new(phases, *arrivals, spec.seed, thread, spec.threads))
        .collect();
    due.sort_unstable();
    let mut out = BufWriter::new(stdout().lock());
    due.iter().try_for_each(|time| writeln!(out, "{time}")).map_err(|error| error.to_string())?;
    out.flush().map_err(|error| error.to_string())
}
