//! Text of the kernel's that holds names which programs chose.

use std::fs;
use std::io;
use std::path::PathBuf;

/// A file of `/proc` in which programs have names or paths of their own: bytes that are no UTF-8, as
/// of a name that the kernel cut off within a letter, are replaced.
pub(super) fn text_of(path: &str) -> io::Result<String> {
    Ok(String::from_utf8_lossy(&fs::read(path)?).into_owned())
}

/// The folder of another thread of a process than its first. Once that one has ended while others run,
/// the kernel tells of the process's memory and files only there, and calls the process a zombie.
pub(super) fn other_thread(pid: i32) -> Option<PathBuf> {
    let first = pid.to_string();
    let threads = fs::read_dir(format!("/proc/{pid}/task")).ok()?.flatten();
    threads.filter(|thread| thread.file_name() != *first).map(|thread| thread.path()).next()
}
