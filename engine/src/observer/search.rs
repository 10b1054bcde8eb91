//! Finding the processes below others.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use super::text::text_of;

/// Whether this kernel keeps lists of children; some are built without.
pub(super) fn lists_exist() -> bool {
    Path::new("/proc/thread-self/children").exists()
}

/// The children of a process, from the kernel's lists, one for each of its threads.
pub(super) fn children_of(pid: i32) -> Vec<i32> {
    let mut children = Vec::new();
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else { return children };
    for thread in threads.flatten() {
        let list = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        children.extend(list.split_ascii_whitespace().filter_map(|pid| pid.parse::<i32>().ok()));
    }
    children
}

/// Every process of the machine, by its parent.
#[derive(Debug, Default)]
pub(super) struct Table {
    children: HashMap<i32, Vec<i32>>,
    /// How many processes there were.
    pub(super) size: u64,
}

impl Table {
    /// Reads the table.
    pub(super) fn read() -> Table {
        let mut table = Table::default();
        let Ok(processes) = fs::read_dir("/proc") else { return table };
        for process in processes.flatten() {
            let name = process.file_name();
            let Some(pid) = name.to_str().and_then(|name| name.parse().ok()) else { continue };
            table.size += 1;
            if let Some(parent) = parent_of(pid) {
                table.children.entry(parent).or_default().push(pid);
            }
        }
        table
    }

    /// The children of a process.
    pub(super) fn children_of(&self, pid: i32) -> Vec<i32> {
        self.children.get(&pid).cloned().unwrap_or_default()
    }
}

fn parent_of(pid: i32) -> Option<i32> {
    let line = text_of(&format!("/proc/{pid}/stat")).ok()?;
    line[line.rfind(')')? + 1..].split_ascii_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_find_the_same_children() {
        let pid = std::process::id().cast_signed();
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let expected = child.id().cast_signed();
        let table = Table::read();
        let listed = children_of(pid);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(table.children_of(pid).contains(&expected));
        assert!(table.size > 1);
        assert!(!lists_exist() || listed.contains(&expected));
    }

    #[test]
    fn a_child_whose_name_is_cut_off_within_a_letter_is_found() {
        let folder = std::env::temp_dir().join(format!("webdyno-name-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        // The kernel keeps fifteen bytes, of letters that have two.
        let program = folder.join("обработчик");
        std::os::unix::fs::symlink("/bin/sleep", &program).unwrap();
        let mut child = std::process::Command::new(&program).arg("60").spawn().unwrap();
        let id = child.id().cast_signed();
        let parent = parent_of(id);
        child.kill().unwrap();
        child.wait().unwrap();
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(parent, Some(std::process::id().cast_signed()));
    }
}
