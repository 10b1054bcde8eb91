//! The observer against real processes, whose CPU time the kernel itself tells when they end.

mod cpu_time;
mod observing;
mod processes;
mod samples;
mod tree;
