"""A server of the standard library. Replace it with your framework's."""

import os
import signal
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Hello(BaseHTTPRequestHandler):
    """The scenario `hello`."""

    protocol_version = "HTTP/1.1"
    # Head and body are written apart; without this the body would wait for an acknowledgement.
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        """Answer `Hello World`."""
        found = self.path == "/hello"
        body = b"Hello World" if found else b""
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """No access log."""


APPS = {"hello": Hello}


def main() -> int:
    """Serve until SIGTERM."""
    scenario = os.environ.get("WEBDYNO_SCENARIO", "")
    if scenario not in APPS:
        print(f"WEBDYNO_SCENARIO is '{scenario}'; one of: {', '.join(APPS)}", file=sys.stderr)
        return 2
    server = ThreadingHTTPServer(
        (os.environ.get("HOST", "127.0.0.1"), int(os.environ["PORT"])), APPS[scenario]
    )
    # From another thread, because shutdown() waits for the loop that this handler interrupts.
    signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=server.shutdown).start())
    server.serve_forever(poll_interval=0.1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
