//! Request templates: compiled once, rendered for each request without allocating.
//!
//! [`Compiled`] is what all users of a load share; a [`User`] is one of them, with random numbers,
//! a place in the sequence of requests, and a cookie jar of its own.

mod compile;
mod cookies;
mod rendered;
mod text;
mod user;
mod values;

pub use compile::Compiled;
pub use cookies::Jar;
pub use rendered::Rendered;
pub use user::User;

pub(crate) use text::Text;
pub(crate) use values::Slots;

#[cfg(test)]
mod tests;
