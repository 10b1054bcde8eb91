//! One thread of a load: where it runs, what drives its sockets, and what lies over them.

use http::uri::Scheme;

use crate::arrivals;
use crate::os;
use crate::plan::spec::{Choice, Spec};
use crate::protocol::Protocol;
use crate::protocol::http1::Http1;
use crate::protocol::http2::Http2;
use crate::protocol::tls::Tls;
use crate::protocol::websocket::WebSocket;
use crate::random::Random;
use crate::reactor::{Epoll, Errno, Reactor, Uring, Waker};
use crate::record::request_log::RequestLog;
use crate::record::thread::ThreadRecord;
use crate::run::gate::Place;
use crate::run::share::Share;
use crate::run::shared::{Plan, Shared};
use crate::run::worker::Worker;

/// Up to so many connections of a thread io_uring costs less than epoll, in a load that sends as
/// soon as it is answered; docs/engine.md has the figures.
const URING_CONNECTIONS: usize = 256;
/// Up to such a rate of a thread it costs less in an open load. Above, where the thread polls for
/// its next send, gathering sends only makes them late.
const URING_RATE: f64 = 5_000.0;

/// What helps where there is no io_uring.
const INSTEAD: &str = "use the reactor epoll";

/// Keeps the keys and masks of WebSocket apart from the other random numbers of the seed.
const KEYS: u64 = 0x6b65_7973_5f5f_5f5f;

/// Runs thread number `thread` of a load to its end.
///
/// # Errors
/// It could not be pinned, or has no sockets.
pub fn run_thread(
    plan: &Plan,
    shared: &Shared,
    thread: usize,
    waker: Waker,
    log: Option<RequestLog>,
) -> Result<ThreadRecord, String> {
    // The other threads do not wait at the gate for one that fails, or panics, before it.
    let place = shared.gate.place();
    let cpus = &plan.spec.cpus;
    let pinned = match cpus.get(thread) {
        // With a CPU for each thread they stay out of each other's way.
        Some(cpu) if cpus.len() >= plan.threads => std::slice::from_ref(cpu),
        _ => cpus,
    };
    let share = Share::new(&plan.spec, thread);
    pin(pinned)?;
    // HTTP/2 opens a second connection before the first has ended.
    let links = plan.spec.http2.map(|http2| Http2::<Epoll>::links(share.users, http2.streams));
    let links = links.unwrap_or(share.users);
    let stamped = plan.spec.rests();
    let work = Work { plan, shared, place, share, log };
    let epoll =
        |waker, work: Work<'_>| work.over(Epoll::new(links, waker, stamped), ("epoll", os::FILES));
    let uring = |waker| Uring::new(links, waker, stamped);
    match plan.spec.reactor {
        Choice::Epoll => epoll(waker, work),
        Choice::IoUring => work.over(uring(waker), ("io_uring", INSTEAD)),
        Choice::Auto if !suits_uring(&plan.spec, links) => epoll(waker, work),
        Choice::Auto => match uring(waker.clone()) {
            Ok(reactor) => work.over(Ok(reactor), ("io_uring", INSTEAD)),
            Err(_) => epoll(waker, work),
        },
    }
}

/// Whether io_uring is the cheaper one for a thread with so many of the connections. It was not
/// measured below TLS and HTTP/2.
fn suits_uring(spec: &Spec, connections: usize) -> bool {
    let threads = spec.threads_in_all();
    connections <= URING_CONNECTIONS
        && spec.is_plain()
        && spec.load.highest_rate().is_none_or(|rate| rate / threads as f64 <= URING_RATE)
}

/// A thread's part of a load, but for what drives its sockets.
struct Work<'a> {
    plan: &'a Plan,
    shared: &'a Shared,
    place: Place<'a>,
    share: Share,
    log: Option<RequestLog>,
}

impl Work<'_> {
    /// Puts between the sockets and the worker what the load asks for, and runs it. This is the only
    /// choice. HTTP/1 over bare TCP is compiled for each kind of sockets, so that it pays for no
    /// layer. HTTP/2, WebSocket and whatever lies over TLS are compiled once, for a boxed reactor: a
    /// call through it costs next to nothing beside theirs.
    ///
    /// # Errors
    /// There are no `sockets`; then with what they are called and the remedy.
    fn over<R: Reactor + 'static>(
        self,
        sockets: Result<R, Errno>,
        (name, remedy): (&str, &str),
    ) -> Result<ThreadRecord, String> {
        let Work { plan, share, .. } = self;
        let sockets = sockets.map_err(|error| format!("load: no {name}: {error}; {remedy}"))?;
        let (users, streams) = (share.users, plan.spec.streams());
        let random = Random::new(plan.spec.shown_seed() ^ KEYS, share.place as u64);
        let websocket = plan.spec.is_websocket();
        let http2 = plan.spec.http2.is_some() && !websocket;
        let (sockets, scheme): (Box<dyn Reactor + '_>, _) = match &plan.tls {
            None if !http2 && !websocket => {
                return self.by(Http1::new(sockets, users, &plan.requests));
            }
            None => (Box::new(sockets), Scheme::HTTP),
            Some(client) => {
                // The connections of a group of HTTP/2 are a user's, as in a browser.
                let links = |slots| if http2 { Http2::<R>::links(slots, streams) } else { slots };
                let tls = Tls::new(sockets, client, (links(users), links(1)));
                (Box::new(tls), Scheme::HTTPS)
            }
        };
        if http2 {
            let timeout = arrivals::nanoseconds(plan.spec.timeout_s);
            self.by(Http2::new(sockets, (users, streams), scheme, &plan.requests, timeout))
        } else if websocket {
            self.by(WebSocket::new(sockets, users, &plan.requests, random))
        } else {
            self.by(Http1::new(sockets, users, &plan.requests))
        }
    }

    fn by<P: Protocol>(self, protocol: P) -> Result<ThreadRecord, String> {
        let Work { plan, shared, place, share, log } = self;
        Worker::new(protocol, plan, shared, share).record(log).run(place)
    }
}

fn pin(cpus: &[usize]) -> Result<(), String> {
    if cpus.is_empty() {
        return Ok(());
    }
    os::pin_this_thread(cpus)
        .map_err(|error| format!("cpus: {cpus:?}: {error}; name CPUs this process may use"))
}
