//! Connections of a socket to itself.
//!
//! Where nobody listens on a port of those that the kernel gives to whoever connects, an attempt to
//! reach it may be given that very port: both ends are then the same socket, which is open, reads
//! its own requests back, and keeps the server from listening again.

use std::os::fd::OwnedFd;

use rustix::io::Errno;
use rustix::net::{getpeername, getsockname};

/// Refuses connections of a socket to itself.
///
/// None is looked for before an attempt was refused: as long as somebody listens there are none, and
/// opening a connection costs nothing more.
#[derive(Debug, Default)]
pub(super) struct Watch {
    refused: bool,
}

impl Watch {
    /// What becomes of an attempt to connect `socket` that came out as `opened`.
    ///
    /// # Errors
    /// What the attempt failed of; where the socket met itself, that the connection was refused.
    pub(super) fn check(
        &mut self,
        socket: &OwnedFd,
        opened: Result<(), Errno>,
    ) -> Result<(), Errno> {
        match opened {
            Err(Errno::CONNREFUSED) => self.refused = true,
            Ok(()) if self.refused && is_own(socket) => return Err(Errno::CONNREFUSED),
            _ => {}
        }
        opened
    }
}

fn is_own(socket: &OwnedFd) -> bool {
    matches!((getsockname(socket), getpeername(socket)), (Ok(own), Ok(peer)) if Some(&own) == peer.as_ref())
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::time::Duration;

    use super::*;
    use crate::reactor::uring::kernel::offers_uring;
    use crate::reactor::{Epoll, Failure, Reactor, Route, SocketEvent, Uring, Waker};

    /// How an attempt ends.
    fn attempt(reactor: &mut dyn Reactor, route: Route) -> Result<(), Failure> {
        reactor.close(0);
        reactor.connect(0, route)?;
        loop {
            reactor.wait(Duration::from_millis(10)).unwrap();
            match reactor.next_event() {
                Some(SocketEvent::Connected { .. }) => return Ok(()),
                Some(SocketEvent::ConnectFailed { error, .. }) => return Err(error),
                _ => {}
            }
        }
    }

    #[test]
    fn a_port_that_nobody_listens_on_refuses_whoever_gets_that_very_port() {
        let waker = || Waker::new().unwrap();
        let mut reactors: Vec<Box<dyn Reactor>> =
            vec![Box::new(Epoll::new(1, waker(), false).unwrap())];
        if offers_uring() {
            reactors.push(Box::new(Uring::new(1, waker(), false).unwrap()));
        }
        for mut reactor in reactors {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let to = listener.local_addr().unwrap();
            let route = |from| Route { to, from };
            assert_eq!(attempt(&mut reactor, route(None)), Ok(()), "{}", reactor.name());
            drop(listener);
            for from in [None, Some(to)] {
                let refused = attempt(&mut reactor, route(from)).unwrap_err();
                assert_eq!(refused, Errno::CONNREFUSED.into(), "{} {from:?}", reactor.name());
            }
        }
    }
}
