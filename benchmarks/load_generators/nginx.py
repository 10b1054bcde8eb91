"""Nginx on one core: the server that speaks what the minimal one does not, TLS and HTTP/2."""

import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from webdyno.runtime.ports import free_port
from webdyno.runtime.processes.pinned import Failed

SEARCHED = f"{os.environ.get('PATH', '')}:/usr/sbin"
_START_S = 10.0

# Every answer is the minimal server's. Without tickets and cache each handshake is a full one.
_CONFIGURATION = """
daemon off; master_process off; pid {folder}/pid; error_log {folder}/log;
events {{ worker_connections 4096; }}
http {{
  access_log off; default_type text/plain;
  client_body_temp_path {folder}; proxy_temp_path {folder};
  fastcgi_temp_path {folder}; uwsgi_temp_path {folder}; scgi_temp_path {folder};
  keepalive_requests 1000000000; http2_max_concurrent_streams 256;
  ssl_certificate {folder}/cert.pem; ssl_certificate_key {folder}/key.pem;
  ssl_protocols TLSv1.3; ssl_session_cache none; ssl_session_tickets off;
  server {{ listen 127.0.0.1:{plain}; {answer} }}
  server {{ listen 127.0.0.1:{tls} ssl http2; {answer} }}
  server {{ listen 127.0.0.1:{http2} http2; {answer} }}
  server {{ listen 127.0.0.1:{plain_closing}; keepalive_timeout 0; {answer} }}
  server {{ listen 127.0.0.1:{tls_closing} ssl; keepalive_timeout 0; {answer} }}
  server {{
    listen 127.0.0.1:{tls_resuming} ssl; keepalive_timeout 0; ssl_session_tickets on; {answer}
  }}
}}
"""
_ANSWER = 'location / { return 200 "Hello World"; }'


@dataclass(frozen=True)
class Ports:
    """Where it listens, and for what."""

    plain: int
    tls: int
    """HTTP/1.1 and HTTP/2, by ALPN."""
    http2: int
    """HTTP/2 by prior knowledge."""
    plain_closing: int
    """Closes each connection after one answer, as the next two do."""
    tls_closing: int
    tls_resuming: int
    """Gives tickets, so that handshakes after the first may be resumed ones."""


def missing() -> str | None:
    """What this machine lacks to run it, if anything."""
    lacking = [name for name in ("nginx", "openssl") if shutil.which(name, path=SEARCHED) is None]
    return f"{' and '.join(lacking)} not installed" if lacking else None


@contextlib.contextmanager
def nginx(cpu: int) -> Iterator[Ports]:
    """Nginx in one process on `cpu`, with a certificate of its own, until the block ends."""
    with tempfile.TemporaryDirectory(prefix="webdyno-nginx-") as name:
        folder = Path(name)
        _certify(folder)
        # All that listen at one time differ.
        ports: set[int] = set()
        while len(ports) < len(Ports.__dataclass_fields__):
            ports.add(free_port())
        listening = Ports(*ports)
        file = folder / "nginx.conf"
        file.write_text(_CONFIGURATION.format(folder=folder, answer=_ANSWER, **vars(listening)))
        program = shutil.which("nginx", path=SEARCHED) or "nginx"
        log = folder / "log"
        process = subprocess.Popen(
            [program, "-c", str(file), "-e", str(log)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            os.sched_setaffinity(process.pid, {cpu})
            _wait(listening.tls_resuming, process, log)
            yield listening
        finally:
            process.kill()
            process.wait()


def _certify(folder: Path) -> None:
    key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
    command = f"openssl req -x509 {key} -days 2 -subj /CN=localhost -keyout key.pem -out cert.pem"
    subprocess.run(command.split(), cwd=folder, check=True, capture_output=True)


def _wait(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + _START_S
    while process.poll() is None and time.monotonic() < until:
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        time.sleep(0.05)
    said = log.read_text().splitlines() if log.exists() else []
    raise Failed(f"nginx: did not start: {said[-1:]}")
