//! A reactor that speaks TLS over another one's connections.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use rustls::{ClientConfig, HandshakeKind};

use super::config::Client;
use super::session::{NO_PROTOCOL, Session};
use crate::os;
use crate::reactor::{Errno, Failure, Reactor, Route, SocketEvent};
use crate::record::handshakes::{HandshakeFailure, Handshakes};
use crate::record::layers::Layers;

/// TLS over the connections of `R`.
#[derive(Debug)]
pub struct Tls<'a, R> {
    inner: R,
    client: &'a Client,
    /// Of each slot, if its connection speaks TLS.
    ///
    /// | state | told by | then |
    /// |---|---|---|
    /// | no TLS | none | the connection below is open: handshake |
    /// | handshake | one that `began` | it is done: open; it fails: no TLS |
    /// | open | one without `began` | it is closed: no TLS |
    sessions: Vec<Option<Box<Session>>>,
    /// Of each user, made at the first connection: what remembers the user's sessions.
    configs: Vec<Option<Arc<ClientConfig>>>,
    /// Consecutive slots of a user.
    slots_each: usize,
    handshakes: Handshakes,
    /// What is to be told, in this order, before the inner reactor is asked again.
    next: VecDeque<(usize, Next)>,
    /// What was decrypted last.
    clear: Vec<u8>,
    /// Encrypted bytes on their way to the inner reactor.
    out: Vec<u8>,
}

/// An event, as far as it borrows nothing.
#[derive(Debug)]
enum Next {
    Connected,
    ConnectFailed(Failure),
    /// What is in `clear`.
    Received,
    Closed(Option<Failure>),
}

impl<'a, R: Reactor> Tls<'a, R> {
    /// TLS over `inner`, which has `slots` slots, so many of them to a user.
    pub fn new(inner: R, client: &'a Client, (slots, slots_each): (usize, usize)) -> Tls<'a, R> {
        let mut sessions = Vec::new();
        sessions.resize_with(slots, || None);
        Tls {
            inner,
            client,
            sessions,
            configs: vec![None; slots.div_ceil(slots_each)],
            slots_each,
            handshakes: Handshakes::default(),
            next: VecDeque::new(),
            clear: Vec::new(),
            out: Vec::new(),
        }
    }

    fn step(&mut self) -> Option<(usize, Next)> {
        loop {
            if let Some(next) = self.next.pop_front() {
                return Some(next);
            }
            match self.inner.next_event()? {
                SocketEvent::Connected { slot } => self.begin(slot),
                SocketEvent::ConnectFailed { slot, error } => {
                    return Some((slot, Next::ConnectFailed(error)));
                }
                SocketEvent::Closed { slot, error } => {
                    // A goodbye would have ended it before its connection did.
                    self.ended(slot, error.or(Some(Failure::Unannounced)));
                }
                SocketEvent::Received { slot, bytes, .. } => {
                    let Some(session) = &mut self.sessions[slot] else { continue };
                    let cpu = session.is_handshaking().then(os::thread_cpu);
                    self.clear.clear();
                    self.out.clear();
                    let received = session.receive(bytes, &mut self.clear);
                    session.pending(&mut self.out);
                    if let Some(cpu) = cpu {
                        self.handshakes.cpu += os::thread_cpu().saturating_sub(cpu);
                    }
                    self.received(slot, received);
                }
            }
        }
    }

    /// The TCP connection is open: the handshake begins.
    fn begin(&mut self, slot: usize) {
        let cpu = os::thread_cpu();
        let client = self.client;
        let config = self.configs[slot / self.slots_each].get_or_insert_with(|| client.user());
        match Session::new(Arc::clone(config), client.name(), os::now()) {
            Ok(mut session) => {
                self.out.clear();
                session.pending(&mut self.out);
                self.sessions[slot] = Some(Box::new(session));
                self.flush(slot);
            }
            Err(error) => self.failed(slot, error),
        }
        self.handshakes.cpu += os::thread_cpu().saturating_sub(cpu);
    }

    /// What came in was read: `received` tells whether the server said goodbye.
    fn received(&mut self, slot: usize, received: Result<bool, Failure>) {
        self.flush(slot);
        let Some(session) = &mut self.sessions[slot] else { return };
        if let Some(began) = session.began
            && !session.is_handshaking()
        {
            session.began = None;
            let tls = session.connection();
            if !self.client.is_right_protocol(tls.alpn_protocol()) {
                return self.failed(slot, Failure::Protocol(NO_PROTOCOL.into()));
            }
            let resumed = tls.handshake_kind() == Some(HandshakeKind::Resumed);
            self.handshakes.succeeded(resumed, os::now().saturating_sub(began));
            // All connections of a load agree on the same, unless the server is changed meanwhile.
            if self.handshakes.agreed.is_none() {
                (self.handshakes.agreed, self.handshakes.protocol) = session.agreed();
            }
            self.next.push_back((slot, Next::Connected));
        }
        if !self.clear.is_empty() {
            self.next.push_back((slot, Next::Received));
        }
        match received {
            Ok(false) => {}
            Ok(true) => self.ended(slot, None),
            Err(error) => self.ended(slot, Some(error)),
        }
    }

    /// The connection ended; if that was before the end of its handshake it was never open.
    fn ended(&mut self, slot: usize, error: Option<Failure>) {
        match &self.sessions[slot] {
            Some(session) if session.began.is_some() => {
                let error = error.filter(|error| *error != Failure::Unannounced);
                let closed = || Failure::Ended("TLS: closed during the handshake".into());
                self.failed(slot, error.unwrap_or_else(closed));
            }
            _ => self.next.push_back((slot, Next::Closed(error))),
        }
    }

    /// The handshake failed.
    fn failed(&mut self, slot: usize, error: Failure) {
        self.sessions[slot] = None;
        self.handshakes.failed(kind(&error));
        self.next.push_back((slot, Next::ConnectFailed(error)));
    }

    /// Sends what is in `out`.
    fn flush(&mut self, slot: usize) {
        if !self.out.is_empty() {
            // A connection that takes no more tells so by an event.
            let _ = self.inner.send(slot, &self.out);
        }
    }
}

impl<R: Reactor> Reactor for Tls<'_, R> {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn connect(&mut self, slot: usize, route: Route) -> Result<(), Errno> {
        self.inner.connect(slot, route)
    }

    fn send(&mut self, slot: usize, bytes: &[u8]) -> Result<(), Errno> {
        let Some(session) = &mut self.sessions[slot] else { return Err(Errno::NOTCONN) };
        self.out.clear();
        session.send(bytes, &mut self.out);
        self.inner.send(slot, &self.out)
    }

    fn unsent(&self, slot: usize) -> usize {
        self.inner.unsent(slot)
    }

    fn close(&mut self, slot: usize) {
        if let Some(mut session) = self.sessions[slot].take() {
            self.out.clear();
            if session.began.is_some() {
                self.handshakes.failed(HandshakeFailure::Unfinished);
            } else {
                session.close(&mut self.out);
                self.flush(slot);
            }
        }
        self.next.retain(|(event_slot, _)| *event_slot != slot);
        self.inner.close(slot);
    }

    fn wait(&mut self, timeout: Duration) -> Result<(), Errno> {
        self.inner.wait(timeout)
    }

    fn sleep(&mut self, timeout: Duration) -> Result<(), Errno> {
        self.inner.sleep(timeout)
    }

    fn next_event(&mut self) -> Option<SocketEvent<'_>> {
        let (slot, next) = self.step()?;
        Some(match next {
            Next::Connected => SocketEvent::Connected { slot },
            Next::ConnectFailed(error) => SocketEvent::ConnectFailed { slot, error },
            Next::Received => SocketEvent::Received { slot, bytes: &self.clear, at: None },
            Next::Closed(error) => SocketEvent::Closed { slot, error },
        })
    }

    fn overdue(&self, slot: usize) -> Failure {
        match &self.sessions[slot] {
            Some(session) if session.began.is_some() => {
                Failure::Ended("TLS: the handshake was not complete in time".into())
            }
            _ => self.inner.overdue(slot),
        }
    }

    fn layers(&self) -> Layers {
        Layers { tls: Some(self.handshakes.clone()), ..self.inner.layers() }
    }
}

fn kind(failure: &Failure) -> HandshakeFailure {
    match failure {
        Failure::Certificate(_) => HandshakeFailure::Certificate,
        Failure::Protocol(_) => HandshakeFailure::Protocol,
        Failure::System(_) | Failure::Ended(_) | Failure::Unannounced => HandshakeFailure::Closed,
    }
}
