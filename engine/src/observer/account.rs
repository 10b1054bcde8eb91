//! The CPU time of a control group, which knows of every process that ever was in it.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// A control group's account of CPU time. Its file stays open between readings.
///
/// A tree of processes that is looked at now and then knows of a process that came and went in
/// between only where its parent waited for it. A group counts what each of its processes uses while
/// it runs, to a scheduler tick.
#[derive(Debug)]
pub(super) struct Account {
    file: File,
    version: Version,
}

#[derive(Debug, Clone, Copy)]
enum Version {
    /// `cpuacct.usage`: nanoseconds.
    One,
    /// `cpu.stat`: among others a line `usage_usec` and microseconds.
    Two,
}

impl Account {
    /// The account of the group at `folder`; `None` where it keeps none.
    pub(super) fn open(folder: &Path) -> Option<Account> {
        let open = |name, version| {
            let file = File::open(folder.join(name)).ok()?;
            let account = Account { file, version };
            account.seconds().map(|_| account)
        };
        open("cpuacct.usage", Version::One).or_else(|| open("cpu.stat", Version::Two))
    }

    /// CPU seconds so far; `None` once the group is gone.
    pub(super) fn seconds(&self) -> Option<f64> {
        let mut buffer = [0u8; 1024];
        let length = self.file.read_at(&mut buffer, 0).ok()?;
        parse(std::str::from_utf8(&buffer[..length]).ok()?, self.version)
    }
}

fn parse(text: &str, version: Version) -> Option<f64> {
    let (number, per_second) = match version {
        Version::One => (text.trim(), 1e9),
        Version::Two => (text.lines().find_map(|line| line.strip_prefix("usage_usec "))?, 1e6),
    };
    Some(number.trim().parse::<u64>().ok()? as f64 / per_second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_versions_are_read() {
        let read = |text, version| parse(text, version);
        assert_eq!(read("2500000000\n", Version::One), Some(2.5));
        let second = "usage_usec 1250000\nuser_usec 1000000\nsystem_usec 250000\n";
        assert_eq!(read(second, Version::Two), Some(1.25));
        assert_eq!(read("nr_periods 0\n", Version::Two), None);
        assert_eq!(read("", Version::One), None);
    }

    #[test]
    fn a_folder_without_an_account_has_none() {
        assert!(Account::open(Path::new("/proc/self")).is_none());
        assert!(Account::open(Path::new("/nowhere")).is_none());
    }
}
