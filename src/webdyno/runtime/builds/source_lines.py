"""How much source a server takes for a scenario: lines of code, as pygount counts them.

Without blank lines, comments and documentation, and without lines that hold brackets only. What
declares dependencies is left out, and so is what belongs to the server's other scenarios, which is
told by the names of files and folders. What several scenarios share counts for each of them.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Collection
from importlib.metadata import version
from pathlib import Path

from webdyno.catalog.servers.server import Server
from webdyno.runtime.builds.sources import digest_of_files, source_files
from webdyno.runtime.persistent_cache import kept

_DECLARATIONS = frozenset(
    (
        "server.toml", ".npmrc", "package.json", "package-lock.json", "npm-shrinkwrap.json",
        "Cargo.toml", "Cargo.lock", "go.mod", "go.sum", "pom.xml", "composer.json",
        "composer.lock", "pyproject.toml", "requirements.in", "requirements.lock",
        "requirements.txt", "Package.swift", "Package.resolved", "mix.exs", "mix.lock",
        ".formatter.exs",
    )
)  # fmt: skip
_ELIXIR_DOC = re.compile(
    r'^ *@(?:module|type)?doc (?:(?:~S)?"""$.*?^ *"""|"[^"\n]*"|false)$', re.MULTILINE | re.DOTALL
)
_COUNTED_AS = 1
"""Goes up when lines are counted otherwise: those that were kept are counted anew."""
_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z0-9]+(?![a-z])")


def source_lines(server: Server, scenario: str) -> int | None:
    """Lines of code of `server` that are there for `scenario`; None for one whose files were named
    one by one: a whole service, of whose lines nobody asks."""
    if server.source is not None:
        return None
    others = [name for name in server.manifest.scenarios if name != scenario]
    files = [
        path
        for path in source_files(server.folder)
        if path.name not in _DECLARATIONS
        and path.suffix != ".csproj"
        and not belongs_to(path.relative_to(server.folder), others)
    ]
    # Counting takes seconds of CPU time, most of them to learn the languages.
    name = f"lines-{version('pygount')}-{digest_of_files(server.folder, files, [_COUNTED_AS])}"
    return int(kept(name, lambda: str(sum(map(lines_of, files)))))


def belongs_to(path: Path, scenarios: Collection[str]) -> bool:
    """True where a folder or file of `path` is named after one of `scenarios`.

    `session_counter.py`, `session-counter/index.php` and `SessionCounterView.java` are all named
    after `session-counter`.
    """
    parts = [_words(part.partition(".")[0]) for part in path.parts]
    for name in scenarios:
        words = _words(name)
        if any(part[: len(words)] == words for part in parts):
            return True
    return False


@functools.cache
def lines_of(path: Path) -> int:
    """Lines of code in one file; 0 where it is not text, or a link to what is no file."""
    if not path.is_file():
        return 0
    # Imported late: it takes a third of a second, and most commands count nothing.
    from pygount import SourceAnalysis  # type: ignore[import-untyped]

    analysis = SourceAnalysis.from_file(str(path), "", encoding="utf-8")
    if analysis.is_countable:
        # Rust's documentation counts as strings there.
        strings = 0 if analysis.language == "Rust" else analysis.string_count
        documented = _elixir_docs(path) if analysis.language == "Elixir" else 0
        return int(analysis.code_count + strings) - documented
    # Template and configuration languages that pygount does not know: lines that are not blank.
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return 0
    return sum(1 for line in text.splitlines() if line.strip())


def _elixir_docs(path: Path) -> int:
    """Lines of documentation, blank ones too: an attribute there, they count as code and string."""
    found = _ELIXIR_DOC.finditer(path.read_text(encoding="utf-8"))
    return sum(match[0].count("\n") + 1 for match in found)


def _words(name: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(name)]
