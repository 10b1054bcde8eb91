"""`static`: what its verifier asks for and changes, against small servers of files."""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from webdyno.catalog.scenarios.scenario import read_scenario
from webdyno.trial.proof.prove import verifier_of
from webdyno.verifier import Breakdown, Mismatch, Probe, Verifier

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


class LengthsOfTheStart:
    """The length of a file of one type is kept if it was there at the first request."""

    def __init__(self, suffix: str) -> None:
        self.suffix = suffix
        self.lengths: dict[str, int] | None = None

    def __call__(self, root: Path, target: str) -> bytes | None:
        if self.lengths is None:
            files = root.rglob(f"*{self.suffix}")
            self.lengths = {f"/{file.relative_to(root)}": file.stat().st_size for file in files}
        found = inside(root, target)
        return found and found[: self.lengths.get(target)]


class Remembers:
    """What has once been asked for is there for good."""

    def __init__(self, suffix: str) -> None:
        self.suffix = suffix
        self.found: dict[str, bytes] = {}

    def __call__(self, root: Path, target: str) -> bytes | None:
        found = inside(root, target)
        if found is not None and target.endswith(self.suffix):
            self.found[target] = found
        return self.found.get(target) if found is None else found


class GoneForGood:
    """What has once been missing is never looked for again."""

    def __init__(self, suffix: str) -> None:
        self.suffix = suffix
        self.gone: set[str] = set()

    def __call__(self, root: Path, target: str) -> bytes | None:
        found = None if target in self.gone else inside(root, target)
        if found is None and target.endswith(self.suffix):
            self.gone.add(target)
        return found


class Watch:
    """Told by the kernel of changes in a folder and those below it, but not of reads."""

    def __init__(self, root: Path) -> None:
        libc = ctypes.CDLL(None)
        self.descriptor = libc.inotify_init1(os.O_NONBLOCK)
        for folder in (root, *filter(Path.is_dir, root.rglob("*"))):
            assert libc.inotify_add_watch(self.descriptor, os.fsencode(folder), 0xFCE) >= 0

    def was_told(self) -> bool:
        try:
            return bool(os.read(self.descriptor, 65_536))
        except BlockingIOError:
            return False


class KeptUntilTold:
    """What was found is kept until the kernel tells of a change."""

    watch: Watch | None = None

    def __init__(self) -> None:
        self.kept: dict[str, bytes | None] = {}

    def __call__(self, root: Path, target: str) -> bytes | None:
        self.watch = self.watch or Watch(root)
        if self.watch.was_told():
            self.kept.clear()
        if target not in self.kept:
            self.kept[target] = inside(root, target)
        return self.kept[target]


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
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()


def proven(work: Path, find: Find, phase: str = "before") -> Verifier:
    verifier = verifier_of(read_scenario(SCENARIO), {}, work, 1)
    root = Path(verifier.prepare().env["WEBDYNO_STATIC"])
    verifier.phase = phase
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


@pytest.mark.slow
@pytest.mark.parametrize("suffix", MEDIA)
@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (LengthsOfTheStart, "after the file grew: .* differs from the file"),
        (Remembers, "after the file was removed: .* was answered 200"),
        (GoneForGood, "after the file came back: .* was answered 404"),
    ],
)
def test_who_is_wrong_about_files_of_one_type_is_told(
    tmp_path: Path, wrong: Callable[[str], Find], says: str, suffix: str
) -> None:
    with pytest.raises(Mismatch, match=says):
        proven(tmp_path, wrong(suffix), "after")


def test_a_load_s_file_with_the_length_of_the_start_is_told(tmp_path: Path) -> None:
    claim = "a changed file is served as it is now, if it is one of the load's: .*/about.html"
    with pytest.raises(Mismatch, match=claim):
        proven(tmp_path, LengthsOfTheStart("about.html"))


def test_who_waits_to_be_told_of_changes_is_told(tmp_path: Path) -> None:
    says = "after the file was written through a mapping: .* differs from the file"
    with pytest.raises(Mismatch, match=says):
        proven(tmp_path, KeptUntilTold(), "after")


def test_a_file_under_load_changes_in_both_ways_and_in_one_its_time_alone_tells(
    tmp_path: Path,
) -> None:
    verifier = verifier_of(read_scenario(SCENARIO), {}, tmp_path, 1)
    root = Path(verifier.prepare().env["WEBDYNO_STATIC"])
    watch = Watch(root)
    unseen = seen = 0
    while not (unseen and seen):
        change = verifier.change()
        assert change is not None
        [(name, expected)] = change.expected.items()
        text, before = (root / name).read_text(), (root / name).stat()
        waits = change.apply()
        after = (root / name).stat()
        assert text != (root / name).read_text() == expected
        assert int(after.st_mtime) != int(before.st_mtime)
        assert after.st_size == before.st_size
        told = watch.was_told()
        assert told == waits == (after.st_ino != before.st_ino)
        seen, unseen = seen + told, unseen + (not told)
    verifier.close()


@pytest.mark.slow
def test_all_files_are_in_the_end_what_they_were(tmp_path: Path) -> None:
    verifier = verifier_of(read_scenario(SCENARIO), {}, tmp_path, 1)
    root = Path(verifier.prepare().env["WEBDYNO_STATIC"])
    files = {file: file.read_bytes() for file in root.rglob("*.*")}

    def find(root: Path, target: str) -> bytes | None:
        found, before = inside(root, target), files.get(root / target[1:])
        if verifier.phase == "after" and found and before and len(found) < len(before):
            raise HangsUp
        return found

    with serving(root, find) as url, Probe(url) as probe:
        verifier.verify(probe)
        assert {file: file.read_bytes() for file in root.rglob("*.*")} == files
        verifier.phase = "after"
        with pytest.raises(Breakdown):
            verifier.verify(probe)
    assert {file: file.read_bytes() for file in root.rglob("*.*")} == files


@pytest.mark.slow
def test_the_second_proof_asks_no_more_than_is_said(tmp_path: Path) -> None:
    asked: list[str] = []

    def find(root: Path, target: str) -> bytes | None:
        asked.append(target)
        return inside(root, target)

    verifier = proven(tmp_path, find, "after")
    assert len(asked) <= verifier.asked_again


@pytest.mark.slow
def test_a_load_s_files_are_left_alone_once_there_may_be_a_load(tmp_path: Path) -> None:
    verifier = verifier_of(read_scenario(SCENARIO), {}, tmp_path, 1)
    prepared = verifier.prepare()
    root = Path(prepared.env["WEBDYNO_STATIC"])
    verifier.phase = "after"
    files = [root / name for name in prepared.lookups["file"]]
    times = [file.stat().st_ctime_ns for file in files]
    with serving(root, inside) as url, Probe(url) as probe:
        verifier.verify(probe)
    assert [file.stat().st_ctime_ns for file in files] == times
