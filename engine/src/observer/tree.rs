//! A root process and everything below it.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::account::Account;
use super::detail::{Counters, Memory, Threads};
use super::held::Held;
use super::process::{Cpu, Process, Reading};
use super::record::Totals;
use super::search::{self, Table};

/// The kernel tells what reaped children used in clock ticks, user and system time rounded down
/// each for itself; differences below this are rounding and not loss.
const ROUNDING_S: f64 = 0.02;

/// The processes of a role. What members that have ended used stays in the totals.
#[derive(Debug)]
pub(super) struct Tree {
    root: i32,
    has_begun: bool,
    members: HashMap<i32, Member>,
    /// What ended members used that no living one was told of.
    ended: Cpu,
    ended_counters: Counters,
    /// What its processes showed of CPU so far, which never goes back.
    shown: Cpu,
    /// What its control group counts, if it has one.
    account: Option<Account>,
    /// Since when the two are compared.
    anchor: Anchor,
    /// The totals of CPU so far: the larger of the two. They never go back.
    cpu: Cpu,
    /// Open files that lie in memory and are not mapped, as last read.
    held: Held,
    has_detail: bool,
}

/// The CPU seconds of a moment, since which what processes showed and what their group counted are
/// compared: what was missed before it must not hide what is missed later, and the other way round.
#[derive(Debug, Default)]
struct Anchor {
    shown_s: f64,
    /// `None` before the account was first read.
    counted_s: Option<f64>,
    total_s: f64,
}

#[derive(Debug)]
struct Member {
    process: Process,
    last: Reading,
    /// What its ended children had used when it joined; those were never members.
    reaped_before: f64,
    /// What members that ended below it had used, by their last readings.
    ended_below: Cpu,
    memory: Option<Memory>,
    threads: Threads,
}

impl Member {
    /// What ended members below it used, as far as the kernel did not pass it on to this one: it
    /// does so only when a parent waits for its child.
    fn lost(&self) -> Cpu {
        let passed_on = self.last.reaped.total_s() - self.reaped_before;
        let lost = self.ended_below.total_s() - passed_on;
        self.ended_below.scaled_to(if lost > ROUNDING_S { lost } else { 0.0 })
    }

    fn cpu(&self) -> Cpu {
        self.last.own + self.last.reaped + self.lost()
    }
}

impl Tree {
    /// The tree under `root`; empty until the first search.
    pub(super) fn new(root: i32, account: Option<Account>) -> Tree {
        Tree {
            root,
            has_begun: false,
            members: HashMap::new(),
            ended: Cpu::default(),
            ended_counters: Counters::default(),
            shown: Cpu::default(),
            account,
            anchor: Anchor::default(),
            cpu: Cpu::default(),
            held: Held::default(),
            has_detail: false,
        }
    }

    pub(super) fn root(&self) -> i32 {
        self.root
    }

    /// Threads of all members, as last read.
    pub(super) fn threads(&self) -> u64 {
        self.members.values().map(|member| member.last.threads).sum()
    }

    /// Takes in processes that joined the tree, by `table` or, without one, by the kernel's lists.
    /// Members stay members when their parent ends. What lies below `others`, the roots of other
    /// trees, is theirs.
    pub(super) fn search(&mut self, table: Option<&Table>, others: &HashSet<i32>) {
        let mut queue: Vec<i32> = self.members.keys().copied().collect();
        if !self.has_begun {
            // Once only: when the root has ended, its id may become another process's.
            queue.push(self.root);
        }
        let mut seen: HashSet<i32> = queue.iter().copied().collect();
        while let Some(pid) = queue.pop() {
            if !self.join(pid) {
                continue;
            }
            let children = match table {
                Some(table) => table.children_of(pid),
                None => search::children_of(pid),
            };
            let new = |child: &i32| !others.contains(child) && seen.insert(*child);
            queue.extend(children.into_iter().filter(new));
        }
    }

    /// Takes a process in; `false` where there is none. What lies below it the next search finds.
    pub(super) fn join(&mut self, pid: i32) -> bool {
        if self.members.contains_key(&pid) {
            return true;
        }
        let opened = Process::open(pid).ok().and_then(|process| Some((process.read()?, process)));
        let Some((last, process)) = opened else { return false };
        let member = Member {
            process,
            last,
            reaped_before: last.reaped.total_s(),
            ended_below: Cpu::default(),
            memory: None,
            threads: Threads::default(),
        };
        self.members.insert(pid, member);
        self.has_begun = true;
        true
    }

    /// Reads what is cheap of every member.
    pub(super) fn read(&mut self) {
        let mut ended = Vec::new();
        for (&pid, member) in &mut self.members {
            match member.process.read() {
                Some(now) => {
                    let own = now.own.not_below(member.last.own);
                    member.last = Reading { own, ..now };
                }
                None => ended.push(pid),
            }
        }
        self.bury(&ended);
        self.has_detail = false;
        let mut cpu = self.ended;
        self.members.values().for_each(|member| cpu += member.cpu());
        self.shown = cpu.not_below(self.shown);
        self.count();
    }

    /// Takes the larger of what its processes showed and what its group counted.
    fn count(&mut self) {
        let counted_s = self.account.as_ref().and_then(Account::seconds);
        if self.anchor.counted_s.is_none() {
            self.anchor_at(counted_s, self.shown.total_s());
        }
        let missed_s = counted_s.zip(self.anchor.counted_s).map_or(0.0, |(now, then)| now - then);
        let since_s = missed_s.max(self.shown.total_s() - self.anchor.shown_s);
        // Nobody tells how what was missed divides: as the rest does.
        let cpu = self.shown.scaled_to(self.anchor.total_s + since_s);
        self.cpu = cpu.not_below(self.cpu);
    }

    fn anchor_at(&mut self, counted_s: Option<f64>, total_s: f64) {
        self.anchor = Anchor { shown_s: self.shown.total_s(), counted_s, total_s };
    }

    /// Has what processes show and what their group counts compared from this moment on.
    pub(super) fn anchor(&mut self) {
        let counted_s = self.account.as_ref().and_then(Account::seconds);
        self.anchor_at(counted_s, self.cpu.total_s());
    }

    /// Passes on what ended members used to the nearest ancestor that lives.
    fn bury(&mut self, ended: &[i32]) {
        let gone: HashMap<i32, Member> =
            ended.iter().filter_map(|pid| Some((*pid, self.members.remove(pid)?))).collect();
        for member in gone.values() {
            let mut ancestor = member.last.parent;
            // Readings are of different moments and ids are used again: they may run in a circle.
            for _ in 0..gone.len() {
                let Some(between) = gone.get(&ancestor) else { break };
                ancestor = between.last.parent;
            }
            match self.members.get_mut(&ancestor) {
                Some(living) => living.ended_below += member.cpu(),
                None => self.ended += member.cpu(),
            }
            self.ended_counters += member.threads.total();
        }
    }

    /// Reads what is dear of every member.
    pub(super) fn read_detail(&mut self) {
        for (&pid, member) in &mut self.members {
            member.memory = Memory::read(pid);
            member.threads.read(pid);
        }
        let pids: Vec<i32> = self.members.keys().copied().collect();
        let memories = || self.members.values().filter_map(|member| member.memory);
        let mapped = memories().map(|memory| memory.pss.saturating_sub(memory.anonymous)).sum();
        self.held.read(&pids, mapped);
        self.has_detail = true;
    }

    /// Seconds each living thread has run, and waited for a CPU, as of the last `read_detail`.
    pub(super) fn thread_times(&self) -> BTreeMap<i32, (f64, f64)> {
        let seconds = |nanoseconds| nanoseconds as f64 / 1e9;
        let threads = self.members.values().flat_map(|member| member.threads.live());
        threads
            .map(|(thread, seen)| (thread, (seconds(seen.on_cpu_ns), seconds(seen.run_delay_ns))))
            .collect()
    }

    /// What the tree has used and holds, as of the last reads.
    pub(super) fn totals(&self) -> Totals {
        let mut totals = Totals {
            cpu_user_s: self.cpu.user_s,
            cpu_system_s: self.cpu.system_s,
            ..Totals::default()
        };
        let mut counters = self.ended_counters;
        let mut memory = (self.has_detail && !self.members.is_empty()).then(Memory::default);
        for member in self.members.values() {
            counters += member.threads.total();
            if member.last.is_zombie {
                continue;
            }
            totals.processes += 1;
            totals.threads += member.last.threads;
            // Of one whose first thread has ended, what was last read in detail is all there is.
            let exact = member.memory.filter(|_| self.has_detail || member.last.rss_bytes == 0);
            totals.rss_bytes += exact.map_or(member.last.rss_bytes, |memory| memory.rss);
            memory = memory.zip(member.memory).map(|(sum, own)| Memory {
                rss: sum.rss + own.rss,
                pss: sum.pss + own.pss,
                anonymous: sum.anonymous + own.anonymous,
            });
        }
        if totals.processes > 0 {
            totals.unmapped_bytes = self.held.bytes;
            totals.rss_bytes += self.held.bytes;
            memory = memory.map(|held| Memory { pss: held.pss + self.held.bytes, ..held });
        }
        totals.ctx_voluntary = counters.voluntary;
        totals.ctx_involuntary = counters.involuntary;
        totals.run_delay_s = counters.run_delay_s();
        totals.pss_bytes = memory.map(|memory| memory.pss);
        totals.pss_anonymous_bytes = memory.map(|memory| memory.anonymous);
        totals
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ended_members_that_seem_to_be_below_each_other_are_buried() {
        let own = std::process::id().cast_signed();
        let mut tree = Tree::new(own, None);
        assert!(tree.join(own));
        let mut circle = |pid: i32, parent: i32| {
            let process = Process::open(own).unwrap();
            let used = Cpu { user_s: 1.0, system_s: 0.5 };
            let last = Reading { parent, own: used, ..Reading::default() };
            let member = &tree.members[&own];
            let (memory, threads) = (member.memory, Threads::default());
            let reaped_before = 0.0;
            let ended_below = Cpu::default();
            let member = Member { process, last, reaped_before, ended_below, memory, threads };
            tree.members.insert(pid, member);
        };
        circle(-2, -3);
        circle(-3, -2);
        tree.bury(&[-2, -3]);
        assert_eq!((tree.ended.total_s(), tree.members.len()), (3.0, 1));
    }
}
