//! What is to be done: the load as it is specified and validated, and the requests that its users
//! send.

pub mod template;

pub use webdyno_load_spec as spec;
