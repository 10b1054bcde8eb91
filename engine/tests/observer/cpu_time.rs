//! CPU time, of a whole tree of processes and of a control group.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use webdyno_engine::observer::Observer;

use crate::observing::{observe, series, stop};
use crate::processes::{BURN, Script, kill, wait_until};

/// CPU times may differ by this: clock ticks of 10 ms in both, and the time to stop.
const TOLERANCE_S: f64 = 0.06;

fn cpu_s(totals: &Value) -> f64 {
    totals["cpu_user_s"].as_f64().unwrap() + totals["cpu_system_s"].as_f64().unwrap()
}

fn assert_near(seen: f64, truth: f64) {
    assert!((seen - truth).abs() < TOLERANCE_S + 0.05 * truth, "seen {seen} s, true {truth} s");
}

#[test]
fn cpu_time_of_a_tree_is_what_the_kernel_says_at_its_end() {
    // The grandchildren: one seen while it runs, and many too short to be seen at all.
    let long = format!("sh -c '{BURN}; {BURN}; {BURN}; {BURN}'");
    let short = "j=0; while [ $j -lt 150 ]; do sh -c :; j=$((j+1)); done";
    let mut script = Script::start(&[BURN, &long, short]);
    let observer = observe(&[("server", script.pid())]);
    for name in ["own", "grandchild", "short"] {
        script.step();
        observer.mark(name).unwrap();
    }
    let seen = stop(&observer);
    assert_near(cpu_s(&seen["marks"]["short"]["roles"]["server"]), script.end());
    let at = |name: &str| cpu_s(&seen["marks"][name]["roles"]["server"]);
    let (own, grandchild) = (at("own"), at("grandchild") - at("own"));
    assert!(own > 0.02 && grandchild > 0.02, "own {own}, grandchild {grandchild}");
    let peak = &seen["roles"]["server"]["peak"];
    assert!(peak["processes"].as_u64().unwrap() >= 2, "{peak}");
    let cpu: Vec<f64> = series(&seen, "server").iter().map(cpu_s).collect();
    assert!(cpu.windows(2).all(|pair| pair[0] <= pair[1]), "CPU time went back: {cpu:?}");
}

#[test]
fn what_children_used_stays_counted_where_nobody_waits_for_them() {
    let mut parent =
        helper("cpu_time::helper_that_waits_for_no_child").stdout(Stdio::piped()).spawn().unwrap();
    let observer = observe(&[("server", parent.id().cast_signed())]);
    let lines = BufReader::new(parent.stdout.take().unwrap()).lines().map_while(Result::ok);
    let child = lines.filter_map(|line| line.rsplit_once("child ")?.1.parse::<i32>().ok()).next();
    let child = child.expect("the helper says its child's id");
    let command = || std::fs::read_to_string(format!("/proc/{child}/comm")).unwrap_or_default();
    wait_until("the child's sleep after its work", || command() == "sleep\n");
    observer.mark("burnt").unwrap();
    kill(child);
    wait_until("the end of the child", || command().is_empty());
    observer.mark("gone").unwrap();
    // What the parent uses from now on must show, and not only make up for what was forgotten.
    let used = || {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", parent.id())).unwrap();
        stat.split(' ').nth(13).and_then(|ticks| ticks.parse::<u64>().ok()).unwrap()
    };
    wait_until("0.3 s of the parent", || used() >= 30);
    observer.mark("spun").unwrap();
    let seen = stop(&observer);
    parent.kill().unwrap();
    parent.wait().unwrap();
    let at = |name: &str| cpu_s(&seen["marks"][name]["roles"]["server"]);
    assert!(at("burnt") > 0.05, "{}", at("burnt"));
    assert!(at("gone") >= at("burnt"), "{} after {}", at("gone"), at("burnt"));
    assert!(at("gone") < at("burnt") + TOLERANCE_S, "counted twice: {}", at("gone"));
    assert!(at("spun") - at("gone") > 0.3 - TOLERANCE_S, "{} {}", at("gone"), at("spun"));
}

#[test]
fn what_a_control_group_counts_beyond_its_processes_counts_from_each_mark_on() {
    // A folder of our own stands for the group: what it says of CPU time is the test's to write.
    let folder = std::env::temp_dir().join(format!("webdyno-account-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("cpu.stat");
    let count = |seconds: f64| {
        std::fs::write(&file, format!("usage_usec {}\n", (seconds * 1e6) as u64)).unwrap();
    };
    count(100.0);
    let mut script = Script::start(&[BURN]);
    let roots = BTreeMap::from([("server".to_owned(), script.pid())]);
    let groups = BTreeMap::from([("server".to_owned(), folder.clone())]);
    let observer = Observer::new(roots, 0.01, None).unwrap().with_groups(groups);
    observer.start().unwrap();
    observer.mark("idle").unwrap();
    count(107.0);
    observer.mark("hidden").unwrap();
    // What its processes show is not hidden by what they did not show before.
    script.step();
    observer.mark("shown").unwrap();
    count(109.0);
    observer.mark("hidden again").unwrap();
    let seen = stop(&observer);
    script.end();
    std::fs::remove_dir_all(&folder).unwrap();
    let at = |name: &str| cpu_s(&seen["marks"][name]["roles"]["server"]);
    assert!((at("hidden") - at("idle") - 7.0).abs() < 1e-6, "{}", at("hidden") - at("idle"));
    let shown = at("shown") - at("hidden");
    assert!((0.02..1.9).contains(&shown), "{shown}");
    assert!((at("hidden again") - at("shown") - 2.0).abs() < 1e-6);
    let cpu: Vec<f64> = series(&seen, "server").iter().map(cpu_s).collect();
    assert!(cpu.is_sorted(), "CPU time went back: {cpu:?}");
}

/// This program as a process that runs one of the helpers below.
fn helper(name: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("a program has a path"));
    command.args(["--ignored", "--exact", "--nocapture", name]);
    command
}

/// Not a test: a process whose children the kernel forgets as they end, without adding their CPU
/// time to anyone's.
#[test]
#[ignore = "started by another test as a process of its own"]
#[expect(clippy::zombie_processes, reason = "the kernel reaps it, which is the point")]
fn helper_that_waits_for_no_child() {
    // SAFETY: ignoring a signal runs no code of ours.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_IGN) };
    let mut burn = Command::new("sh");
    let child = burn.args(["-c", &format!("{BURN}; {BURN}; exec sleep 60")]).spawn().unwrap();
    println!("child {}", child.id());
    let folder = format!("/proc/{}", child.id());
    wait_until("the end of the child", || !std::path::Path::new(&folder).exists());
    let spun = Instant::now();
    while spun.elapsed() < Duration::from_secs(60) {
        std::hint::spin_loop();
    }
}
