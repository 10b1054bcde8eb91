//! What belongs to a role: processes and threads, what they hold of memory, and orphans.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::fd::FromRawFd;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::observing::{observe, stop};
use crate::processes::{Script, kill, wait_until};

#[test]
fn processes_and_threads_are_counted() {
    let program = std::env::current_exe().unwrap();
    let threads =
        format!("{} --ignored --exact tree::helper_with_three_threads >&2 & ", program.display());
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
fn memory_does_not_hide_behind_a_first_thread_that_has_ended() {
    let mut helper = Command::new(std::env::current_exe().unwrap());
    let name = "tree::helper_whose_child_goes_on_without_its_first_thread";
    helper.args(["--ignored", "--exact", "--nocapture", name]).stdout(Stdio::piped());
    let mut helper = helper.spawn().unwrap();
    let mut output = BufReader::new(helper.stdout.take().unwrap());
    let lines = output.by_ref().lines().map_while(Result::ok);
    let child = lines.filter_map(|line| line.rsplit_once("child ")?.1.parse::<i32>().ok()).next();
    let child = child.expect("the helper says its child's id");
    wait_until("the end of its first thread", || {
        std::fs::read_to_string(format!("/proc/{child}/stat")).unwrap().contains(") Z ")
    });
    wait_until("its memory", || {
        let folder = format!("/proc/{child}/task");
        let threads = std::fs::read_dir(folder).unwrap().flatten();
        threads.filter_map(|thread| std::fs::read_dir(thread.path().join("fd")).ok()).any(|files| {
            let seen = files.flatten().filter_map(|file| std::fs::metadata(file.path()).ok());
            seen.into_iter().any(|file| file.len() == 20_000_000)
        })
    });
    let observer = observe(&[("server", child)]);
    observer.mark("now").unwrap();
    let seen = stop(&observer);
    kill(child);
    helper.wait().unwrap();
    let totals = &seen["marks"]["now"]["roles"]["server"];
    assert_eq!((&totals["processes"], &totals["threads"]), (&1.into(), &1.into()), "{totals}");
    for field in ["rss_bytes", "pss_bytes", "unmapped_bytes"] {
        let held = if field == "unmapped_bytes" { 20_000_000 } else { 50_000_000 };
        assert!((held..100_000_000).contains(&totals[field].as_u64().unwrap()), "{totals}");
    }
    let series = &seen["roles"]["server"]["series"];
    let resident = series.as_array().unwrap().iter().map(|sample| &sample["rss_bytes"]);
    assert!(resident.clone().all(|bytes| bytes.as_u64() > Some(50_000_000)), "{series}");
}

/// Not a test: its child goes on without its first thread, holding memory, mapped and not.
#[test]
#[ignore = "started by another test as a process of its own"]
fn helper_whose_child_goes_on_without_its_first_thread() {
    // SAFETY: of what other threads held, the child uses only what the C library keeps usable.
    let child = unsafe { libc::fork() };
    if child > 0 {
        println!("child {child}");
        // SAFETY: no status is asked for.
        unsafe { libc::waitpid(child, std::ptr::null_mut(), 0) };
        return;
    }
    std::thread::spawn(|| {
        let held = vec![7_u8; 30_000_000];
        // SAFETY: the name is a string that ends with a zero; the descriptor is nobody else's.
        let mut file = unsafe {
            let descriptor = libc::memfd_create(c"held".as_ptr(), libc::MFD_CLOEXEC);
            File::from_raw_fd(descriptor)
        };
        file.write_all(&held[..20_000_000]).unwrap();
        std::thread::sleep(Duration::from_secs(60));
        drop((held, file));
        std::process::exit(0);
    });
    // SAFETY: it ends this thread alone, whose memory nobody else has.
    unsafe { libc::syscall(libc::SYS_exit, 0) };
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
