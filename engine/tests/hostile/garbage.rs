//! Servers that do not speak HTTP/1.

use crate::server::each;
use crate::table::{check, row};

#[test]
fn garbage() {
    check(&[
        row("zeros", "malformed", "bad_version", |peer| each(peer, [0; 4096])),
        row("all bytes", "malformed", "bad_version", |peer| {
            each(peer, (0..=255).collect::<Vec<u8>>());
        }),
        row("TLS", "malformed", "bad_version", |peer| {
            each(peer, b"\x15\x03\x03\x00\x02\x02\x16");
        }),
        row("HTTP/2 settings", "malformed", "bad_version", |peer| {
            each(peer, b"\0\0\0\x04\0\0\0\0\0");
        }),
        row("SSH", "malformed", "bad_version", |peer| each(peer, "SSH-2.0-OpenSSH_9.2\r\n")),
        row("HTTP/0.9", "malformed", "bad_version", |peer| each(peer, "<html>Hello World</html>")),
        row("HTTP/2.0 in words", "malformed", "bad_version", |peer| {
            each(peer, "HTTP/2.0 200 OK\r\nContent-Length: 0\r\n\r\n");
        }),
        row("a status of letters", "malformed", "bad_status_line", |peer| {
            each(peer, "HTTP/1.1 abc OK\r\nContent-Length: 0\r\n\r\n");
        }),
        row("a status of four digits", "malformed", "bad_status_line", |peer| {
            each(peer, "HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n");
        }),
        row("a status below 100", "malformed", "bad_status_code", |peer| {
            each(peer, "HTTP/1.1 020 OK\r\nContent-Length: 0\r\n\r\n");
        }),
        row("a header without a name", "malformed", "bad_header_name", |peer| {
            each(peer, "HTTP/1.1 200 OK\r\n: 11\r\n\r\nHello World");
        }),
        row("a header with a zero byte", "malformed", "bad_header_value", |peer| {
            each(peer, "HTTP/1.1 200 OK\r\nServer: a\0b\r\n\r\n");
        }),
        row("a bare carriage return", "malformed", "bad_header_value", |peer| {
            each(peer, "HTTP/1.1 200 OK\r\nServer: a\rb\r\n\r\n");
        }),
    ]);
}
