//! Request templates: compiled once, drawn for each request without allocating.
//!
//! [`Compiled`] is what all users of a load share; a [`User`] is one of them, with random numbers,
//! a place in the sequence of requests, and a cookie jar of its own. A [`Request`] is what they send.

mod compile;
mod cookies;
mod drawn;
mod request;
mod text;
mod user;
mod values;

pub use compile::Compiled;
pub use cookies::Jar;
pub use drawn::Drawn;
pub use request::Request;
pub use user::User;

pub(crate) use compile::Template;
pub(crate) use text::Text;
pub(crate) use values::Slots;
