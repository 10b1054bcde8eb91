//! Servers that break HTTP/2, or do not speak it.

use serde_json::{Value, json};

use crate::frames::{
    self, DATA, GOAWAY, HEADERS, PUSH_PROMISE, RST_STREAM, SETTINGS, WINDOW_UPDATE,
};
use crate::http2_limits::ALLOWS_NONE;
use crate::server::Peer;
use crate::table::{check, fine, row};

/// The status 200 and nothing else, as HPACK says it.
const OK: &[u8] = b"\x88";
const END: u8 = 1;
const END_HEADERS: u8 = 4;

fn http2(spec: &mut Value) {
    spec["http2"] = json!({"streams": 1});
}

fn impatient(spec: &mut Value) {
    http2(spec);
    spec["timeout_s"] = json!(0.25);
}

/// The beginning of a right answer.
fn head(peer: &mut Peer, stream: u32) {
    frames::send(peer, HEADERS, END_HEADERS, stream, OK);
}

#[test]
fn no_http2() {
    let size = "HTTP/2: the server violated the protocol (FRAME_SIZE_ERROR)";
    let broken = "HTTP/2: the server violated the protocol (PROTOCOL_ERROR)";
    check(&[
        row("HTTP/1.1", "refused", size, |peer| {
            peer.swallow(24);
            peer.write("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
            peer.hold();
        })
        .with(http2),
        row("garbage", "refused", size, |peer| {
            peer.write([0xff; 64]);
            peer.hold();
        })
        .with(http2),
        // Half closed: closed whole, it would reset the connection where the client has sent first.
        row("closed at once", "refused", "HTTP/2: closed before its settings arrived", |peer| {
            peer.half_close();
        })
        .with(http2),
        row("silence", "refused", "HTTP/2: no settings came in time", Peer::hold).with(impatient),
        row("settings of a wrong length", "refused", broken, |peer| {
            frames::send(peer, SETTINGS, 0, 0, b"abc");
            peer.hold();
        })
        .with(http2),
        row("it allows no stream", "refused", ALLOWS_NONE, |peer| {
            frames::send(peer, SETTINGS, 0, 0, b"\0\x03\0\0\0\0");
            peer.hold();
        })
        .with(impatient),
    ]);
}

#[test]
fn broken_frames() {
    let broken = "HTTP/2: the server violated the protocol (PROTOCOL_ERROR)";
    check(&[
        fine("as it should be", |peer| {
            frames::serve(peer, |peer, stream| {
                head(peer, stream);
                frames::send(peer, DATA, END, stream, b"Hello World");
            });
        })
        .with(http2),
        fine("frames it need not know", |peer| {
            frames::serve(peer, |peer, stream| {
                frames::send(peer, 0xbe, 0xff, stream, b"new");
                head(peer, stream);
                frames::send(peer, DATA, 0, stream, b"Hello");
                frames::send(peer, DATA, 0, stream, b"");
                frames::send(peer, 0xbf, 0, 0, b"");
                frames::send(peer, DATA, END, stream, b" World");
            });
        })
        .with(http2),
        fine("interim answers before, and trailers after", |peer| {
            frames::serve(peer, |peer, stream| {
                for _ in 0..2 {
                    frames::send(peer, HEADERS, END_HEADERS, stream, b"\x08\x03103");
                }
                head(peer, stream);
                frames::send(peer, DATA, 0, stream, b"Hello World");
                frames::send(peer, HEADERS, END_HEADERS | END, stream, b"\0\x01a\x01b");
            });
        })
        .with(http2),
        // A server may say that it needs no more of a request (RFC 9113, section 8.1).
        fine("an answer before the upload is complete", |peer| {
            frames::serve(peer, |peer, stream| {
                head(peer, stream);
                frames::send(peer, DATA, END, stream, b"Hello World");
                frames::send(peer, RST_STREAM, 0, stream, &[0; 4]);
            });
        })
        .with(|spec| {
            http2(spec);
            spec["requests"][0]["method"] = json!("POST");
            spec["requests"][0]["body"] = json!("x".repeat(1 << 20));
        }),
        row("data on no stream", "malformed", broken, |peer| {
            frames::serve(peer, |peer, _| frames::send(peer, DATA, END, 0, b"Hello World"));
        })
        .with(http2),
        row("an answer to nobody", "malformed", broken, |peer| {
            frames::serve(peer, |peer, stream| {
                frames::send(peer, HEADERS, END_HEADERS | END, stream + 100, OK);
            });
        })
        .with(http2),
        row("data before the head", "malformed", broken, |peer| {
            frames::serve(peer, |peer, stream| {
                frames::send(peer, DATA, END, stream, b"Hello World")
            });
        })
        .with(http2),
        row(
            "a frame beyond the limit",
            "malformed",
            "HTTP/2: the server violated the protocol (FRAME_SIZE_ERROR)",
            |peer| {
                frames::serve(peer, |peer, stream| {
                    head(peer, stream);
                    frames::send(peer, DATA, END, stream, &[b'x'; 20_000]);
                });
            },
        )
        .with(http2),
        row(
            "headers that cannot be read",
            "malformed",
            "HTTP/2: the server violated the protocol (PROTOCOL_ERROR)",
            |peer| {
                frames::serve(peer, |peer, stream| {
                    frames::send(peer, HEADERS, END_HEADERS | END, stream, &[0xff; 40]);
                });
            },
        )
        .with(http2),
        row("no status", "malformed", broken, |peer| {
            frames::serve(peer, |peer, stream| {
                frames::send(peer, HEADERS, END_HEADERS | END, stream, b"\0\x01a\x01b");
            });
        })
        .with(http2),
        row("a promise nobody wants", "malformed", broken, |peer| {
            frames::serve(peer, |peer, stream| {
                frames::send(peer, PUSH_PROMISE, END_HEADERS, stream, b"\0\0\0\x02\x82\x84\x86");
            });
        })
        .with(http2),
        row(
            "a window beyond its limit",
            "malformed",
            "HTTP/2: the server violated the protocol (FLOW_CONTROL_ERROR)",
            |peer| {
                frames::serve(peer, |peer, _| {
                    frames::send(peer, WINDOW_UPDATE, 0, 0, b"\x7f\xff\xff\xff");
                    frames::send(peer, WINDOW_UPDATE, 0, 0, b"\x7f\xff\xff\xff");
                });
            },
        )
        .with(http2),
    ]);
}

#[test]
fn answers_that_lie_or_never_end() {
    let broken = "HTTP/2: the server violated the protocol (PROTOCOL_ERROR)";
    check(&[
        row("less than its length", "malformed", broken, |peer| {
            frames::serve(peer, |peer, stream| {
                frames::send(peer, HEADERS, END_HEADERS, stream, b"\x88\x0f\x0d\x0215");
                frames::send(peer, DATA, END, stream, b"Hello World");
            });
        })
        .with(http2),
        row(
            "headers without end",
            "malformed",
            "HTTP/2: the server violated the protocol (ENHANCE_YOUR_CALM)",
            |peer| {
                frames::serve(peer, |peer, stream| {
                    let mut block = OK.to_vec();
                    for _ in 0..100 {
                        block.extend(b"\0\x01a\x7e");
                        block.extend([b'b'; 126]);
                    }
                    frames::send(peer, HEADERS, 0, stream, &block);
                    while peer.write(frames::frame(frames::CONTINUATION, 0, stream, &block[1..])) {}
                });
            },
        )
        .with(http2),
        row(
            "more empty frames than are taken",
            "reset",
            "HTTP/2: more empty DATA frames than this client takes",
            |peer| {
                frames::serve(peer, |peer, stream| {
                    head(peer, stream);
                    frames::send(peer, DATA, 0, stream, b"Hello World");
                    (0..101).for_each(|_| frames::send(peer, DATA, 0, stream, b""));
                    frames::send(peer, DATA, END, stream, b"");
                });
            },
        )
        .with(http2),
        row("a reset", "reset", "HTTP/2: the server reset the stream (INTERNAL_ERROR)", |peer| {
            frames::serve(peer, |peer, stream| {
                frames::send(peer, RST_STREAM, 0, stream, b"\0\0\0\x02");
            });
        })
        .with(http2),
        row(
            "a reset within the answer",
            "reset",
            "HTTP/2: the server reset the stream (CANCEL)",
            |peer| {
                frames::serve(peer, |peer, stream| {
                    head(peer, stream);
                    frames::send(peer, DATA, 0, stream, b"Hello");
                    frames::send(peer, RST_STREAM, 0, stream, b"\0\0\0\x08");
                });
            },
        )
        .with(http2),
        row(
            "refused again and again",
            "reset",
            "HTTP/2: the server refused the request repeatedly",
            |peer| {
                frames::serve(peer, |peer, stream| {
                    frames::send(peer, RST_STREAM, 0, stream, b"\0\0\0\x07");
                });
            },
        )
        .with(http2),
        row(
            "a connection given up",
            "reset",
            "HTTP/2: the server abandoned the connection (ENHANCE_YOUR_CALM)",
            |peer| {
                frames::serve(peer, |peer, _| {
                    frames::send(peer, GOAWAY, 0, 0, b"\0\0\0\0\0\0\0\x0bslower");
                    peer.hold();
                });
            },
        )
        .with(http2),
        row(
            "goodbye to every request",
            "reset",
            "HTTP/2: the server refused the request repeatedly",
            |peer| {
                frames::serve(peer, |peer, _| frames::send(peer, GOAWAY, 0, 0, &[0; 8]));
            },
        )
        .with(http2),
        row(
            "closed within the answer",
            "reset",
            "HTTP/2: the connection closed in the middle of the answer",
            |peer| {
                peer.swallow(24);
                frames::send(peer, SETTINGS, 0, 0, b"");
                if let Some(stream) = frames::request(peer) {
                    head(peer, stream);
                    frames::send(peer, DATA, 0, stream, b"Hello");
                }
                peer.half_close();
            },
        )
        .with(http2),
        row(
            "closed without an answer",
            "reset",
            "HTTP/2: the connection closed without an answer",
            |peer| {
                peer.swallow(24);
                frames::send(peer, SETTINGS, 0, 0, b"");
                frames::request(peer);
            },
        )
        .with(http2),
        row("silence", "timed_out", "no answer in time", |peer| {
            frames::serve(peer, |_, _| {});
        })
        .with(impatient),
        row("half an answer", "timed_out", "the answer was not complete in time", |peer| {
            frames::serve(peer, |peer, stream| {
                head(peer, stream);
                frames::send(peer, DATA, 0, stream, b"Hello");
            });
        })
        .with(impatient),
    ]);
}
