//! The response parser from outside: tables of right and wrong answers, and random splits.

mod common;
mod corpus;
mod malformed;
mod splits;
mod well_formed;
