"""A build tool that a project's wrapper fetches, on a machine that does not reach its address."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from webdyno.ab.recognise.recognised import text_of


@dataclass(frozen=True)
class _Wrapper:
    """A script that fetches a build tool before it starts that."""

    name: str
    tool: str
    program: str
    settings: str
    """The file that says from where."""
    failed: re.Pattern[str]
    """What the wrapper says where it fails; the tool itself speaks otherwise of what it lacks."""


_OF_JAVA = (
    r"Exception in thread \"main\" java(?:x?\.net\.|\.io\.(?:FileNotFoundException: https?://"
    r"|IOException: (?:Server returned|Downloading from)))"
)
"""Exceptions of the network, and those of files that are about an address."""

_WRAPPERS = (
    _Wrapper(
        "gradlew", "Gradle", "gradle", "gradle/wrapper/gradle-wrapper.properties",
        re.compile(_OF_JAVA),
    ),
    _Wrapper(
        "mvnw", "Maven", "mvn", ".mvn/wrapper/maven-wrapper.properties",
        re.compile(rf"{_OF_JAVA}|(?:wget|curl): [Ff]ailed to fetch|curl: \(\d+\)"),
    ),
)  # fmt: skip


def remedy_of_wrapper(reason: str, folder: Path) -> str:
    """How to go on where a build failed for `reason` because the wrapper in `folder` could not
    fetch its build tool, as the end of a sentence; empty where it is not that."""
    for wrapper in _WRAPPERS:
        told = re.search(r"^distributionUrl=(.+)$", text_of(folder / wrapper.settings), re.M)
        if told is None or wrapper.name not in reason or not wrapper.failed.search(reason):
            continue
        address = told[1].strip().replace("\\", "")
        version = re.search(r"(?:gradle|apache-maven)-(\d[\d.]*\d)", address)
        named = f"{wrapper.tool} {version[1]}" if version else wrapper.tool
        return (
            f"; {wrapper.name} could not fetch {named} from {address}: let distributionUrl in "
            f"{wrapper.settings} name a mirror that this machine reaches, or have "
            f"{wrapper.tool} on your PATH and start {wrapper.program} in `build` (--build)"
        )
    return ""
