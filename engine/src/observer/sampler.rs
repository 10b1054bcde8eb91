//! What is read at which moment, and what that costs.

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::account::Account;
use super::record::{Mark, RoleRecord, Summary};
use super::search::{self, Table};
use super::throttle::{Throttle, thread_cpu_s};
use super::tree::Tree;

/// What is dear is read every so many seconds, or less often where that would use more than this
/// share of a core: walking the memory map of a large process takes milliseconds.
const DETAIL: Throttle = Throttle { every_s: 0.5, share: 0.003 };
/// The same for the search for new processes.
const SEARCH: Throttle = Throttle { every_s: 0.1, share: 0.002 };

/// The trees under watch, and what was seen of them.
#[derive(Debug)]
pub(super) struct Sampler {
    began: Instant,
    /// When the pause under way began.
    paused: Option<Instant>,
    /// How long the earlier ones were together.
    stood_still: Duration,
    began_unix_s: f64,
    roles: BTreeMap<String, (Tree, RoleRecord)>,
    roots: HashSet<i32>,
    marks: BTreeMap<String, Mark>,
    samples: u64,
    cost_s: f64,
    detail_due_s: f64,
    search_due_s: f64,
    lists_exist: bool,
    /// Processes of the machine when they were last counted.
    machine_size: u64,
}

impl Sampler {
    /// Begins to watch the trees under `roots`, from role to process id, with what `groups`, from
    /// role to the folder of a control group, count.
    pub(super) fn new(
        roots: &BTreeMap<String, i32>,
        groups: &BTreeMap<String, PathBuf>,
    ) -> Sampler {
        let tree = |(role, root): (&String, &i32)| {
            let account = groups.get(role).and_then(|folder| Account::open(folder));
            (role.clone(), (Tree::new(*root, account), RoleRecord::default()))
        };
        Sampler {
            began: Instant::now(),
            paused: None,
            stood_still: Duration::ZERO,
            began_unix_s: crate::os::unix_time(),
            roles: roots.iter().map(tree).collect(),
            roots: roots.values().copied().collect(),
            marks: BTreeMap::new(),
            samples: 0,
            cost_s: 0.0,
            detail_due_s: 0.0,
            search_due_s: 0.0,
            lists_exist: search::lists_exist(),
            machine_size: 0,
        }
    }

    /// Seconds since the start, without those of pauses.
    pub(super) fn elapsed_s(&self) -> f64 {
        let until = self.paused.unwrap_or_else(Instant::now);
        (until - self.began).saturating_sub(self.stood_still).as_secs_f64()
    }

    /// Stops the clock.
    pub(super) fn pause(&mut self) {
        self.paused.get_or_insert_with(Instant::now);
    }

    /// Lets the clock go on.
    pub(super) fn resume(&mut self) {
        self.stood_still += self.paused.take().map_or(Duration::ZERO, |began| began.elapsed());
    }

    /// Whether the clock stands still.
    pub(super) fn is_paused(&self) -> bool {
        self.paused.is_some()
    }

    /// Takes a sample; `whole` reads what is dear even if it is not due.
    pub(super) fn sample(&mut self, whole: bool) {
        let cost_before = thread_cpu_s();
        let begin_s = self.elapsed_s();
        if whole || begin_s >= self.search_due_s {
            self.search();
            self.search_due_s = SEARCH.next_s(begin_s, thread_cpu_s() - cost_before);
        }
        let t_s = self.elapsed_s();
        self.roles.values_mut().for_each(|(tree, _)| tree.read());
        if whole || begin_s >= self.detail_due_s {
            let cost_before = thread_cpu_s();
            self.roles.values_mut().for_each(|(tree, _)| tree.read_detail());
            self.detail_due_s = DETAIL.next_s(begin_s, thread_cpu_s() - cost_before);
        }
        self.roles.values_mut().for_each(|(tree, record)| record.push(t_s, tree.totals()));
        self.samples += 1;
        self.cost_s += thread_cpu_s() - cost_before;
    }

    /// Takes a process and all below it into a role.
    pub(super) fn join(&mut self, role: &str, pid: i32) -> Result<(), String> {
        let (tree, _) =
            self.roles.get_mut(role).ok_or_else(|| format!("observer: unknown role {role}"))?;
        tree.join(pid);
        Ok(())
    }

    /// Takes a whole sample and remembers it as `name`.
    pub(super) fn mark(&mut self, name: &str) {
        let t_s = self.elapsed_s();
        self.sample(true);
        self.roles.values_mut().for_each(|(tree, _)| tree.anchor());
        let trees = || self.roles.iter().map(|(role, (tree, _))| (role.clone(), tree));
        let roles = trees().map(|(role, tree)| (role, tree.totals())).collect();
        let threads = trees().map(|(role, tree)| (role, tree.thread_times())).collect();
        self.marks.insert(name.to_owned(), Mark { t_s, roles, threads });
    }

    /// All that was seen, as JSON.
    pub(super) fn summary(&self, interval_s: f64) -> String {
        let summary = Summary {
            interval_s,
            samples: self.samples,
            cost_cpu_s: self.cost_s,
            started_unix_s: self.began_unix_s,
            roles: self.roles.iter().map(|(role, (_, record))| (role, record)).collect(),
            marks: &self.marks,
        };
        serde_json::to_string(&summary).expect("only finite numbers and text")
    }

    fn search(&mut self) {
        // The kernel's lists take a file a thread of the trees, the table one a process of the
        // machine: read what is less.
        let threads: u64 = self.roles.values().map(|(tree, _)| tree.threads()).sum();
        let table = if self.lists_exist && threads <= self.machine_size {
            None
        } else {
            let table = Table::read();
            self.machine_size = table.size;
            Some(table)
        };
        for (tree, _) in self.roles.values_mut() {
            let mut others = self.roots.clone();
            others.remove(&tree.root());
            tree.search(table.as_ref(), &others);
        }
    }
}
