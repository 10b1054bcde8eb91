//! Memory that is held without being mapped: files that lie in memory, and that a process has open.
//!
//! What a memory map tells says nothing of them: a program may write all it knows into a file of
//! `memfd_create`, read it with `pread`, and seem to hold nothing.

use std::collections::HashMap;
use std::ffi::CStr;
use std::fs;

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, Statx, StatxFlags};

const TMPFS: i64 = 0x0102_1994;
const HUGETLBFS: i64 = 0x9584_58f6;
/// Blocks are counted in these, whatever the file system's own are.
const BLOCK_BYTES: u64 = 512;

/// Where programs share memory by name: what lies there was never meant for a disk.
const SHARED_MEMORY: &str = "/dev/shm";

/// A file, by its device (major, minor) and its number there.
type Inode = (u32, u32, u64);

/// Bytes in files that lie in memory, that processes `pids` have open, and that none of them maps:
/// each file once, its mapped part, which `smaps` counts already, not at all.
///
/// These are files without a name (`memfd_create`, or deleted) and those in `/dev/shm`. Others with
/// a name in a memory file system lie where somebody keeps files: there it stands for a disk.
pub(super) fn unmapped_bytes(pids: &[i32]) -> u64 {
    let shared = rustix::fs::statx(CWD, SHARED_MEMORY, AtFlags::empty(), StatxFlags::BASIC_STATS);
    let shared = shared.ok().map(|folder| (folder.stx_dev_major, folder.stx_dev_minor));
    let mut files = HashMap::new();
    for pid in pids {
        add_open(*pid, shared, &mut files);
    }
    if files.is_empty() {
        return 0;
    }
    for pid in pids {
        // Dear, but hardly any server has such a file.
        let map = fs::read_to_string(format!("/proc/{pid}/smaps")).unwrap_or_default();
        take_mapped(&map, &mut files);
    }
    files.values().sum()
}

/// Adds the size of each file in memory that the process has open.
fn add_open(pid: i32, shared: Option<(u32, u32)>, files: &mut HashMap<Inode, u64>) {
    let path = format!("/proc/{pid}/fd");
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let Ok(folder) = rustix::fs::openat(CWD, path.as_str(), flags, Mode::empty()) else { return };
    let Ok(entries) = Dir::read_from(&folder) else { return };
    for entry in entries.flatten() {
        // Nobody else is asked, a server over the network least of all, who might not answer.
        let how = AtFlags::STATX_DONT_SYNC;
        let seen = rustix::fs::statx(&folder, entry.file_name(), how, StatxFlags::BASIC_STATS);
        let Ok(seen) = seen else { continue };
        let inode = (seen.stx_dev_major, seen.stx_dev_minor, seen.stx_ino);
        if may_be_memory(&seen, shared)
            && !files.contains_key(&inode)
            && lies_in_memory(&path, entry.file_name())
        {
            files.insert(inode, seen.stx_blocks * BLOCK_BYTES);
        }
    }
}

fn may_be_memory(seen: &Statx, shared: Option<(u32, u32)>) -> bool {
    FileType::from_raw_mode(seen.stx_mode.into()) == FileType::RegularFile
        && seen.stx_blocks > 0
        && (seen.stx_nlink == 0 || shared == Some((seen.stx_dev_major, seen.stx_dev_minor)))
}

fn lies_in_memory(folder: &str, name: &CStr) -> bool {
    let path = format!("{folder}/{}", name.to_string_lossy());
    rustix::fs::statfs(path).is_ok_and(|found| [TMPFS, HUGETLBFS].contains(&found.f_type))
}

/// Takes off what the map of a process, the text of its `smaps`, counts of each file.
fn take_mapped(map: &str, files: &mut HashMap<Inode, u64>) {
    let mut inode = None;
    for line in map.lines() {
        if let Some(size) = line.strip_prefix("Pss:") {
            let kilobytes = size.split_ascii_whitespace().next().and_then(|text| text.parse().ok());
            if let Some(left) = inode.and_then(|inode| files.get_mut(&inode)) {
                *left = left.saturating_sub(kilobytes.unwrap_or(0_u64) * 1024);
            }
        } else if let Some(found) = inode_of(line) {
            inode = Some(found);
        }
    }
}

/// The file of a mapping's first line: `from-to rights offset major:minor inode path`.
fn inode_of(line: &str) -> Option<Inode> {
    let mut fields = line.split_ascii_whitespace();
    fields.next()?.split_once('-')?;
    let (major, minor) = fields.nth(2)?.split_once(':')?;
    let hex = |text| u32::from_str_radix(text, 16).ok();
    Some((hex(major)?, hex(minor)?, fields.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::io::Write;
    use std::os::fd::FromRawFd;

    const MIB: usize = 1 << 20;

    /// A file of `memfd_create` that holds so many bytes.
    fn memory_file(bytes: usize) -> File {
        // SAFETY: the name is a string that ends with a zero; the descriptor is nobody else's.
        let mut file = unsafe {
            let descriptor = libc::memfd_create(c"held".as_ptr(), libc::MFD_CLOEXEC);
            assert!(descriptor >= 0);
            File::from_raw_fd(descriptor)
        };
        file.write_all(&vec![7; bytes]).unwrap();
        file
    }

    #[test]
    fn a_file_in_memory_counts_once_as_far_as_it_is_not_mapped() {
        let own = std::process::id().cast_signed();
        // Other tests of this process hold none.
        let before = unmapped_bytes(&[own]);
        let file = memory_file(8 * MIB);
        let _same = file.try_clone().unwrap();
        assert_eq!(unmapped_bytes(&[own, own]) - before, 8 * MIB as u64);
        // SAFETY: a mapping of its own; the half that is read is within the file.
        unsafe {
            let (rights, kind) = (libc::PROT_READ, libc::MAP_SHARED | libc::MAP_POPULATE);
            let descriptor = std::os::fd::AsRawFd::as_raw_fd(&file);
            let half = libc::mmap(std::ptr::null_mut(), 4 * MIB, rights, kind, descriptor, 0);
            assert_ne!(half, libc::MAP_FAILED);
            assert_eq!(unmapped_bytes(&[own]) - before, 4 * MIB as u64);
            libc::munmap(half, 4 * MIB);
        }
    }

    #[test]
    fn files_on_a_disk_and_empty_ones_do_not_count() {
        let seen = |nlink, blocks, major| {
            let mut seen =
                rustix::fs::statx(CWD, "/proc/self/exe", AtFlags::empty(), StatxFlags::BASIC_STATS)
                    .unwrap();
            (seen.stx_nlink, seen.stx_blocks, seen.stx_dev_major) = (nlink, blocks, major);
            seen.stx_dev_minor = 5;
            seen
        };
        let shared = Some((0, 5));
        assert!(may_be_memory(&seen(0, 8, 1), shared), "it has no name");
        assert!(may_be_memory(&seen(1, 8, 0), shared), "it is in /dev/shm");
        assert!(!may_be_memory(&seen(1, 8, 1), shared), "it has a name elsewhere");
        assert!(!may_be_memory(&seen(0, 0, 0), shared), "there is nothing in it");
    }

    #[test]
    fn a_map_tells_of_files_by_device_and_number() {
        let map = "7f00-7f10 rw-s 00000000 00:01 42   /memfd:a b: c (deleted)\n\
                   Size:   40 kB\nPss:    8 kB\nPss_Dirty:  4 kB\n\
                   7f20-7f30 rw-p 00000000 00:00 0\nPss:  100 kB\n";
        let mut files = HashMap::from([((0, 1, 42), 20 * 1024), ((0, 1, 43), 1024)]);
        take_mapped(map, &mut files);
        assert_eq!(files, HashMap::from([((0, 1, 42), 12 * 1024), ((0, 1, 43), 1024)]));
    }
}
