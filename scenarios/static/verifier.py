"""`GET /PATH` answers the bytes of a file below a folder, as they are now.

The files are written anew for each trial, so that nothing can have been kept from an earlier one,
and every answer of the load is compared with its file in full. Files are replaced meanwhile: what
was asked after that must be answered by the new one.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from webdyno.verifier import (
    Breakdown,
    Change,
    Preparation,
    Probe,
    Sample,
    Verifier,
    media_problem,
)

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
OLD_S = 100_000
"""How old the load's files are at first, in seconds; each time one is replaced it is one younger,
so that whoever compares times of whole seconds sees it, too."""


class Scenario(Verifier):
    in_a_crowd = True

    def prepare(self) -> Preparation:
        self.root = self.work / "static"
        self.time_s = int(time.time()) - OLD_S
        self.texts = {name: self._text(size) for name, size in SIZES.items()}
        self.earlier: dict[str, set[str]] = {name: set() for name in SIZES}
        for name, text in self.texts.items():
            self._file(name).parent.mkdir(parents=True, exist_ok=True)
            self._replace(name, text)
        self._file("images/photo.png").write_bytes(BINARY)
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
        if self.phase == "before":
            self.expect_not_found(probe, f"/{self.token()}.css")
            self.expect_not_found(probe, f"/images/{self.token()}.svg")
            self._outside(probe)

    def change(self) -> Change:
        """A file is replaced by another of its size.

        By a rename, so that nobody reads half of each; and whoever has taken its size before
        opening it sends all of it.
        """
        name = self.random.choice(list(self.texts))
        fresh = self._text(SIZES[name])

        def make() -> None:
            self._replace(name, fresh)
            self.earlier[name].add(self.texts[name])
            self.texts[name] = fresh

        return Change(make, variable="file", expected={name: fresh})

    def _replace(self, name: str, text: str) -> None:
        # Beside the folder, which holds nothing but what it serves.
        fresh = self.work / f"fresh-{self.token()}"
        self._write(fresh, text)
        os.replace(fresh, self._file(name))

    def _write(self, file: Path, text: str) -> None:
        """Write it a second after the last one, by its time."""
        file.write_text(text, encoding="ascii")
        self.time_s += 1
        os.utime(file, (self.time_s, self.time_s))

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
        """A file that is not of the load changes, by both ways in which files are changed."""
        name = f"changing-{self.token()}.txt"

        def problems() -> Iterator[str | None]:
            for way in ("is new", "was rewritten", "was replaced by rename"):
                # Longer each time: its size tells a change even where a clock is too coarse.
                content = f"{way}: {self.token(40)}"
                if way == "was replaced by rename":
                    self._replace(name, content)
                else:
                    self._write(self._file(name), content)
                for _ in range(3):
                    problem = self._problem(probe, name, content.encode())
                    yield problem and f"after the file {way}: {problem}"

        self.expect_each("a file that changes is served as it is now", problems())
        self._file(name).unlink()
        self.expect_not_found(probe, f"/{name}")

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
        return f"/{name} has other bytes than the file: {body[:40]!r}"
    wanted = MEDIA[Path(name).suffix]
    problems = [media_problem(content_type, media) for media in wanted]
    return f"/{name}: {problems[0]}" if all(problems) else None
