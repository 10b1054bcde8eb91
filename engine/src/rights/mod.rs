//! Giving up rights that a program under test has no need of, by Landlock, and by capabilities where
//! it stays root.
//!
//! Landlock binds the thread that asks for it and what that thread starts, for good, and needs no
//! privilege. So a thread of its own gives up the rights, starts the program and ends: nothing has
//! to run between fork and exec, and the rest of this process keeps what it has.

mod landlock;

use std::io;
use std::path::PathBuf;

use rustix::thread::{CapabilitySet, remove_capability_from_bounding_set};

use landlock::Ruleset;

/// What root may do all the same: servers that start as root open low ports, and hand files and
/// their workers over to a user of their own. The rest is the machine's: its clock, its network, its
/// other processes.
const KEPT: CapabilitySet = CapabilitySet::CHOWN
    .union(CapabilitySet::DAC_OVERRIDE)
    .union(CapabilitySet::FOWNER)
    .union(CapabilitySet::FSETID)
    .union(CapabilitySet::KILL)
    .union(CapabilitySet::SETGID)
    .union(CapabilitySet::SETUID)
    .union(CapabilitySet::NET_BIND_SERVICE);

/// Leaves the calling thread, and all that it starts from then on, the right to read and execute
/// below `read` and every right below `write`. It sends no signal to processes that have not given
/// up the same, and traces none. Paths that cannot be opened are passed over. What it starts has
/// none of root's capabilities but those over files, users and low ports, and gains none by setuid.
///
/// Returns whether the kernel enforces Landlock, at least in part.
///
/// # Errors
/// One line, where the kernel knows of what it is asked for and refuses all the same. It names the
/// path that was refused, if it was one.
pub fn give_up(read: &[PathBuf], write: &[PathBuf]) -> Result<bool, String> {
    for capability in CapabilitySet::all().difference(KEPT).iter() {
        // Who is not root has none to lose and may not say so; older kernels do not know the newest.
        let _ = remove_capability_from_bounding_set(capability);
    }
    // Whether or not there is Landlock, which only root may use without it.
    rustix::thread::set_no_new_privs(true)
        .map_err(|error| format!("no_new_privs is refused: {error}"))?;
    restrict(read, write)
}

fn restrict(read: &[PathBuf], write: &[PathBuf]) -> Result<bool, String> {
    let refused = |error: io::Error| format!("Landlock refuses: {error}");
    let Some(rules) = Ruleset::new().map_err(refused)? else { return Ok(false) };
    let reading = read.iter().map(|path| (path, landlock::READ));
    let writing = write.iter().map(|path| (path, landlock::ALL));
    for (path, access) in reading.chain(writing) {
        let named = |error| format!("Landlock refuses {}: {error}", path.display());
        rules.keep(path, access).map_err(named)?;
    }
    rules.enforce().map_err(refused)?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_is_started_has_few_of_root_s_capabilities_and_gains_none() {
        let started = || {
            let status = std::process::Command::new("cat").arg("/proc/self/status").output();
            let text = String::from_utf8(status.unwrap().stdout).unwrap();
            let number = |name: &str| {
                let value = text.lines().find_map(|line| line.strip_prefix(name)).unwrap();
                u64::from_str_radix(value.trim(), 16).unwrap()
            };
            (number("CapEff:"), number("NoNewPrivs:"))
        };
        let before = started();
        let inside = std::thread::spawn(move || {
            give_up(&["/".into()], &["/".into()]).unwrap();
            started()
        });
        // This machine's kernel may have no Landlock: new privileges are refused all the same.
        assert_eq!(inside.join().unwrap(), (before.0 & KEPT.bits(), 1));
        assert_eq!(started(), before, "this thread gave up nothing");
    }

    #[test]
    fn a_path_that_landlock_cannot_hold_is_named() {
        let (pipe, _writer) = std::io::pipe().unwrap();
        let path = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&pipe));
        let write = [PathBuf::from(&path)];
        let tried = std::thread::spawn(move || give_up(&[], &write)).join().unwrap();
        match tried {
            Err(line) => assert!(line.starts_with(&format!("Landlock refuses {path}: ")), "{line}"),
            Ok(held) => assert!(!held, "a pipe lies in no folder"),
        }
    }

    #[test]
    fn what_is_given_up_is_gone_for_that_thread_alone() {
        let folder = std::env::temp_dir().join(format!("webdyno-rights-{}", std::process::id()));
        let (own, other) = (folder.join("own"), folder.join("other"));
        fs::create_dir_all(&own).unwrap();
        fs::create_dir_all(&other).unwrap();
        fs::write(other.join("secret"), "x").unwrap();
        fs::write(other.join("given"), "x").unwrap();
        let inside = {
            let (own, other) = (own.clone(), other.clone());
            std::thread::spawn(move || {
                let kept = [own.clone(), other.join("given"), other.join("missing")];
                let held = give_up(&["/usr".into()], &kept).unwrap();
                fs::write(other.join("given"), "y").expect("a single file is kept");
                let may = |path: PathBuf| fs::write(path, "y").is_ok();
                (
                    held,
                    may(own.join("new")),
                    may(other.join("new")),
                    fs::read(other.join("secret")).is_ok(),
                )
            })
        };
        let (held, writes_own, writes_other, reads_other) = inside.join().unwrap();
        assert!(writes_own);
        assert_eq!((writes_other, reads_other), (!held, !held));
        fs::write(other.join("after"), "z").expect("this thread gave up nothing");
        fs::remove_dir_all(&folder).unwrap();
    }
}
