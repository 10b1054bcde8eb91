//! The loop of one thread: its connections, its share of the load, its part of the record.

mod connection;
mod events;
mod exchange;
mod opening;
mod pauses;
mod punctual;
mod waiting;

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use crate::arrivals::{self, End, Pace};
use crate::os::{self, CpuTime};
use crate::protocol::Protocol;
use crate::random::Random;
use crate::reactor::{Failure, Routes};
use crate::record::audit::Reservoir;
use crate::record::recorder::Recorder;
use crate::record::request_log::RequestLog;
use crate::record::thread::ThreadRecord;
use crate::run::gate::Place;
use crate::run::share::Share;
use crate::run::shared::{Plan, Shared};
use connection::{Connection, ConnectionState};
use exchange::Exchange;
use punctual::Punctual;

/// How often timeouts are looked for: at least ten times within one.
const SCAN: u64 = 100_000_000;
/// Sends between two looks at what came in, when the load starts on many connections.
const BURST: usize = 64;

/// One thread of a load.
pub struct Worker<'a, P> {
    protocol: P,
    connections: Vec<Connection>,
    exchange: Exchange<'a>,
    pace: Box<dyn Pace>,
    plan: &'a Plan,
    shared: &'a Shared,
    share: Share,
    /// Idle connections, the longest idle first, so that all are used alike.
    idle: VecDeque<usize>,
    /// Those that have been idle for long, the longest first: used only where no other is idle.
    spare: VecDeque<usize>,
    /// Those that are closed until they are needed, the longest closed first.
    dormant: VecDeque<usize>,
    /// Whether a connection ended with its first answer: from then on, each is opened when it is
    /// needed.
    one_each: bool,
    retries: BinaryHeap<Reverse<(u64, usize)>>,
    /// Connections that could not be opened, when the attempt began, and why: a request that is due
    /// may be refused for each.
    refusals: Vec<(usize, u64, Failure)>,
    routes: Routes,
    punctual: Punctual,
    started: bool,
    /// Whether it may sleep until a send is due, because the kernel stamps what comes in.
    rests: bool,
    /// Whether its sends are due by the clock, while nothing tells when answers came in.
    unstamped: bool,
    /// Whether an answer has brought many bytes at once.
    bulky: bool,
    connecting: usize,
    in_flight: usize,
    opened: u64,
    last_sent: u64,
    /// When the last pause ended; 0 before the first.
    resumed: u64,
    timeout: u64,
    scan_every: u64,
    next_scan: u64,
}

impl<'a, P: Protocol> Worker<'a, P> {
    /// A worker that has a `share` of the load.
    pub fn new(protocol: P, plan: &'a Plan, shared: &'a Shared, share: Share) -> Self {
        let seed = plan.spec.seed;
        let samples = plan.spec.audit.samples.div_ceil(share.threads);
        let audit = Reservoir::new(samples, Random::new(!seed, share.place as u64));
        let recorder = Recorder::new(share.thread, plan.spec.requests.len());
        let timeout = arrivals::nanoseconds(plan.spec.timeout_s);
        let user = |slot| plan.requests.user(share.number(slot) as u64);
        Worker {
            protocol,
            connections: (0..share.users).map(user).map(Connection::new).collect(),
            exchange: Exchange::new(plan, shared, recorder, audit),
            pace: arrivals::pace(&plan.spec, (share.place, share.threads), share.users),
            plan,
            shared,
            share,
            idle: VecDeque::new(),
            spare: VecDeque::new(),
            dormant: VecDeque::new(),
            one_each: false,
            retries: BinaryHeap::new(),
            refusals: Vec::new(),
            routes: Routes::new(plan.address),
            punctual: Punctual::default(),
            started: false,
            rests: plan.spec.rests(),
            unstamped: plan.spec.load.is_open() && !plan.spec.rests(),
            bulky: false,
            connecting: 0,
            in_flight: 0,
            opened: 0,
            last_sent: 0,
            resumed: 0,
            timeout,
            scan_every: (timeout / 10).min(SCAN),
            next_scan: 0,
        }
    }

    /// Writes a line about each request into `log`, too.
    pub fn record(mut self, log: Option<RequestLog>) -> Self {
        self.exchange.log = log;
        self
    }

    /// Runs the load to its end, from its `place` before the gate on.
    ///
    /// # Errors
    /// When the system refuses to wait for events.
    pub fn run(mut self, place: Place<'_>) -> Result<ThreadRecord, String> {
        os::wake_on_time();
        let opened = self.open_connections();
        opened?;
        let start = place.pass();
        let cpu = CpuTime::of_this_thread();
        self.start(start)?;
        let (ended, end) = self.run_load()?;
        let cpu = CpuTime::of_this_thread().less(cpu);
        if end == End::Regular {
            self.see_off()?;
        }
        self.finish(ended, end);
        Ok(ThreadRecord {
            elapsed: self.pace.elapsed(ended, self.last_sent, end),
            stopped_early: end == End::Early,
            connections_opened: self.opened,
            answers: self.connections.iter().map(|connection| connection.answers).collect(),
            layers: self.protocol.layers(),
            reactor: self.protocol.reactor(),
            recorder: self.exchange.recorder,
            samples: self.exchange.audit.into_samples(),
            seen: self.exchange.seen,
            cpu,
        })
    }

    fn start(&mut self, start: u64) -> Result<(), String> {
        self.started = true;
        self.exchange.start = start;
        self.exchange.recorder.start(start);
        self.pace.start(start);
        self.next_scan = start + self.scan_every;
        for slot in 0..self.connections.len() {
            let now = os::now();
            match self.connections[slot].state {
                ConnectionState::Idle => {
                    self.give_turn(slot, now, self.connections[slot].since, now)
                }
                ConnectionState::Connecting => {}
                _ => self.open(slot, now),
            }
            if slot % BURST == BURST - 1 {
                self.look(Duration::ZERO)?;
            }
        }
        Ok(())
    }

    fn run_load(&mut self) -> Result<(u64, End), String> {
        let mut over = false;
        loop {
            if self.shared.pause.is_requested() {
                self.hold_and_catch_up()?;
            }
            let now = os::now();
            self.punctual.awake(now);
            if self.shared.stop.load(Relaxed) {
                return Ok((now, End::Early));
            }
            if now >= self.exchange.recorder.next_tick() {
                self.roll(now);
            }
            if now >= self.next_scan {
                self.scan(now);
            }
            self.retry(now);
            self.send_due(now);
            self.refuse(now);
            if self.pace.is_over(now) {
                let waits = self.pace.drains() && self.in_flight > 0;
                if !over {
                    over = true;
                    // Also where nothing is under way: the load drains once all threads are counted.
                    self.shared.draining.fetch_add(1, Relaxed);
                    if waits {
                        self.exchange.recorder.drain();
                    }
                }
                if !waits {
                    return Ok((now, End::Regular));
                }
            }
            self.publish();
            let timeout = self.timeout(now);
            if self.may_rest(timeout) {
                self.rest(timeout)?;
            } else if self.look(timeout)? {
                self.punctual.disturbed();
            }
        }
    }

    /// Waits for what the end of the load cut off. Its answers come too late to be measured, but
    /// one that never comes is an error, however short the load was.
    fn see_off(&mut self) -> Result<(), String> {
        self.exchange.recorder.close();
        while self.in_flight > 0 && !self.shared.stop.load(Relaxed) {
            self.hold_if_asked();
            self.scan(os::now());
            self.publish();
            self.look(Duration::from_nanos(self.scan_every))?;
        }
        Ok(())
    }

    fn roll(&mut self, now: u64) {
        let (recorder, pace) = (&mut self.exchange.recorder, &mut self.pace);
        recorder.roll(now, &self.shared.timeline, |time| pace.offered_until(time));
    }

    fn publish(&self) {
        self.shared.counts[self.share.thread].publish(self.exchange.recorder.counts());
    }

    fn finish(&mut self, now: u64, end: End) {
        let unsent = self.pace.end(now, end);
        self.exchange.recorder.not_sent(unsent);
        for slot in 0..self.connections.len() {
            let connection = &self.connections[slot];
            if connection.state == ConnectionState::Busy || connection.again {
                self.exchange.unfinished(connection);
            }
            self.protocol.close(slot);
        }
        self.roll(now);
        let offered = self.pace.offered_until(now);
        self.exchange.recorder.finish(&self.shared.timeline, offered);
        self.publish();
    }
}
