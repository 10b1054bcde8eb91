//! Landlock's three system calls, see landlock(7): rights over files by folder, and over signals.

use std::io;
use std::mem::size_of;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::path::Path;

use linux_raw_sys::landlock::{
    LANDLOCK_ACCESS_FS_EXECUTE, LANDLOCK_ACCESS_FS_IOCTL_DEV, LANDLOCK_ACCESS_FS_MAKE_SYM,
    LANDLOCK_ACCESS_FS_READ_DIR, LANDLOCK_ACCESS_FS_READ_FILE, LANDLOCK_ACCESS_FS_REFER,
    LANDLOCK_ACCESS_FS_TRUNCATE, LANDLOCK_ACCESS_FS_WRITE_FILE, LANDLOCK_CREATE_RULESET_VERSION,
    LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET, LANDLOCK_SCOPE_SIGNAL, landlock_path_beneath_attr,
    landlock_rule_type, landlock_ruleset_attr,
};
use rustix::fs::{FileType, Mode, OFlags, fstat, open};

/// To start programs, and to read files and folders.
pub(super) const READ: u64 = (LANDLOCK_ACCESS_FS_EXECUTE
    | LANDLOCK_ACCESS_FS_READ_FILE
    | LANDLOCK_ACCESS_FS_READ_DIR) as u64;

/// Every right over files up to Landlock's fifth version; the sixth added none.
pub(super) const ALL: u64 = ALL_OF_FIRST
    | (LANDLOCK_ACCESS_FS_REFER | LANDLOCK_ACCESS_FS_TRUNCATE | LANDLOCK_ACCESS_FS_IOCTL_DEV)
        as u64;

/// The rights of the first version, whose last is to make symbolic links.
const ALL_OF_FIRST: u64 = ((LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1) as u64;

/// Those one can have over a file that is no folder; the kernel refuses a rule with others.
const OVER_FILES: u64 = (LANDLOCK_ACCESS_FS_EXECUTE
    | LANDLOCK_ACCESS_FS_WRITE_FILE
    | LANDLOCK_ACCESS_FS_READ_FILE
    | LANDLOCK_ACCESS_FS_TRUNCATE
    | LANDLOCK_ACCESS_FS_IOCTL_DEV) as u64;

/// What a thread is going to lose, and the exceptions.
#[derive(Debug)]
pub(super) struct Ruleset {
    file: OwnedFd,
    /// The rights over files that this kernel knows of.
    handled: u64,
}

impl Ruleset {
    /// One that takes every right over files, and over signals and abstract sockets of others, as
    /// far as this kernel knows of them; nothing where it has no Landlock, or has it switched off.
    pub(super) fn new() -> io::Result<Option<Ruleset>> {
        // SAFETY: no address is given, and the kernel looks at none to tell its version.
        let version = unsafe {
            let version = LANDLOCK_CREATE_RULESET_VERSION;
            libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<u8>(), 0, version)
        };
        let Ok(version @ 1..) = i32::try_from(version) else { return Ok(None) };
        let handled = handled_by(version);
        let attributes = landlock_ruleset_attr {
            handled_access_fs: handled,
            handled_access_net: 0,
            scoped: scoped_by(version),
        };
        // SAFETY: the kernel reads `attributes`, of that size, while it is called. An older one, with
        // fewer fields, accepts the others as long as they are 0.
        let file = unsafe {
            let size = size_of::<landlock_ruleset_attr>();
            libc::syscall(libc::SYS_landlock_create_ruleset, &raw const attributes, size, 0)
        };
        // SAFETY: the kernel has opened it for us.
        let owned = |file: libc::c_long| unsafe { OwnedFd::from_raw_fd(file as i32) };
        checked(file).map(|file| Some(Ruleset { file: owned(file), handled }))
    }

    /// Leaves the rights `access` over `path` and, if it is a folder, all below it. A path that
    /// cannot be opened, such as one that does not exist, is passed over.
    pub(super) fn keep(&self, path: &Path, access: u64) -> io::Result<()> {
        let Ok(place) = open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty()) else {
            return Ok(());
        };
        let is_folder = FileType::from_raw_mode(fstat(&place)?.st_mode) == FileType::Directory;
        let over = if is_folder { ALL } else { OVER_FILES };
        let rule = landlock_path_beneath_attr {
            allowed_access: access & over & self.handled,
            parent_fd: place.as_raw_fd(),
        };
        // SAFETY: the kernel reads `rule` while it is called; both files are open.
        let added = unsafe {
            let kind = landlock_rule_type::LANDLOCK_RULE_PATH_BENEATH as u32;
            let file = self.file.as_raw_fd();
            libc::syscall(libc::SYS_landlock_add_rule, file, kind, &raw const rule, 0)
        };
        checked(added).map(drop)
    }

    /// Takes the rest from the calling thread, and from what it starts, for good. That thread needs
    /// `no_new_privs`, or root's rights.
    pub(super) fn enforce(&self) -> io::Result<()> {
        // SAFETY: no memory is given, and the file is open.
        let enforced =
            unsafe { libc::syscall(libc::SYS_landlock_restrict_self, self.file.as_raw_fd(), 0) };
        checked(enforced).map(drop)
    }
}

/// The rights over files that a kernel with Landlock's version `version` knows of.
const fn handled_by(version: i32) -> u64 {
    let mut unknown = 0;
    if version < 2 {
        unknown |= LANDLOCK_ACCESS_FS_REFER;
    }
    if version < 3 {
        unknown |= LANDLOCK_ACCESS_FS_TRUNCATE;
    }
    if version < 5 {
        unknown |= LANDLOCK_ACCESS_FS_IOCTL_DEV;
    }
    ALL & !(unknown as u64)
}

/// What of other processes is out of reach, where a kernel with `version` knows of that.
const fn scoped_by(version: i32) -> u64 {
    if version < 6 {
        return 0;
    }
    (LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | LANDLOCK_SCOPE_SIGNAL) as u64
}

fn checked(code: libc::c_long) -> io::Result<libc::c_long> {
    if code < 0 { Err(io::Error::last_os_error()) } else { Ok(code) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_is_asked_for_what_its_version_knows_of() {
        let rights = |version| (handled_by(version), scoped_by(version));
        assert_eq!(rights(1), (0x1fff, 0));
        assert_eq!(rights(2), (0x3fff, 0));
        assert_eq!([rights(3), rights(4)], [(0x7fff, 0); 2]);
        assert_eq!(rights(5), (0xffff, 0));
        assert_eq!([rights(6), rights(7)], [(0xffff, 3); 2]);
    }
}
