"""A service of Ktor, which takes its port as an option where its own program starts it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from webdyno.ab.recognise.recognised import text_of

OPTION = " -port=${PORT}"
"""Counts before the port in its configuration."""

_ENGINE = re.compile(r"\bio\.ktor\.server\.[\w.]+\.EngineMain\b")
"""The program with which Ktor serves what its configuration says."""

_HANDS_ON = re.compile(
    r"\b(?:EngineMain\.main|commandLineEnvironment|CommandLineConfig)\(\s*args\s*\)"
)
"""How a program of one's own hands its arguments on to that."""


def takes_port(build_file: str, module: Path) -> bool:
    """Whether the program of a module in the folder `module` is Ktor's own, or hands all on to
    that."""
    return _ENGINE.search(build_file) is not None or any(
        _HANDS_ON.search(text_of(path)) for path in _sources(module)
    )


def _sources(module: Path) -> Iterator[Path]:
    for path in sorted((module / "src").rglob("*.kt")):
        if not any(part.lower().endswith("test") for part in path.relative_to(module).parts[:-1]):
            yield path
