//! Loads of every shape against servers of known behaviour.

mod answers;
mod connections;
mod control;
mod failures;
mod idle_through_pauses;
mod pauses;
mod reactors;
mod record;
mod run;
mod samples;
mod server;
mod shapes;
mod stalls;
mod users;
