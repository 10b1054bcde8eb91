//! Memory that is held without being mapped: files that lie in memory, and that a process has open.
//!
//! What a memory map tells says nothing of them: a program may write all it knows into a file of
//! `memfd_create`, read it with `pread`, and seem to hold nothing.

use std::collections::HashMap;
use std::ffi::CStr;
use std::fs;
use std::time::Instant;

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, Statx, StatxFlags};

use super::text::{other_thread, text_of};
use super::throttle::{Throttle, thread_cpu_s};

const TMPFS: i64 = 0x0102_1994;
const HUGETLBFS: i64 = 0x9584_58f6;
/// Blocks are counted in these, whatever the file system's own are.
const BLOCK_BYTES: u64 = 512;

/// Where programs share memory by name: what lies there was never meant for a disk.
const SHARED_MEMORY: &str = "/dev/shm";

/// A look at 1000 connections takes 5 ms: that often at most, as long as nothing changed.
const LOOK: Throttle = Throttle { every_s: 1.0, share: 0.001 };
/// What shared memory may change by without a further look.
const CHANGE_BYTES: u64 = 1 << 20;

/// A file, by its device (major, minor) and its number there.
type Inode = (u32, u32, u64);

/// The device of segments of `shmget`, which are files of the kernel's own, numbered by themselves.
const SEGMENTS: (u32, u32) = (u32::MAX, u32::MAX);

/// What a tree's processes hold in open files that they do not map, as last looked at.
#[derive(Debug, Default)]
pub(super) struct Held {
    /// Bytes; see `unmapped_bytes`.
    pub(super) bytes: u64,
    last: Option<Look>,
}

#[derive(Debug)]
struct Look {
    began: Instant,
    /// Seconds after which another is due.
    due_s: f64,
    /// The machine's shared memory, which files in memory are part of.
    shared: u64,
    /// What the tree mapped of files and shared memory.
    mapped: u64,
}

impl Held {
    /// Looks at processes `pids`, which map `mapped` bytes of files and shared memory, if a look is
    /// due, or at once where memory moved that could be in such files.
    pub(super) fn read(&mut self, pids: &[i32], mapped: u64) {
        let shared = shared_bytes();
        let is_known = self.last.as_ref().is_some_and(|last| {
            last.began.elapsed().as_secs_f64() < last.due_s
                && last.shared.abs_diff(shared) < CHANGE_BYTES
                && last.mapped.abs_diff(mapped) < CHANGE_BYTES
        });
        if is_known {
            return;
        }
        let (began, cost_before) = (Instant::now(), thread_cpu_s());
        self.bytes = unmapped_bytes(pids);
        let due_s = LOOK.next_s(0.0, thread_cpu_s() - cost_before);
        self.last = Some(Look { began, due_s, shared, mapped });
    }
}

/// The machine's shared memory, files in memory included, but for those of huge pages.
fn shared_bytes() -> u64 {
    let seen = rustix::system::sysinfo();
    seen.sharedram as u64 * u64::from(seen.mem_unit)
}

/// Bytes in files that lie in memory, that processes `pids` have open, and that none of them maps:
/// each file once, its mapped part, which `smaps` counts already, not at all. Segments of `shmget`
/// are their files, too, attached or not, if one of them made it or was the last to attach it.
///
/// The others are files without a name (`memfd_create`, or deleted) and those in `/dev/shm`. Others with
/// a name in a memory file system lie where somebody keeps files: there it stands for a disk.
fn unmapped_bytes(pids: &[i32]) -> u64 {
    let shared = rustix::fs::statx(CWD, SHARED_MEMORY, AtFlags::empty(), StatxFlags::BASIC_STATS);
    let shared = shared.ok().map(|folder| (folder.stx_dev_major, folder.stx_dev_minor));
    let mut files = HashMap::new();
    for pid in pids {
        // Where it tells of none, another of its threads may.
        if !add_open(&format!("/proc/{pid}/fd"), shared, &mut files)
            && let Some(thread) = other_thread(*pid)
        {
            add_open(&thread.join("fd").to_string_lossy(), shared, &mut files);
        }
    }
    let segments = fs::read_to_string("/proc/sysvipc/shm").unwrap_or_default();
    files.extend(segments_of(&segments, pids));
    if files.is_empty() {
        return 0;
    }
    for pid in pids {
        // Dear, but hardly any server has such a file.
        let mut map = text_of(&format!("/proc/{pid}/smaps")).unwrap_or_default();
        if map.is_empty()
            && let Some(thread) = other_thread(*pid)
        {
            map = text_of(&thread.join("smaps").to_string_lossy()).unwrap_or_default();
        }
        take_mapped(&map, &mut files);
    }
    files.values().sum()
}

/// The segments of `pids` with what of each is in memory, from the kernel's table (proc(5)): key,
/// id, rights, size, maker, last to attach, attached, four owners, three times, and bytes in memory.
fn segments_of(table: &str, pids: &[i32]) -> Vec<(Inode, u64)> {
    let segment = |line: &str| {
        let mut fields = line.split_ascii_whitespace();
        let id = fields.nth(1)?.parse().ok()?;
        let (maker, last) = (fields.nth(2)?.parse().ok()?, fields.next()?.parse().ok()?);
        let bytes = fields.nth(8)?.parse().ok()?;
        let is_theirs = pids.contains(&maker) || pids.contains(&last);
        (is_theirs && bytes > 0).then_some(((SEGMENTS.0, SEGMENTS.1, id), bytes))
    };
    table.lines().filter_map(segment).collect()
}

/// Adds the size of each file in memory of the open ones that the folder at `path` has; whether it has
/// any.
fn add_open(path: &str, shared: Option<(u32, u32)>, files: &mut HashMap<Inode, u64>) -> bool {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let folder = rustix::fs::openat(CWD, path, flags, Mode::empty());
    let Ok(folder) = folder else { return false };
    let Ok(entries) = Dir::read_from(&folder) else { return false };
    let mut any = false;
    for entry in entries.flatten().filter(|entry| !entry.file_name().to_bytes().starts_with(b".")) {
        any = true;
        // Nobody else is asked, a server over the network least of all, who might not answer.
        let how = AtFlags::STATX_DONT_SYNC;
        let seen = rustix::fs::statx(&folder, entry.file_name(), how, StatxFlags::BASIC_STATS);
        let Ok(seen) = seen else { continue };
        let inode = (seen.stx_dev_major, seen.stx_dev_minor, seen.stx_ino);
        if may_be_memory(&seen, shared)
            && !files.contains_key(&inode)
            && lies_in_memory(path, entry.file_name())
        {
            files.insert(inode, seen.stx_blocks * BLOCK_BYTES);
        }
    }
    any
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
        let size = line.strip_prefix("Pss:").or_else(|| line.strip_prefix("Private_Hugetlb:"));
        if let Some(size) = size {
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
    let number = fields.next()?.parse().ok()?;
    if fields.next().is_some_and(|path| path.starts_with("/SYSV")) {
        return Some((SEGMENTS.0, SEGMENTS.1, number));
    }
    let hex = |text| u32::from_str_radix(text, 16).ok();
    Some((hex(major)?, hex(minor)?, number))
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
        // No other test of this process holds one.
        let mut held = Held::default();
        held.read(&[own], 0);
        assert_eq!(held.bytes, 0);
        let file = memory_file(8 * MIB);
        let _same = file.try_clone().unwrap();
        held.read(&[own, own], 0);
        assert_eq!(held.bytes, 8 * MIB as u64, "looked at again, since shared memory grew");
        // SAFETY: a mapping of its own; the half that is read is within the file.
        unsafe {
            let (rights, kind) = (libc::PROT_READ, libc::MAP_SHARED | libc::MAP_POPULATE);
            let descriptor = std::os::fd::AsRawFd::as_raw_fd(&file);
            let half = libc::mmap(std::ptr::null_mut(), 4 * MIB, rights, kind, descriptor, 0);
            assert_ne!(half, libc::MAP_FAILED);
            held.read(&[own], 4 * MIB as u64);
            assert_eq!(held.bytes, 4 * MIB as u64, "looked at again, since its mappings grew");
            libc::munmap(half, 4 * MIB);
        }
        held.last.as_mut().unwrap().due_s = 0.0;
        held.read(&[own], 4 * MIB as u64);
        assert_eq!(held.bytes, 8 * MIB as u64, "looked at again, since it was due");
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
                   Size:   40 kB\nPss:    8 kB\nPss_Dirty:  4 kB\nPrivate_Hugetlb: 0 kB\n\
                   7f12-7f18 rw-s 00000000 00:0e 44   /memfd:h (deleted)\n\
                   Pss:    0 kB\nPrivate_Hugetlb: 2048 kB\n\
                   7f20-7f30 rw-p 00000000 00:00 0\nPss:  100 kB\n\
                   7f40-7f50 rw-s 00000000 00:01 43   /SYSV00000000 (deleted)\nPss: 4 kB\n";
        let segment = (SEGMENTS.0, SEGMENTS.1, 43);
        let mut files =
            HashMap::from([((0, 1, 42), 20 * 1024), ((0, 1, 43), 1024), (segment, 8 * 1024)]);
        files.insert((0, 14, 44), 4096 * 1024);
        take_mapped(map, &mut files);
        assert_eq!(files.remove(&(0, 14, 44)), Some(2048 * 1024));
        let left = [((0, 1, 42), 12 * 1024), ((0, 1, 43), 1024), (segment, 4 * 1024)];
        assert_eq!(files, HashMap::from(left));
    }

    #[test]
    fn a_segment_is_of_who_made_it_and_of_who_attached_it_last() {
        let line = |id, maker, last, bytes| {
            format!("0 {id} 600 9000 {maker} {last} 0 101 104 101 104 1795 1796 1797 {bytes} 0\n")
        };
        let mut table = "key shmid perms size cpid lpid nattch uid ...\n".to_owned();
        table += &(line(1, 50, 70, 4096) + &line(2, 60, 50, 8192));
        table += &(line(3, 60, 70, 4096) + &line(4, 50, 50, 0));
        let segment = |id, bytes| ((SEGMENTS.0, SEGMENTS.1, id), bytes);
        assert_eq!(segments_of(&table, &[49, 50]), [segment(1, 4096), segment(2, 8192)]);
    }
}
