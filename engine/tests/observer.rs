//! The observer against real processes, whose CPU time the kernel itself tells when they end.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use webdyno_engine::observer::Observer;

/// CPU times may differ by this: clock ticks of 10 ms in both, and the time to stop.
const TOLERANCE_S: f64 = 0.06;

/// Counts to 200,000: some tenths of a second of CPU time in any shell.
const BURN: &str = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";

/// A shell that runs one step of its script for each line it is given, and says when it is done.
struct Script {
    shell: Child,
    answers: BufReader<std::process::ChildStdout>,
}

impl Script {
    fn start(steps: &[&str]) -> Script {
        let mut shell = Command::new("sh");
        let steps = steps.iter().map(|step| format!("read go; {step}\necho done\n"));
        let script: String = steps.chain(["read end\n".to_owned()]).collect();
        shell.arg("-c").arg(script).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut shell = shell.spawn().expect("a shell");
        let answers = BufReader::new(shell.stdout.take().expect("its output is a pipe"));
        Script { shell, answers }
    }

    fn pid(&self) -> i32 {
        self.shell.id().cast_signed()
    }

    /// Runs the next step; gives what it printed before it was done.
    fn step(&mut self) -> String {
        self.shell.stdin.as_mut().expect("open").write_all(b"\n").expect("the shell reads");
        let mut printed = String::new();
        loop {
            let before = printed.len();
            assert!(self.answers.read_line(&mut printed).expect("the shell answers") > 0);
            if &printed[before..] == "done\n" {
                printed.truncate(before);
                return printed;
            }
        }
    }

    /// Ends the shell. CPU seconds of it and of every process below it that was waited for.
    fn end(mut self) -> f64 {
        drop(self.shell.stdin.take());
        let (mut status, mut usage) = (0, std::mem::MaybeUninit::<libc::rusage>::zeroed());
        // SAFETY: both pointers are to live values, and a zeroed rusage is a valid one.
        let usage = unsafe {
            assert_eq!(libc::wait4(self.pid(), &mut status, 0, usage.as_mut_ptr()), self.pid());
            usage.assume_init()
        };
        let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
        seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }
}

fn observe(roots: &[(&str, i32)]) -> Observer {
    let roots = roots.iter().map(|(role, pid)| ((*role).to_owned(), *pid)).collect();
    let observer = Observer::new(roots, 0.01, None).unwrap();
    observer.start().unwrap();
    observer
}

fn stop(observer: &Observer) -> Value {
    serde_json::from_str(&observer.stop().unwrap()).unwrap()
}

fn cpu_s(totals: &Value) -> f64 {
    totals["cpu_user_s"].as_f64().unwrap() + totals["cpu_system_s"].as_f64().unwrap()
}

fn series(seen: &Value, role: &str) -> Vec<Value> {
    seen["roles"][role]["series"].as_array().unwrap().clone()
}

fn assert_near(seen: f64, truth: f64) {
    assert!((seen - truth).abs() < TOLERANCE_S + 0.05 * truth, "seen {seen} s, true {truth} s");
}

/// Waits for something that another process is about to bring about.
fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(20);
    while !is_so() {
        assert!(Instant::now() < end, "{what} did not come about");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// This program as a process that runs one of the helpers below.
fn helper(name: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("a program has a path"));
    command.args(["--ignored", "--exact", "--nocapture", name]);
    command
}

/// Ends a process that a script started.
fn kill(pid: i32) {
    // SAFETY: kill() touches no memory.
    unsafe { libc::kill(pid, libc::SIGKILL) };
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
        helper("helper_that_waits_for_no_child").stdout(Stdio::piped()).spawn().unwrap();
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

#[test]
fn processes_and_threads_are_counted() {
    let program = std::env::current_exe().unwrap();
    let threads =
        format!("{} --ignored --exact helper_with_three_threads >&2 & ", program.display());
    let mut script =
        Script::start(&[&format!("{threads} a=$!; sleep 60 & echo $a $!; sleep 60 & echo $!")]);
    let observer = observe(&[("server", script.pid())]);
    let children: Vec<i32> =
        script.step().split_whitespace().map(|pid| pid.parse().unwrap()).collect();
    let mut marks = 0;
    wait_until("three threads of the helper", || {
        marks += 1;
        observer.mark(&format!("{marks}")).unwrap();
        let seen = stop(&observer);
        // The shell, two sleeps, and the helper: its main thread, the test's, and three more.
        let totals = &seen["marks"][&marks.to_string()]["roles"]["server"];
        totals["processes"] == 4 && totals["threads"] == 3 + 5
    });
    children.into_iter().for_each(kill);
    script.end();
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

/// Not a test: the process that another test counts the threads of.
#[test]
#[ignore = "started by another test as a process of its own"]
fn helper_with_three_threads() {
    for _ in 0..3 {
        std::thread::spawn(|| std::thread::sleep(Duration::from_secs(60)));
    }
    std::thread::sleep(Duration::from_secs(60));
}

#[test]
fn memory_is_seen_while_it_is_held() {
    let mut script = Script::start(&["x=$(head -c 30000000 /dev/zero | tr '\\0' a)", "x="]);
    let observer = observe(&[("server", script.pid())]);
    observer.mark("idle").unwrap();
    script.step();
    observer.mark("holding").unwrap();
    script.step();
    let seen = stop(&observer);
    script.end();
    let totals = |mark: &str, field: &str| {
        seen["marks"][mark]["roles"]["server"][field].as_u64().unwrap_or_else(|| panic!("{field}"))
    };
    for field in ["rss_bytes", "pss_bytes", "pss_anonymous_bytes"] {
        let grown = totals("holding", field) - totals("idle", field);
        assert!((30_000_000..200_000_000).contains(&grown), "{field} grew by {grown}");
    }
    assert!(totals("idle", "pss_bytes") <= totals("idle", "rss_bytes"));
    let peak = seen["roles"]["server"]["peak"]["rss_bytes"].as_u64().unwrap();
    assert!(peak >= totals("holding", "rss_bytes"));
    assert!(totals("holding", "ctx_voluntary") > totals("idle", "ctx_voluntary"));
}

#[test]
fn what_lies_below_another_role_is_not_counted_twice() {
    let mut script = Script::start(&["sleep 60 & echo $!"]);
    let child: i32 = script.step().trim().parse().unwrap();
    let observer = observe(&[("laboratory", script.pid()), ("server", child)]);
    observer.mark("now").unwrap();
    let seen = stop(&observer);
    kill(child);
    script.end();
    for role in ["laboratory", "server"] {
        assert_eq!(seen["marks"]["now"]["roles"][role]["processes"], 1, "{role}");
    }
}

#[test]
fn a_tree_outlives_its_root() {
    let mut script = Script::start(&["sleep 60 & echo $!"]);
    let child: i32 = script.step().trim().parse().unwrap();
    let observer = observe(&[("server", script.pid())]);
    script.end();
    observer.mark("orphaned").unwrap();
    kill(child);
    wait_until("the end of the orphan", || {
        let stat = std::fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
        stat.is_empty() || stat.contains(") Z ")
    });
    observer.mark("gone").unwrap();
    let seen = stop(&observer);
    assert_eq!(seen["marks"]["orphaned"]["roles"]["server"]["processes"], 1);
    assert_eq!(seen["marks"]["gone"]["roles"]["server"]["processes"], 0);
    assert_eq!(seen["marks"]["gone"]["roles"]["server"]["rss_bytes"], 0);
}

#[test]
fn samples_come_at_the_interval_and_cost_little() {
    let script = Script::start(&[]);
    let roots = BTreeMap::from([("server".to_owned(), script.pid())]);
    let observer = Observer::new(roots, 0.05, Some(0)).unwrap();
    observer.start().unwrap();
    std::thread::sleep(Duration::from_millis(1050));
    let seen = stop(&observer);
    script.end();
    let times: Vec<f64> =
        series(&seen, "server").iter().map(|sample| sample["t_s"].as_f64().unwrap()).collect();
    assert!(times.windows(2).all(|pair| pair[0] < pair[1]));
    assert!((12..=24).contains(&times.len()), "{times:?}");
    assert_eq!(seen["samples"].as_u64().unwrap(), times.len() as u64);
    assert_eq!(seen["interval_s"], 0.05);
    let cost = seen["cost_cpu_s"].as_f64().unwrap();
    // 1% of a core is the aim; this leaves room for a busy machine and an unoptimised build.
    assert!(cost > 0.0 && cost < 0.1, "{cost} s of CPU time in 1 s");
}

#[test]
fn a_pause_holds_no_samples_and_no_time() {
    let script = Script::start(&[]);
    let observer = observe(&[("server", script.pid())]);
    std::thread::sleep(Duration::from_millis(200));
    observer.pause().unwrap();
    observer.mark("paused").unwrap();
    std::thread::sleep(Duration::from_millis(600));
    observer.resume().unwrap();
    observer.mark("resumed").unwrap();
    std::thread::sleep(Duration::from_millis(200));
    let seen = stop(&observer);
    script.end();
    let at = |mark: &str| seen["marks"][mark]["t_s"].as_f64().unwrap();
    assert!(at("resumed") - at("paused") < 0.1, "{} {}", at("paused"), at("resumed"));
    let times: Vec<f64> =
        series(&seen, "server").iter().map(|sample| sample["t_s"].as_f64().unwrap()).collect();
    assert!(times.is_sorted(), "{times:?}");
    let last = times.last().unwrap();
    assert!((0.35..0.75).contains(last), "{last}");
    // It goes on as before: in the second part there are samples, too.
    assert!(times.iter().filter(|time| **time > at("resumed")).count() >= 5, "{times:?}");
}

#[test]
fn misuse_is_said_in_one_line() {
    let roots = |pid| BTreeMap::from([("server".to_owned(), pid)]);
    let own = std::process::id().cast_signed();
    let error = |roots, interval_s| Observer::new(roots, interval_s, None).map(drop).unwrap_err();
    assert!(error(roots(own), 0.0).contains("interval_s is 0; give 0.001 to 10"));
    assert!(error(roots(own), f64::NAN).contains("interval_s is NaN"));
    assert!(error(roots(i32::MAX), 0.05).contains("server: process 2147483647 cannot be read"));
    let observer = Observer::new(roots(own), 0.05, None).unwrap();
    assert!(observer.mark("early").unwrap_err().contains("call start() first"));
    assert!(observer.stop().unwrap_err().contains("call start() first"));
    assert!(observer.pause().unwrap_err().contains("call start() first"));
    assert!(observer.resume().unwrap_err().contains("call start() first"));
    observer.start().unwrap();
    assert!(observer.start().unwrap_err().contains("started already"));
    let first = observer.stop().unwrap();
    assert_eq!(observer.stop().unwrap(), first, "a second stop says the same");
}
