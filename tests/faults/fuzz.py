"""Manifests made up at random: each is read, or refused in one line within a second."""

from __future__ import annotations

import contextlib
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from pydantic import BaseModel

from webdyno.catalog.reading.manifest import parse_manifest, read_manifest
from webdyno.catalog.scenarios.scenario import ScenarioManifest
from webdyno.catalog.servers.language import LanguageManifest
from webdyno.catalog.servers.server_manifest import ServerManifest
from webdyno.catalog.studies.published import PublishedManifest
from webdyno.catalog.studies.study import StudyManifest
from webdyno.errors import UserError

ROOT = Path(__file__).resolve().parents[2]

WITHIN_S = 1.0
"""Of CPU time, so that a busy machine is no fault; ten times as much by the clock."""

_PLACES: list[tuple[str, type[BaseModel]]] = [
    ("studies/*.toml", StudyManifest),
    ("scenarios/*/scenario.toml", ScenarioManifest),
    ("servers/*/*/server.toml", ServerManifest),
    ("servers/*/language.toml", LanguageManifest),
    ("studies/published/*.toml", PublishedManifest),
]
SHIPPED = [(path, model) for glob, model in _PLACES for path in sorted(ROOT.glob(glob))]

VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.sampled_from([2**31, 2**63, 2**64, -(2**63) - 1, 10**400]),
        st.floats(),
        st.text(max_size=20),
        st.sampled_from(
            [
                "",
                "../../nowhere/file",
                "/dev/zero",
                "--upload-pack=touch x",
                "-x",
                "\x1b[31m",
                "\0",
                "0s",
                "0GB",
                "1e9h",
                "9" * 400,
                "9" * 400 + "h",
                "1" * 400 + "GB",
                "0-65535",
                "a\nb",
                "9" * 400 + "/s:1s",
                "p99 < 9" + "9" * 400 + "s",
                "25M/day",
                "[0-9]*",
                "(a*)*b",
            ]
        ),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=4,
)


MANY = (
    b"", b"", b"", b"[" * 5000, b"1" * 5000, b"a=[[" * 2000, b"a." * 20_000, b"[[a]]\n" * 5000,
    b"a = {" + b"a." * 20_000, b"[" + b"a ." * 3000,
    b"\n".join(b"a" + b".b" * 49 + b"%d=1" % number for number in range(900)),
)  # fmt: skip
"""What a parser may take long for."""


def _leaves(data: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(data, dict | list):
        items = data.items() if isinstance(data, dict) else enumerate(data)
        found = [] if not at else [at]
        return found + [place for key, value in items for place in _leaves(value, (*at, key))]
    return [at]


@st.composite
def changed_manifests(draw: st.DrawFn) -> tuple[dict[str, Any], type[BaseModel]]:
    """A manifest that ships with Webdyno, with a value or two replaced by any other."""
    path, model = draw(st.sampled_from(SHIPPED))
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    for _ in range(draw(st.integers(1, 2))):
        *way, last = draw(st.sampled_from(_leaves(data)))
        part: Any = data
        with contextlib.suppress(KeyError, IndexError, TypeError):  # Replaced by the first.
            for key in way:
                part = part[key]
            part[last] = draw(VALUES)
    return data, model


@st.composite
def changed_bytes(draw: st.DrawFn) -> tuple[bytes, type[BaseModel]]:
    """A manifest's file with a stretch of it replaced by any bytes."""
    path, model = draw(st.sampled_from(SHIPPED))
    return draw(_changed(path.read_bytes())), model


@st.composite
def changed_studies(draw: st.DrawFn) -> tuple[str, bytes]:
    """The same of a study's, with the name that its file must have."""
    path = draw(st.sampled_from([path for path, model in SHIPPED if model is StudyManifest]))
    return path.name, draw(_changed(path.read_bytes()))


@st.composite
def _changed(draw: st.DrawFn, data: bytes) -> bytes:
    begin = draw(st.integers(0, len(data)))
    end = draw(st.integers(begin, min(len(data), begin + 40)))
    return data[:begin] + draw(st.binary(max_size=30)) + draw(st.sampled_from(MANY)) + data[end:]


def check_manifest(data: dict[str, Any], model: type[BaseModel]) -> bool:
    """Whether `data` is read as a `model`; raises `AssertionError` where it is neither read nor
    refused as it should be."""
    return _is_read(lambda: parse_manifest(data, model, "x.toml"))


def check_bytes(data: bytes, model: type[BaseModel], folder: Path) -> bool:
    """The same of a file's bytes."""
    path = folder / "x.toml"
    path.write_bytes(data)
    return _is_read(lambda: read_manifest(path, model))


def _is_read(read: Callable[[], object]) -> bool:
    watch = Stopwatch()
    try:
        read()
    except UserError as error:
        must_be_one_line(" ".join(str(error).split()))
        read_it = False
    else:
        read_it = True
    assert watch.is_in_time()
    return read_it


class Stopwatch:
    """Tells whether what was begun with it has taken no longer than it may."""

    def __init__(self) -> None:
        self._began = time.process_time(), time.monotonic()

    def is_in_time(self) -> bool:
        """Whether it is still within `WITHIN_S`."""
        cpu_s, wall_s = time.process_time() - self._began[0], time.monotonic() - self._began[1]
        return cpu_s < WITHIN_S and wall_s < 10 * WITHIN_S


def must_be_one_line(text: str) -> None:
    """Raises `AssertionError` unless `text` is what a user is told."""
    assert text.strip(), "it says nothing"
    assert "\n" not in text.strip("\n"), text
    assert "Traceback" not in text
    assert "a bug in Webdyno" not in text, text
    assert not [c for c in text if c in "\x1b\x9b\x07"], repr(text)
