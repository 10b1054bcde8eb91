"""How a service that is not told its port on its command line comes to it, by its sources."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from webdyno.ab.recognise.recognised import text_of

_LITERALS = (
    r"\.listen\(\s*(?:\{[^}]*\bport:\s*)?(\d{2,5})\b",  # Node.js
    r"\bListenAndServe\(\s*\"[^\":]*:(\d{2,5})\"",
    r"\.(?:Run|Start|Listen)\(\s*\"[^\":]*:(\d{2,5})\"",  # Go's frameworks
    r"\bAddr:\s*\"[^\":]*:(\d{2,5})\"",
    r"(?:\.run|\brun_app)\([^)]*\bport\s*=\s*(\d{2,5})\b",  # Flask, uvicorn, aiohttp
    r"\b(?:TcpListener::)?bind\(\s*\(?\"[^\":]*:(\d{2,5})\"",  # Rust
    r"\bSocketAddr::from\(\(.*?,\s*(\d{2,5})\s*\)\)",
    r"\bbind\(\s*\(\s*\"[^\"]*\"\s*,\s*(\d{2,5})\s*\)",  # Actix
    r"\.start\(\s*(\d{2,5})\s*\)",  # Javalin
    r"\bembeddedServer\(\s*\w+\s*,\s*(?:[^()]*?\bport\s*=\s*)?(\d{2,5})\b",  # Ktor
    r"\bHttpServer\.create\(\s*new InetSocketAddress\((?:[^,()]*,)?\s*(\d{2,5})\s*\)",
    r"^\s*server\.port\s*=\s*(\d{2,5})\s*$",
    r"\.hostname\([^)]*\bport:\s*(\d{2,5})\b",  # Swift's frameworks
    r"\bconfiguration\.port\s*=\s*(\d{2,5})\b",
)
_CONSTANT = re.compile(
    r"\b(\w*(?:port|addr(?:ess)?))\s*(?::[^=\n]*)?:?=\s*[\"']?(?:[\w.]*:)?(\d{2,5})[\"']?[;,]?\s*$",
    re.IGNORECASE | re.MULTILINE,
)
"""A name for a port, or for an address with one."""

_LISTENS = r"\b(?:listen|ListenAndServe|Run|Start|Listen|run|run_app|bind|start|embeddedServer)\("
"""What takes a port or an address to listen at."""

_ASKED = (
    r"\benv\.|\benv\[[\"']|[Gg]etenv\([\"']|\benviron\.get\([\"']|\benviron\[[\"']|"
    r"\benv::var\([\"']|\b[Ee]nvironment(?:\(\))?(?:\.get\(|\[)[\"']"
)
_READ = re.compile(rf"(?:{_ASKED}|\$\{{)(\w*PORT)\b")
_READ_BESIDE_TEMPLATES = re.compile(rf"(?:{_ASKED}|\\\$\{{)(\w*PORT)\b")
_TEMPLATES = (".js", ".mjs", ".cjs", ".ts", ".kt")
"""Of languages in whose strings `${PORT}` is a variable of the program's own; Kotlin's frameworks
are given `\\${PORT}` for one of the environment."""

_OWN = re.compile(r"(?:API|APP|HTTP|LISTEN|SERVER|SERVICE|WEB)_PORT")
"""Names of variables that can only mean the port of the service itself."""

_ENDINGS = (
    ".js", ".mjs", ".cjs", ".ts", ".go", ".py", ".rs", ".java", ".kt", ".properties",
    ".swift",
)  # fmt: skip
_LEFT_OUT = frozenset(
    {"build", "dist", "docs", "examples", "node_modules", "target", "test", "tests", "vendor"}
)
_MOST_FILES = 300


def port_of(folder: Path) -> tuple[str, str]:
    """The variable that tells it its port, where that is not PORT, and what has to be said where
    its sources name a port and ask for none; empty where neither is so."""
    variables: set[str] = set()
    fixed = ""
    for path in sources_of(folder):
        text = text_of(path)
        read = _READ_BESIDE_TEMPLATES if path.suffix in _TEMPLATES else _READ
        variables |= set(read.findall(text))
        if not fixed and (port := _fixed_in(text)):
            fixed = f"{path.relative_to(folder).as_posix()} names port {port}"
    if "PORT" in variables:
        return "", ""
    own = sorted(name for name in variables if _OWN.fullmatch(name))
    if len(own) == 1:
        return own[0], ""
    if not fixed:
        return "", ""
    return "", (
        f"{fixed}, but several copies run at once, each on a port of its own: let it listen on "
        "$PORT, or at another variable (`port_variable`, or ${PORT} in `command` or `env`)"
    )


def _fixed_in(text: str) -> str:
    """The port at which a source listens, whatever it is told; empty where it names none."""
    for pattern in _LITERALS:
        if found := re.search(pattern, text, re.MULTILINE):
            return found[1]
    for name, port in _CONSTANT.findall(text):
        if re.search(rf"{_LISTENS}[^()]*\b{name}\b", text):
            return str(port)
    return ""


_ASKED_FOR = re.compile(rf"(?:{_ASKED})(\w+)")


def variables_read_in(folder: Path) -> set[str]:
    """The variables that the sources in a folder ask their environment for."""
    return {name for path in sources_of(folder) for name in _ASKED_FOR.findall(text_of(path))}


def sources_of(folder: Path) -> Iterator[Path]:
    """The sources below a folder, less those of tests and of others, as far as it is looked."""
    count = 0
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(
            name for name in folders if name not in _LEFT_OUT and not name.startswith(".")
        )
        for name in sorted(files):
            if name.endswith(_ENDINGS) and not re.search(r"[._](?:test|spec)\.\w+$", name):
                count += 1
                if count > _MOST_FILES:
                    return
                yield Path(root, name)
