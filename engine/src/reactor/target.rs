//! From a host name to the address that the load goes to.

use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::time::Duration;

use crate::plan::spec::Target;

/// How long each of several addresses is tried.
const TRIAL: Duration = Duration::from_secs(1);

/// The address of `target`. Of several, the first that accepts a connection.
///
/// # Errors
/// One line, where the name has no address, or a load of this machine only would leave it.
pub fn resolve(target: &Target, allow_remote: bool) -> Result<SocketAddr, String> {
    let host = target.host.trim_matches(['[', ']']);
    let addresses: Vec<SocketAddr> = (host, target.port)
        .to_socket_addrs()
        .map_err(|error| {
            format!("target.host: no address for \"{host}\": {error}; check the name")
        })?
        .collect();
    if !allow_remote && let Some(remote) = addresses.iter().find(|a| !a.ip().is_loopback()) {
        return Err(format!(
            "target.host: \"{host}\" is {}, not this machine; a load leaves it only with \
             allow_remote",
            remote.ip()
        ));
    }
    match addresses.as_slice() {
        [] => Err(format!("target.host: no address for \"{host}\"; check the name")),
        [only] => Ok(*only),
        [first, ..] => {
            let open = |address: &&SocketAddr| TcpStream::connect_timeout(address, TRIAL).is_ok();
            Ok(*addresses.iter().find(open).unwrap_or(first))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(host: &str) -> Target {
        Target { host: host.to_owned(), port: 9, host_header: None, tls: None }
    }

    #[test]
    fn loopback_by_address_and_by_name() {
        for host in ["127.0.0.1", "::1", "[::1]", "localhost"] {
            let address = resolve(&target(host), false).unwrap();
            assert!(address.ip().is_loopback(), "{host}: {address}");
        }
    }

    #[test]
    fn another_machine_only_where_allowed() {
        let refused = resolve(&target("192.0.2.1"), false).unwrap_err();
        assert!(refused.contains("allow_remote"), "{refused}");
        assert!(resolve(&target("192.0.2.1"), true).is_ok());
    }

    #[test]
    fn a_name_without_address_is_one_line() {
        let refused = resolve(&target("no..host"), true).unwrap_err();
        assert!(refused.contains("no..host") && !refused.contains('\n'));
        assert!(refused.ends_with("; check the name"), "{refused}");
    }
}
