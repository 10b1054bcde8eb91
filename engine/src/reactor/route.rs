//! The address that a connection is opened from: each has ports for about 28,000 connections to a
//! server.
//!
//! This machine has many addresses to reach itself from (127.0.0.0/8). So a load of it may have more
//! connections than that, or open them faster than the ports of those that ended become free again.
//! To reach other machines, or itself over IPv6, it has one.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// Source addresses that are used, of the 16 million there are.
const ADDRESSES: usize = 250;
/// Addresses tried one after the other before an attempt is given up.
const TRIED: usize = 8;
/// Where the kernel tells which ports it gives to whoever connects, and what that is unless changed.
const RANGE: &str = "/proc/sys/net/ipv4/ip_local_port_range";
const USUAL: usize = 28_232;

/// The two ends of a connection that is to be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Route {
    /// The server.
    pub to: SocketAddr,
    /// The address to connect from; `None` leaves it to the kernel.
    pub from: Option<SocketAddr>,
}

/// Chooses where connections come from.
#[derive(Debug, Clone)]
pub struct Routes {
    to: SocketAddr,
    /// Connections that are opened from one address before the next is used.
    each: usize,
    /// Addresses whose ports were found to be used up.
    passed: usize,
    /// How many of them since a connection was opened.
    in_vain: usize,
}

impl Routes {
    /// Routes to a server.
    pub fn new(to: SocketAddr) -> Routes {
        // The kernel looks for a free port one by one: the last quarter would be dear.
        Routes { to, each: (ports() / 4 * 3).max(1), passed: 0, in_vain: 0 }
    }

    /// The route of the load's connection number `number`.
    pub fn of(&self, number: usize) -> Route {
        let address = (number / self.each + self.passed) % ADDRESSES;
        // The first is what the kernel would choose.
        let from = (self.has_many() && address > 0)
            .then(|| SocketAddr::new(IpAddr::V4(Ipv4Addr::new(127, 0, 0, 1 + address as u8)), 0));
        Route { to: self.to, from }
    }

    /// No port was left for a connection: whether to try at once from another address.
    pub fn pass(&mut self) -> bool {
        self.passed += usize::from(self.has_many());
        self.in_vain += 1;
        self.has_many() && self.in_vain < TRIED
    }

    /// A connection was opened.
    pub fn found(&mut self) {
        self.in_vain = 0;
    }

    fn has_many(&self) -> bool {
        is_loopback(self.to)
    }
}

fn is_loopback(address: SocketAddr) -> bool {
    address.is_ipv4() && address.ip().is_loopback()
}

/// Ports that one address has for connections to a server.
fn ports() -> usize {
    let range = std::fs::read_to_string(RANGE).ok();
    let mut bounds = range.iter().flat_map(|text| text.split_whitespace()).map(str::parse::<usize>);
    match (bounds.next(), bounds.next()) {
        (Some(Ok(first)), Some(Ok(last))) if last >= first => last - first + 1,
        _ => USUAL,
    }
}

/// Refuses a load of so many connections where there are no ports for them.
///
/// # Errors
/// One line with the remedy.
pub fn check_ports(connections: usize, to: SocketAddr) -> Result<(), String> {
    let ports = ports();
    if connections <= ports || (is_loopback(to) && connections <= ports / 4 * 3 * ADDRESSES) {
        return Ok(());
    }
    let remedy = if to.ip().is_loopback() {
        "use fewer connections, or the target 127.0.0.1, to which this machine has many addresses"
    } else {
        "use fewer connections, or widen net.ipv4.ip_local_port_range"
    };
    Err(format!(
        "load: {connections} connections from one address to {} need as many ports, but there are \
         {ports}; {remedy}",
        to.ip()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn routes(to: &str) -> Routes {
        Routes { each: 20_000, ..Routes::new(to.parse().unwrap()) }
    }

    #[test]
    fn few_connections_come_from_where_the_kernel_would_have_them_come() {
        assert_eq!(routes("127.0.0.1:80").of(19_999).from, None);
        assert_eq!(routes("127.0.0.1:80").of(20_000).from, Some("127.0.0.2:0".parse().unwrap()));
        assert_eq!(routes("127.0.0.1:80").of(45_000).from, Some("127.0.0.3:0".parse().unwrap()));
    }

    #[test]
    fn elsewhere_there_is_one_address() {
        for to in ["[::1]:80", "192.0.2.1:80"] {
            let mut routes = routes(to);
            assert_eq!(routes.of(1_000_000).from, None);
            assert!(!routes.pass());
            assert_eq!(routes.of(0).from, None);
        }
    }

    #[test]
    fn an_address_without_ports_is_passed_but_not_for_ever() {
        let mut routes = routes("127.0.0.1:80");
        assert!(routes.pass());
        assert_eq!(routes.of(0).from, Some("127.0.0.2:0".parse().unwrap()));
        assert_eq!((1..20).filter(|_| routes.pass()).count(), TRIED - 2);
        routes.found();
        assert!(routes.pass());
    }

    #[test]
    fn more_connections_than_ports_are_refused_up_front() {
        let check = |number, to: &str| check_ports(number, to.parse().unwrap());
        assert!(check(1_000_000, "127.0.0.1:80").is_ok());
        let ipv6 = check(100_000, "[::1]:80").unwrap_err();
        assert!(ipv6.contains("127.0.0.1") && !ipv6.contains('\n'), "{ipv6}");
        assert!(check(100_000, "192.0.2.1:80").unwrap_err().contains("ip_local_port_range"));
        assert!(check(1_000, "192.0.2.1:80").is_ok());
    }
}
