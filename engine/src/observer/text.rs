//! Text of the kernel's that holds names which programs chose.

use std::fs;
use std::io;

/// A file of `/proc` in which programs have names or paths of their own: bytes that are no UTF-8, as
/// of a name that the kernel cut off within a letter, are replaced.
pub(super) fn text_of(path: &str) -> io::Result<String> {
    Ok(String::from_utf8_lossy(&fs::read(path)?).into_owned())
}
