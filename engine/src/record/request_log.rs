//! Every request as a line of a JTL, the file of samples that JMeter writes and opens.
//!
//! Load threads only append to a batch in memory; a thread of its own turns batches into text and
//! writes them. Memory is bounded, and nothing is lost: where the disk is slower than the load,
//! the load waits.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use super::counts::Outcome;
use crate::os;

/// Requests that are handed over at once, and batches that may wait to be written.
const BATCH: usize = 1024;
const WAITING: usize = 64;
const HEADER: &str = "timeStamp,elapsed,label,responseCode,responseMessage,threadName,success,\
                      failureMessage,bytes,sentBytes,grpThreads,allThreads,Latency,IdleTime,Connect";

/// A request that came to an end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// When it was sent.
    pub start: u64,
    /// When its answer was complete, or it failed.
    pub end: u64,
    /// Which of the specified requests it was; `None` where none was drawn, for want of a connection.
    pub request: Option<usize>,
    /// The answer's status; 0 where there is none.
    pub status: u16,
    /// How it failed, and why.
    pub failure: Option<(&'static str, Box<str>)>,
    /// Bytes of the answer, its head included; over HTTP/2, where one connection's bytes are of many
    /// answers, those of its body.
    pub received: u64,
    /// Bytes of the request.
    pub sent: u32,
}

impl Entry {
    /// What became of a request that failed.
    pub fn failure(outcome: Outcome, detail: &str) -> Option<(&'static str, Box<str>)> {
        Some((outcome.name(), detail.into()))
    }
}

/// One thread's end of the log.
#[derive(Debug)]
pub struct RequestLog {
    thread: usize,
    batch: Vec<Entry>,
    batches: SyncSender<(usize, Vec<Entry>)>,
}

impl RequestLog {
    /// A request came to an end.
    pub fn add(&mut self, entry: Entry) {
        self.batch.push(entry);
        if self.batch.len() == BATCH {
            self.hand_over(Vec::with_capacity(BATCH));
        }
    }

    fn hand_over(&mut self, next: Vec<Entry>) {
        let full = std::mem::replace(&mut self.batch, next);
        // Without its receiver the writer has failed, which it tells at the end.
        let _ = self.batches.send((self.thread, full));
    }
}

impl Drop for RequestLog {
    fn drop(&mut self) {
        if !self.batch.is_empty() {
            self.hand_over(Vec::new());
        }
    }
}

/// The writing thread, and what threads of the load get their ends of the log from.
#[derive(Debug)]
pub struct Writer {
    path: String,
    batches: Option<SyncSender<(usize, Vec<Entry>)>>,
    thread: JoinHandle<io::Result<()>>,
}

impl Writer {
    /// Starts writing to `path`. `labels` are the names of the specified requests, `users` how
    /// many there are, `cpus` where it may run.
    ///
    /// # Errors
    /// One line that names the file.
    pub fn start(
        path: &str,
        labels: Vec<String>,
        users: usize,
        cpus: Vec<usize>,
    ) -> Result<Writer, String> {
        let file = File::create(path).map_err(|error| failed(path, &error))?;
        let (sender, receiver) = sync_channel(WAITING);
        let thread = std::thread::Builder::new()
            .name("webdyno-log".to_owned())
            .spawn(move || {
                if !cpus.is_empty() {
                    // Where it may not, it is only less well placed.
                    let _ = os::pin_this_thread(&cpus);
                }
                write(&mut BufWriter::new(file), &receiver, &labels, users)
            })
            .map_err(|error| os::no_thread("load", &error))?;
        Ok(Writer { path: path.to_owned(), batches: Some(sender), thread })
    }

    /// The end of the log for a thread.
    pub fn log(&self, thread: usize) -> Option<RequestLog> {
        let batches = self.batches.clone()?;
        Some(RequestLog { thread, batch: Vec::with_capacity(BATCH), batches })
    }

    /// No further thread will write; the file is complete once those that do have ended.
    pub fn close(&mut self) {
        self.batches = None;
    }

    /// Waits until everything is written.
    ///
    /// # Errors
    /// One line that names the file, where it could not be.
    pub fn join(mut self) -> Result<(), String> {
        self.close();
        match self.thread.join() {
            Ok(written) => written.map_err(|error| unfinished(&self.path, &error)),
            Err(_) => Err("load: the thread that records requests panicked".to_owned()),
        }
    }
}

fn failed(path: &str, error: &io::Error) -> String {
    format!("record: {path}: cannot be written: {error}; name another file")
}

fn unfinished(path: &str, error: &io::Error) -> String {
    format!("record: {path}: not complete: {error}; make room there, or name another file")
}

fn write(
    out: &mut impl Write,
    batches: &Receiver<(usize, Vec<Entry>)>,
    labels: &[String],
    users: usize,
) -> io::Result<()> {
    let labels: Vec<String> = labels.iter().map(|label| quoted(label)).collect();
    let epoch = (os::unix_time() * 1e9) as u64 - os::now();
    writeln!(out, "{HEADER}")?;
    for (thread, entries) in batches {
        for entry in &entries {
            let label = entry.request.and_then(|request| labels.get(request));
            let label = label.map_or("none", String::as_str);
            line(out, entry, label, thread, users, epoch)?;
        }
    }
    out.flush()
}

fn line(
    out: &mut impl Write,
    entry: &Entry,
    label: &str,
    thread: usize,
    users: usize,
    epoch: u64,
) -> io::Result<()> {
    const MS: u64 = 1_000_000;
    let begun = (epoch + entry.start) / MS;
    // Cut off, as JMeter does. The first byte is not timed: its column repeats the last one's.
    let elapsed = entry.end.saturating_sub(entry.start) / MS;
    write!(out, "{begun},{elapsed},{label},")?;
    match &entry.failure {
        _ if entry.status > 0 => write!(out, "{},", entry.status)?,
        Some((kind, _)) => write!(out, "Non HTTP response code: {kind},")?,
        None => write!(out, ",")?,
    }
    let thread = thread + 1;
    match &entry.failure {
        None => write!(out, "OK,load 1-{thread},true,,")?,
        Some((kind, why)) => write!(out, "{kind},load 1-{thread},false,{},", quoted(why))?,
    }
    let (received, sent) = (entry.received, entry.sent);
    writeln!(out, "{received},{sent},{users},{users},{elapsed},0,0")
}

/// A field of CSV, in quotes where it needs them.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(start: u64, end: u64) -> Entry {
        Entry { start, end, request: Some(0), status: 200, failure: None, received: 120, sent: 40 }
    }

    fn written(entries: &[Entry]) -> Vec<String> {
        let mut text = Vec::new();
        for entry in entries {
            line(&mut text, entry, &quoted("a,b"), 1, 30, 5_000_000_000).unwrap();
        }
        String::from_utf8(text).unwrap().lines().map(str::to_owned).collect()
    }

    #[test]
    fn milliseconds_are_cut_off() {
        assert_eq!(
            written(&[entry(1_500_000, 4_400_000)]),
            ["5001,2,\"a,b\",200,OK,load 1-2,true,,120,40,30,30,2,0,0"]
        );
    }

    #[test]
    fn failures_have_a_code_or_say_that_they_have_none() {
        let wrong = Entry {
            failure: Entry::failure(Outcome::FailedCheck, "got \"x\", not y"),
            ..entry(0, 0)
        };
        let lost =
            Entry { status: 0, failure: Entry::failure(Outcome::Reset, "closed"), ..entry(0, 0) };
        let lines = written(&[wrong, lost]);
        assert!(lines[0].contains(",200,failed_check,load 1-2,false,\"got \"\"x\"\", not y\",120"));
        assert!(lines[1].contains(",Non HTTP response code: reset,reset,load 1-2,false,closed,"));
    }

    #[test]
    fn a_file_that_cannot_be_made_is_named() {
        let error = Writer::start("/nowhere/x.jtl", Vec::new(), 1, Vec::new()).unwrap_err();
        assert!(error.starts_with("record: /nowhere/x.jtl: cannot be written:"), "{error}");
        assert!(error.ends_with("; name another file"), "{error}");
    }

    #[test]
    fn everything_is_written_whatever_the_batches() {
        let path = std::env::temp_dir().join(format!("webdyno-{}.jtl", std::process::id()));
        let mut writer =
            Writer::start(path.to_str().unwrap(), vec!["a".to_owned()], 2, Vec::new()).unwrap();
        let threads: Vec<_> = (0..2)
            .map(|thread| {
                let mut log = writer.log(thread).unwrap();
                std::thread::spawn(move || {
                    (0..100_000).for_each(|number| log.add(entry(number, number)));
                })
            })
            .collect();
        writer.close();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        writer.join().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(text.lines().count(), 200_001);
        assert!(text.starts_with("timeStamp,elapsed,"));
    }
}
