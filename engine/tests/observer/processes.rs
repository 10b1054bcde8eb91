//! Processes to observe, and what tells what they do.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Counts to 200,000: some tenths of a second of CPU time in any shell.
pub const BURN: &str = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";

/// A shell that runs one step of its script for each line it is given, and says when it is done.
pub struct Script {
    shell: Child,
    answers: BufReader<std::process::ChildStdout>,
}

impl Script {
    pub fn start(steps: &[&str]) -> Script {
        let mut shell = Command::new("sh");
        let steps = steps.iter().map(|step| format!("read go; {step}\necho done\n"));
        let script: String = steps.chain(["read end\n".to_owned()]).collect();
        shell.arg("-c").arg(script).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut shell = shell.spawn().expect("a shell");
        let answers = BufReader::new(shell.stdout.take().expect("its output is a pipe"));
        Script { shell, answers }
    }

    pub fn pid(&self) -> i32 {
        self.shell.id().cast_signed()
    }

    /// Runs the next step; gives what it printed before it was done.
    pub fn step(&mut self) -> String {
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
    pub fn end(mut self) -> f64 {
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

/// Waits for something that another process is about to bring about.
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(20);
    while !is_so() {
        assert!(Instant::now() < end, "{what} did not come about");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Ends a process that a script started.
pub fn kill(pid: i32) {
    // SAFETY: kill() touches no memory.
    unsafe { libc::kill(pid, libc::SIGKILL) };
}
