//! Servers that are slow, or say nothing.

use std::thread::sleep;
use std::time::Duration;

use crate::server::{HELLO, each};
use crate::table::{check, fine, row};

const MS: Duration = Duration::from_millis(1);

#[test]
fn silence() {
    check(&[
        row("accepts, then is silent", "timed_out", "no answer in time", |peer| peer.hold()),
        row("drips its head", "timed_out", "no answer in time", |peer| {
            while peer.request() && peer.drip(HELLO, 20 * MS) {}
        }),
        row("drips its body", "timed_out", "the answer was not complete in time", |peer| {
            while peer.request()
                && peer.write("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n")
                && peer.drip("Hello World", 50 * MS)
            {}
        }),
        row("is silent after the head", "timed_out", "no answer in time", |peer| {
            each(peer, "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n");
        }),
        row(
            "is silent within a chunk",
            "timed_out",
            "the answer was not complete in time",
            |peer| {
                each(peer, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nb\r\nHello");
            },
        ),
        row(
            "never sends the last chunk",
            "timed_out",
            "the answer was not complete in time",
            |peer| {
                each(
                    peer,
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nb\r\nHello World\r\n",
                );
            },
        ),
        fine("drips, but in time", |peer| while peer.request() && peer.drip(HELLO, MS) {}),
        fine("pauses within the head's last line end", |peer| {
            while peer.request() {
                let (head, rest) = HELLO.split_at(HELLO.len() - 12);
                peer.write(head);
                sleep(20 * MS);
                peer.write(rest);
            }
        }),
    ]);
}
