"""A service in Swift, and how its framework is told its port."""

from __future__ import annotations

import re
from pathlib import Path

from webdyno.ab.recognise.recognised import RecognisedService, text_of

_ARGUMENTS = "--hostname 127.0.0.1 --port ${PORT}"

_OPTION = re.compile(r"@Option\b(?:\([^)]*\))?\s+(?:\w+ )*var port\b")
_CONFIGURED = re.compile(
    r"\bApplicationConfiguration\(\s*reader:\s*\w+(?:\.scoped\(to:\s*\"([\w.]+)\"\))?\s*[,)]"
)
"""How Hummingbird is told of the settings that it reads, and which part of these is its own."""


def swift(folder: Path) -> RecognisedService | None:
    """By Package.swift."""
    path = folder / "Package.swift"
    if not path.is_file():
        return None
    package = text_of(path)
    named = re.findall(r"\.executableTarget\(\s*name:\s*\"([^\"]+)\"", package)
    run = f".build/release/{named[0]}" if named else ""
    env: dict[str, str] = {}
    asks = [] if len(named) == 1 else ["name the executable that is the service"]
    if run and re.search(r"/vapor(?:\.git)?\"", package):
        run += f" serve --env production {_ARGUMENTS}"
    elif run and re.search(r"/hummingbird(?:\.git)?\"", package):
        sources = "\n".join(map(text_of, sorted((folder / "Sources").rglob("*.swift"))))
        if _OPTION.search(sources):
            run += f" {_ARGUMENTS}"
        elif (scope := _CONFIGURED.search(sources)) and "EnvironmentVariablesProvider(" in sources:
            before = f"{scope[1].replace('.', '_').upper()}_" if scope[1] else ""
            env = {f"{before}HOST": "127.0.0.1", f"{before}PORT": "${PORT}"}
        elif not re.search(r"\"\w*PORT\"|\bport: *\d", sources):
            asks.append(
                "Hummingbird listens on port 8080 unless it is given another: let it listen on "
                "$PORT, or put ${PORT} in `command` or `env`"
            )
    first, *also = asks or [""]
    return RecognisedService(
        "Package.swift", "swift", ("swift build -c release",), run, ("swift",),
        open=first, other_to_do=tuple(also), env=env,
    )  # fmt: skip
