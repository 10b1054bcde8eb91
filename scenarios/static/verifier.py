"""`GET /PATH` answers the bytes of a file below a folder, as they are now.

The files are written anew for each trial, so that nothing can have been kept from an earlier one,
and every answer of the load is compared with its file in full. Files change meanwhile: what was
asked after that must be answered by what they hold then. Some are replaced, some written to through
a memory mapping, which moves their times and which nobody is told of who only waits for changes.
Before and after it, files of each kind grow, shrink, go and come back: a server may know some of
them from its start.
"""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Sequence
from pathlib import Path

from webdyno.verifier import (
    Breakdown,
    Change,
    Preparation,
    Probe,
    Sample,
    Verifier,
    beside,
    media_problem,
)

mapping = beside(__file__, "mapping")

MEDIA = {
    ".css": ("text/css",),
    ".js": ("text/javascript", "application/javascript"),
    ".html": ("text/html",),
    ".svg": ("image/svg+xml",),
    ".txt": ("text/plain",),
    ".png": ("image/png",),
}
SIZES = {
    "css/site.css": 6_000,
    "css/print.css": 900,
    "js/app.js": 48_000,
    "js/menu.js": 3_500,
    "about.html": 8_000,
    "robots.txt": 120,
    **{f"images/icon-{number:02}.svg": 700 + 230 * number for number in range(1, 15)},
}
"""Bytes of each file of the load: about those of a page's style, script and icons."""
BINARY = bytes(range(256)) * 12
FOLDERS = {".css": "css/", ".js": "js/", ".svg": "images/", ".png": "images/"}
"""Where files of these types are; those of the others are at the top."""
OTHER_BYTES = 2_000
"""Of each file that changes and is none of the load's: as it is at first."""
OLD_S = 100_000
"""How old the load's files are at first, in seconds; each time one is replaced it is one younger,
so that whoever compares times of whole seconds sees it, too."""
CHECKED = (
    "open the file in every request, or check whether its time or size differs from that of what is"
    " kept (a time may also go back); no watcher reports every change"
)
MAPPED = 1 / 2
"""Of the changes under load, this part comes through a mapping."""


class Scenario(Verifier):
    in_a_crowd = True

    def prepare(self) -> Preparation:
        self.root = self.work / "static"
        self.mapped = mapping.HeldFiles()
        self.opened.callback(self.mapped.close)
        self.by_mapping = mapping.moves_times(self.work)
        self.times_s = itertools.count(int(time.time()) - OLD_S)
        self.texts = {name: self._text(size) for name, size in SIZES.items()}
        self.earlier: dict[str, set[str]] = {name: set() for name in SIZES}
        for name, text in self.texts.items():
            self._file(name).parent.mkdir(parents=True, exist_ok=True)
            self._replace(name, text.encode())
        self._file("images/photo.png").write_bytes(BINARY)
        self.lasting = [self._name("lasting", suffix) for suffix in MEDIA]
        for name in self.lasting:
            self._replace(name, self._content(name, OTHER_BYTES))
        self.secret = self.token(16)
        (self.work / "secret.txt").write_text(self.secret, encoding="ascii")
        return Preparation(
            env={"WEBDYNO_STATIC": str(self.root)},
            variables={"file": {"kind": "choice", "values": list(self.texts)}},
            lookups={"file": self.texts},
        )

    def _file(self, name: str) -> Path:
        return self.root / name

    def _text(self, size: int) -> str:
        words = [self.token() for _ in range(size // 9 + 1)]
        return ("/* " + " ".join(words))[: size - 3] + "*/\n"

    def _content(self, name: str, size: int) -> bytes:
        binary = name.endswith(".png")
        return self.random.randbytes(size) if binary else self._text(size).encode()

    def _name(self, stem: str, suffix: str) -> str:
        return f"{FOLDERS.get(suffix, '')}{stem}-{self.token()}{suffix}"

    def verify(self, probe: Probe) -> None:
        self.expect_http(probe.get("/robots.txt"))
        self.expect_each(
            f"{len(self.texts)} files are served byte for byte, with the type of their name",
            (self._problem(probe, name, text.encode()) for name, text in self.texts.items()),
        )
        self.expect_each(
            "a file of binary data is served byte for byte",
            [self._problem(probe, "images/photo.png", BINARY)],
        )
        self._follows_changes(probe)
        self.expect_not_found(probe, f"/{self.token()}.css")
        self.expect_not_found(probe, f"/images/{self.token()}.svg")
        self._outside(probe)

    def change(self) -> Change:
        """A file is replaced by another of its size, or one of its letters by another.

        By a rename, so that nobody reads half of each; and whoever has taken its size before
        opening it sends all of it. Or through a mapping, where one letter cannot be read in part.
        """
        name = self.random.choice(list(self.texts))
        mapped = self.by_mapping and self.random.random() < MAPPED
        place = self.random.randrange(SIZES[name])
        was = self.texts[name]
        fresh = f"{was[:place]}{'x' if was[place] != 'x' else 'y'}{was[place + 1 :]}"
        if not mapped:
            fresh = self._text(SIZES[name])

        def make() -> bool:
            if mapped:
                self.mapped.rewrite(name, place, fresh[place].encode())
            else:
                self._replace(name, fresh.encode())
            self.earlier[name].add(was)
            self.texts[name] = fresh
            # No server can hold up a change through a mapping, which waits for a second by itself.
            return not mapped

        return Change(make, variable="file", expected={name: fresh})

    def _replace(self, name: str, content: bytes) -> None:
        # Beside the folder, which holds nothing but what it serves.
        fresh = self.work / f"fresh-{self.token()}"
        file = fresh.open("w+b", buffering=0)
        self._write(fresh, content)
        os.replace(fresh, self._file(name))
        self.mapped.hold(name, file)

    def _write(self, file: Path, content: bytes) -> None:
        """Write it a second after the last one, by its time."""
        file.write_bytes(content)
        time_s = next(self.times_s)
        os.utime(file, (time_s, time_s))

    def audit(self, samples: Sequence[Sample]) -> None:
        self.expect_samples(samples)
        self.expect_each(
            f"{len(samples)} answers of the load have the type and the bytes of their file",
            (self._sampled(sample, sample.variables["file"]) for sample in samples),
        )

    def _sampled(self, sample: Sample, name: str) -> str | None:
        # When it was right the engine knows, which compares every answer.
        text = sample.body.decode("latin-1")
        expected = text if text in self.earlier[name] else self.texts[name]
        kind = sample.header("content-type")
        return answer_problem(name, sample.status, kind, sample.body, expected.encode())

    def _problem(self, probe: Probe, name: str, content: bytes) -> str | None:
        answer = probe.get(f"/{name}")
        kind = answer.headers.get("content-type", "")
        return answer_problem(name, answer.status_code, kind, answer.content, content)

    def _follows_changes(self, probe: Probe) -> None:
        """Files of each kind change, by both ways in which files are changed.

        Those of the load only while there is none: a file that is gone for a moment, or half
        written, would be asked for.
        """
        self.expect_each(
            "a new file of each type is served, until it is removed",
            (self._comes(probe, suffix) for suffix in MEDIA),
            remedy="look for the file on the disk in every request; keep no list of files",
        )
        claim = "a changed file is served as it is now"
        self.expect_each(
            f"{claim}, whatever its type",
            (self._moves(probe, name) for name in self.lasting),
            remedy=CHECKED,
        )
        if self.phase == "before":
            of_types = [[name for name in SIZES if name.endswith(suffix)] for suffix in MEDIA]
            some = [self.random.choice(names) for names in of_types if names]
            self.expect_each(
                f"{claim}, if it is one of the load's",
                (self._moves(probe, name) for name in some),
                remedy=CHECKED,
            )

    def _comes(self, probe: Probe, suffix: str) -> str | None:
        """What is wrong about a file that is new, and then removed."""
        name = self._name("new", suffix)
        content = self._content(name, OTHER_BYTES)
        self._write(self._file(name), content)
        if problem := self._after(probe, name, content, "is new"):
            return problem
        self._file(name).unlink()
        return self._gone(probe, name)

    def _moves(self, probe: Probe, name: str) -> str | None:
        """What is wrong about a file that grows, shrinks and goes, and is in the end what it was.

        Its size tells each change even where a clock is too coarse.
        """
        before = self._file(name).read_bytes()
        try:
            grown = self._content(name, 2 * len(before))
            self._write(self._file(name), grown)
            if problem := self._after(probe, name, grown, "grew"):
                return problem
            shrunk, other = (self._content(name, len(before) // 2) for _ in range(2))
            self._replace(name, shrunk)
            if problem := self._after(probe, name, shrunk, "shrank"):
                return problem
            if self.by_mapping:
                self.mapped.write(name, other)
                if problem := self._after(probe, name, other, "was written through a mapping"):
                    return problem
            self._file(name).unlink()
            if problem := self._gone(probe, name):
                return problem
        finally:
            # Even where the server breaks off: it may be verified once more.
            self._replace(name, before)
        return self._after(probe, name, before, "came back")

    def _after(self, probe: Probe, name: str, content: bytes, what: str) -> str | None:
        problem = self._problem(probe, name, content) or self._problem(probe, name, content)
        return problem and f"after the file {what}: {problem}"

    def _gone(self, probe: Probe, name: str) -> str | None:
        status = probe.get(f"/{name}").status_code
        right = status == 404
        return None if right else f"after the file was removed: /{name} was answered {status}"

    def _outside(self, probe: Probe) -> None:
        paths = ("/../secret.txt", "/images/../../secret.txt", "/%2e%2e/secret.txt")
        for path in (*paths, "/images/%2e%2e/%2e%2e/secret.txt"):
            claim = f"no file outside the folder is served ({path})"
            try:
                answer = probe.get(path, as_it_is=True)
            except Breakdown as closed:
                # Such a request may be taken for an attack, and no longer be talked to.
                self.expect(claim, True, str(closed))
                continue
            served = answer.status_code == 200 or self.secret.encode() in answer.content
            self.expect(claim, not served, f"answered {answer.status_code}")


def answer_problem(
    name: str, status: int, content_type: str, body: bytes, content: bytes
) -> str | None:
    """Why an answer is not the file `name` with `content`; None where it is."""
    if status != 200:
        return f"/{name} was answered {status}"
    if body != content:
        return f"/{name} differs from the file: {body[:40]!r}"
    wanted = MEDIA[Path(name).suffix]
    problems = [media_problem(content_type, media) for media in wanted]
    return f"/{name}: {problems[0]}" if all(problems) else None
