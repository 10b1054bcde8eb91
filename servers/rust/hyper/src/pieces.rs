//! The pieces of a large answer.

use serde::Deserialize;

use crate::decimal;
use crate::stamps::{is_tag, micros};

const BYTES: usize = 4096;
const MOST: u32 = 65_536;

/// How many pieces are wanted, and for which request.
#[derive(Deserialize)]
pub struct Wanted {
    #[serde(deserialize_with = "decimal::deserialize")]
    n: u32,
    tag: String,
}

impl Wanted {
    pub fn is_right(&self) -> bool {
        is_tag(&self.tag) && (1..=MOST).contains(&self.n)
    }

    /// The pieces, each made when the connection can take it.
    pub fn pieces(self) -> impl Iterator<Item = Vec<u8>> {
        (0..self.n).map(move |number| {
            let mut piece = format!("{number:010} {} {:016} ", self.tag, micros()).into_bytes();
            piece.resize(BYTES - 1, b'.');
            piece.push(b'\n');
            piece
        })
    }
}
