"""`static`: what its verifier asks for and changes, against small servers of files."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from webdyno.catalog.scenario import read_scenario
from webdyno.trial.proof.prove import verifier_of
from webdyno.verifier import Mismatch, Probe, Verifier

SCENARIO = Path(__file__).parents[3] / "scenarios" / "static"
MEDIA = {".css": "text/css", ".js": "text/javascript", ".html": "text/html", ".png": "image/png",
         ".svg": "image/svg+xml", ".txt": "text/plain"}  # fmt: skip

Find = Callable[[Path, str], bytes | None]
"""What is found in a folder at a path; None where nothing is."""


def inside(root: Path, target: str) -> bytes | None:
    file = root / target.lstrip("/")
    return file.read_bytes() if file.is_file() and ".." not in target else None


def anywhere(root: Path, target: str) -> bytes | None:
    file = root / target.lstrip("/")
    return file.read_bytes() if file.is_file() else None


class HangsUp(Exception):
    """A request is not answered."""


def suspicious(root: Path, target: str) -> bytes | None:
    if ".." in target:
        raise HangsUp
    return inside(root, target)


class KeptBySecond:
    """Bytes are kept while a file's time, in whole seconds, stays the same."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, int], bytes | None] = {}

    def __call__(self, root: Path, target: str) -> bytes | None:
        file = root / target.lstrip("/")
        if inside(root, target) is None:
            return None
        key = (target, int(file.stat().st_mtime))
        return self.kept.setdefault(key, inside(root, target))


@contextmanager
def serving(root: Path, find: Find) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            try:
                found = find(root, self.requestline.split()[1])
            except HangsUp:
                self.close_connection = True
                return
            self.send_response(404 if found is None else 200)
            self.send_header("Content-Type", MEDIA.get(Path(self.path).suffix, "text/plain"))
            self.send_header("Content-Length", str(len(found or b"")))
            self.end_headers()
            self.wfile.write(found or b"")

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def proven(work: Path, find: Find) -> Verifier:
    verifier = verifier_of(read_scenario(SCENARIO), {}, work, 1)
    root = Path(verifier.prepare().env["WEBDYNO_STATIC"])
    with serving(root, find) as url, Probe(url) as probe:
        verifier.verify(probe)
    return verifier


@pytest.mark.parametrize("find", [inside, suspicious, KeptBySecond()])
def test_an_honest_server_passes(tmp_path: Path, find: Find) -> None:
    claims = [item.claim for item in proven(tmp_path, find).evidence]
    assert "no file outside the folder is served (/../secret.txt)" in claims


def test_a_server_of_files_outside_the_folder_is_told(tmp_path: Path) -> None:
    says = r"no file outside the folder is served \(/\.\./secret\.txt\): answered 200"
    with pytest.raises(Mismatch, match=says):
        proven(tmp_path, anywhere)
