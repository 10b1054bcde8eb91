//! Runs a load on its threads: start, progress, stop, wait, result.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use crate::check::Checks;
use crate::check::changes::Changes;
use crate::check::distinct::Fingerprinters;
use crate::os;
use crate::plan::spec::{Choice, Spec};
use crate::plan::template::Compiled;
use crate::protocol::tls;
use crate::reactor::{Waker, check_ports, target};
use crate::record::counts::{Counts, SharedCounts};
use crate::record::request_log::Writer;
use crate::record::result::{LoadPhase, LoadResult, Progress};
use crate::record::thread::ThreadRecord;
use crate::record::timeline::Timeline;
use crate::run::files::Reservation;
use crate::run::gate::Gate;
use crate::run::pause::Pause;
use crate::run::shared::{Plan, Shared};
use crate::run::thread::run_thread;

/// Files of a thread beside its connections.
const FILES_OF_THREAD: usize = 4;

/// The environment variable that chooses the reactor where the specification does not.
const FORCED: &str = "WEBDYNO_REACTOR";

/// A load, from its specification to its result.
#[derive(Debug)]
pub struct Load {
    plan: Arc<Plan>,
    shared: Arc<Shared>,
    threads: Arc<Threads>,
}

#[derive(Debug, Default)]
struct Threads {
    roster: Mutex<Roster>,
    ended: Condvar,
}

/// Which threads run, and what those that have ended left behind.
#[derive(Debug, Default)]
struct Roster {
    started: bool,
    wakers: Vec<Waker>,
    running: usize,
    records: Vec<ThreadRecord>,
    writer: Option<Writer>,
    error: Option<String>,
    /// The open files of the load, until its threads have ended.
    files: Option<Reservation>,
}

impl Threads {
    fn roster(&self) -> MutexGuard<'_, Roster> {
        self.roster.lock().expect("the roster is never left broken")
    }
}

impl Load {
    /// A load that is ready to start.
    ///
    /// # Errors
    /// One line that names the key and the remedy.
    pub fn new(spec: &str) -> Result<Load, String> {
        let mut spec = Spec::parse(spec)?;
        if let (Choice::Auto, Ok(forced)) = (spec.reactor, std::env::var(FORCED)) {
            spec.reactor = Choice::parse(&forced).map_err(|error| format!("{FORCED}: {error}"))?;
        }
        let address = target::resolve(&spec.target, spec.allow_remote)?;
        check_ports(spec.sockets(), address)?;
        let threads = spec.threads_used();
        let files = Reservation::new((spec.sockets() + threads * FILES_OF_THREAD) as u64)?;
        let requests = Compiled::new(&spec)?;
        let checks = Checks::new(&spec, &requests)?;
        let fingerprinters = Fingerprinters::new(&spec)?;
        let shared = Shared {
            gate: Gate::new(threads, spec.held),
            stop: AtomicBool::new(false),
            one_each: AtomicBool::new(false),
            changes: Changes::new(&checks),
            pause: Pause::default(),
            draining: AtomicUsize::new(0),
            counts: (0..threads).map(|_| SharedCounts::default()).collect(),
            timeline: Mutex::new(Timeline::new(threads).keeping(spec.part.is_some())),
        };
        let tls = spec.target.tls.as_ref();
        let protocol = if spec.http2.is_some() { "h2" } else { "http/1.1" };
        let tls = tls.map(|tls| tls::Client::new(tls, &spec.target.host, protocol)).transpose()?;
        let plan = Plan { spec, address, requests, checks, fingerprinters, tls, threads };
        let load = Load { plan: Arc::new(plan), shared: Arc::new(shared), threads: Arc::default() };
        load.threads.roster().files = Some(files);
        Ok(load)
    }

    /// Starts the threads; they open their connections and then begin together.
    ///
    /// # Errors
    /// When the load was started before, or the system gives no threads or files.
    pub fn start(&self) -> Result<(), String> {
        let mut roster = self.threads.roster();
        if roster.started {
            return Err("load: started already; make a new one".to_owned());
        }
        roster.started = true;
        if let Some(path) = &self.plan.spec.record {
            let (spec, labels) = (&self.plan.spec, self.plan.spec.requests.iter());
            let labels = labels.map(|request| request.name.clone()).collect();
            let writer = Writer::start(path, labels, spec.users(), spec.cpus.clone());
            // Without its file the load has ended before it began.
            roster.writer = Some(writer.inspect_err(|error| roster.error = Some(error.clone()))?);
        }
        for thread in 0..self.plan.threads {
            let started = self.start_thread(thread, &mut roster);
            if let Err(error) = started {
                // The threads before this one wait at the gate: let them through, and end.
                self.shared.stop.store(true, Ordering::SeqCst);
                (thread..self.plan.threads).for_each(|_| drop(self.shared.gate.place()));
                roster.error = Some(error.clone());
                return Err(error);
            }
        }
        if let Some(writer) = &mut roster.writer {
            writer.close();
        }
        Ok(())
    }

    fn start_thread(&self, thread: usize, roster: &mut Roster) -> Result<(), String> {
        let waker =
            Waker::new().map_err(|error| format!("load: no eventfd: {error}; {}", os::FILES))?;
        roster.wakers.push(waker.clone());
        let (plan, shared) = (Arc::clone(&self.plan), Arc::clone(&self.shared));
        let (threads, stop) = (Arc::clone(&self.threads), Arc::clone(&self.shared));
        let log = roster.writer.as_ref().and_then(|writer| writer.log(thread));
        let body = move || {
            let run = || run_thread(&plan, &shared, thread, waker, log);
            // A panic is a defect of the engine; it must not leave those who wait without an end.
            let record = catch_unwind(AssertUnwindSafe(run))
                .unwrap_or_else(|_| Err("load: an engine thread panicked".to_owned()));
            let mut roster = threads.roster();
            match record {
                Ok(record) => roster.records.push(record),
                Err(error) => {
                    roster.error = Some(error);
                    stop.stop.store(true, Ordering::SeqCst);
                    roster.wakers.iter().for_each(Waker::wake);
                }
            }
            roster.running -= 1;
            if roster.running == 0 {
                roster.files = None;
            }
            threads.ended.notify_all();
            drop(roster);
            stop.pause.one_less();
        };
        std::thread::Builder::new()
            .name(format!("webdyno-load-{thread}"))
            .spawn(body)
            .map_err(|error| os::no_thread("load", &error))?;
        roster.running += 1;
        Ok(())
    }

    /// Tells a load that is held to begin `at` this time of the system's monotonic clock, in
    /// nanoseconds, or at once where that has passed; without a time at once.
    pub fn begin(&self, at: Option<u64>) {
        self.shared.gate.let_through(at);
    }

    /// How far the load is. The ticks are those since the last call.
    pub fn progress(&self) -> Progress {
        let mut counts = Counts::default();
        for thread in &self.shared.counts {
            counts += thread.read();
        }
        let start = self.shared.gate.start();
        let paused = self.shared.pause.total();
        let roster = self.threads.roster();
        let done = roster.started && roster.running == 0;
        let phase = match start {
            _ if done => LoadPhase::Done,
            None if self.shared.gate.is_full() => LoadPhase::Ready,
            None => LoadPhase::Connecting,
            Some(start) if start > os::now() => LoadPhase::Ready,
            Some(_) if self.shared.draining.load(Ordering::Relaxed) == self.plan.threads => {
                LoadPhase::Draining
            }
            Some(_) => LoadPhase::Loading,
        };
        let elapsed = if done {
            let elapsed = roster.records.iter().map(|record| record.elapsed).max();
            elapsed.unwrap_or(0)
        } else {
            start.map_or(0, |start| os::now().saturating_sub(start + paused))
        };
        let mut timeline = self.shared.timeline.lock().expect("threads do not panic");
        Progress::new(elapsed, phase, counts, timeline.take_ticks())
    }

    /// Lets the load stand still, with its clock and what is under way; it must not be held. Returns
    /// once every thread stands still or has ended; those that still open connections do so first.
    pub fn pause(&self) {
        let wakers = self.threads.roster().wakers.clone();
        let running = || self.threads.roster().running;
        self.shared.pause.begin(|| wakers.iter().for_each(Waker::wake), running);
    }

    /// Lets a paused load go on.
    pub fn resume(&self) {
        self.shared.pause.end();
    }

    /// Some of the server's state is about to be changed, as `spec` says in JSON; see
    /// [`Changes::begin`].
    ///
    /// # Errors
    /// One line that says what is wrong with it.
    pub fn begin_change(&self, spec: &str) -> Result<(), String> {
        self.shared.changes.begin(spec, &self.plan.checks)
    }

    /// The change is made: what is sent from now on must be answered by the new state.
    pub fn end_change(&self) {
        self.shared.changes.end();
    }

    /// Ends the load early, paused or not. What is under way counts as unfinished; the result stays
    /// valid.
    pub fn stop(&self) {
        self.shared.stop.store(true, Ordering::SeqCst);
        self.shared.gate.let_through(None);
        self.shared.pause.end();
        for waker in &self.threads.roster().wakers {
            waker.wake();
        }
    }

    /// Waits until the load has ended, at most for `timeout`; whether it has.
    pub fn wait(&self, timeout: Duration) -> bool {
        let deadline = Instant::now() + timeout;
        let mut roster = self.threads.roster();
        while !roster.started || roster.running > 0 {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            let waited = self.threads.ended.wait_timeout(roster, left);
            roster = waited.expect("the roster is never left broken").0;
        }
        true
    }

    /// What the load yielded.
    ///
    /// # Errors
    /// When it has not ended, or a thread failed. Once where its log could not be written: asked
    /// again, it gives what was measured.
    pub fn result(&self) -> Result<LoadResult, String> {
        let mut roster = self.threads.roster();
        if !roster.started {
            return Err("load: not started; call start first".to_owned());
        }
        if roster.running > 0 {
            return Err("load: not ended; wait for it first".to_owned());
        }
        if let Some(Err(error)) = roster.writer.take().map(Writer::join) {
            return Err(roster.error.clone().unwrap_or(error));
        }
        if let Some(error) = &roster.error {
            return Err(error.clone());
        }
        let timeline = self.shared.timeline.lock().expect("threads do not panic");
        let rows = timeline.rows().to_vec();
        let changes = self.shared.changes.report();
        Ok(LoadResult::new(
            &self.plan.spec,
            self.shared.gate.started(),
            &roster.records,
            rows,
            changes,
        ))
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.stop();
    }
}
