//! Runs a load: its threads, where they meet and pause, and what each does with its connections.

mod files;
mod gate;
mod load;
mod pause;
mod share;
mod shared;
mod thread;
mod worker;

pub use load::Load;
