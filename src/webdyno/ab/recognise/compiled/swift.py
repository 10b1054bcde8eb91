"""A service in Swift, and how its framework is told its port."""

from __future__ import annotations

import re
from pathlib import Path

from webdyno.ab.recognise.recognised import RecognisedService, text_of

_ARGUMENTS = "--hostname 127.0.0.1 --port ${PORT}"


def swift(folder: Path) -> RecognisedService | None:
    """By Package.swift."""
    path = folder / "Package.swift"
    if not path.is_file():
        return None
    package = text_of(path)
    named = re.findall(r"\.executableTarget\(\s*name:\s*\"([^\"]+)\"", package)
    run = f".build/release/{named[0]}" if named else ""
    asks = [] if len(named) == 1 else ["name the executable that is the service"]
    if run and re.search(r"/vapor(?:\.git)?\"", package):
        run += f" serve --env production {_ARGUMENTS}"
    elif run and re.search(r"/hummingbird(?:\.git)?\"", package):
        sources = "\n".join(map(text_of, sorted((folder / "Sources").rglob("*.swift"))))
        if re.search(r"@Option\b[^\n]*\bvar port\b", sources):
            run += f" {_ARGUMENTS}"
        elif not re.search(r"\"\w*PORT\"|\bport: *\d", sources):
            asks.append(
                "Hummingbird listens on port 8080 unless it is given another: let it listen on "
                "$PORT, or put ${PORT} in `command` or `env`"
            )
    first, *also = asks or [""]
    return RecognisedService(
        "Package.swift", "swift", ("swift build -c release",), run, ("swift",),
        open=first, other_to_do=tuple(also),
    )  # fmt: skip
