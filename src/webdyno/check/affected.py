"""From changed files to the servers that have to be looked at, and at which scenarios."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from webdyno.catalog.catalog import Catalog
from webdyno.catalog.servers.server import Server
from webdyno.printable import one_line
from webdyno.run.preparation.sources import explains

_SHARED = re.compile(r"(src|engine)/|requirements\.lock$")
"""Paths of Webdyno's own code, which every trial goes through."""


@dataclass(frozen=True)
class AffectedServer:
    """A server to be looked at, at `scenarios`, since something of it, or that it is checked with,
    changed. `runtimes` are the language's releases that changed."""

    server: Server
    scenarios: tuple[str, ...]
    why: str
    runtimes: tuple[str, ...] = ()


@dataclass
class AffectedServers:
    """What changed files touch; `removed` are servers that are gone."""

    servers: list[AffectedServer] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)


@dataclass
class _ChangedParts:
    """What the files are part of, by its name."""

    servers: set[str] = field(default_factory=set)
    languages: dict[str, set[str]] = field(default_factory=dict)
    """Each with its releases that changed."""
    scenarios: set[str] = field(default_factory=set)
    shared: bool = False
    manifests: set[str] = field(default_factory=set)
    """Servers whose `server.toml` is among the files: one that is gone has lost it."""


def affected_servers(
    files: Iterable[Path], catalog: Catalog, can_be_had: Callable[[Server], bool]
) -> AffectedServers:
    """Whom `files` touch.

    A server's own file touches it at all of its scenarios; a file of a scenario touches all that
    implement it, there; a file that a language's servers share touches one of them, and Webdyno's
    own code one of each language: of those that `can_be_had` here the one that implements the most.
    """
    seen = _ChangedParts()
    roots = [root.resolve() for root in catalog.roots]
    for file in files:
        root = next((one for one in reversed(roots) if file.is_relative_to(one)), None)
        if root is not None:
            _note(seen, root, file)
    servers = {server.id: server for server in catalog.servers()}
    found = {
        id_: AffectedServer(servers[id_], tuple(servers[id_].manifest.scenarios), "its own files")
        for id_ in sorted(seen.servers & servers.keys())
    }
    for server in servers.values():
        changed = [name for name in server.manifest.scenarios if name in seen.scenarios]
        if changed and server.id not in found:
            why = f"scenario{'s' if len(changed) > 1 else ''} {', '.join(changed)}"
            found[server.id] = AffectedServer(server, tuple(changed), why)
    for language, releases in _languages(seen, servers.values()).items():
        of_it = [server for server in servers.values() if server.manifest.language == language]
        if one := _broadest([each for each in of_it if can_be_had(each)]):
            why = f"what {language} servers share" if language in seen.languages else "shared code"
            whole = tuple(one.manifest.scenarios)
            before = found.get(one.id)
            if before is not None and before.scenarios == whole:
                why = before.why
            found[one.id] = AffectedServer(one, whole, why, tuple(sorted(releases)))
    # What was no server's name, as in a commit that was a mistake, has to be shown all the same.
    gone = (os.fsencode(id_).decode(errors="replace") for id_ in seen.manifests - servers.keys())
    return AffectedServers([found[id_] for id_ in sorted(found)], sorted(map(one_line, gone)))


def _note(changed: _ChangedParts, root: Path, path: Path) -> None:
    parts = path.relative_to(root).parts
    if not parts:  # It was a submodule, and is a folder now, whose files are among the others.
        return
    own = min({"servers": 3, "scenarios": 2}.get(parts[0], len(parts)), len(parts) - 1)
    if explains(path, root.joinpath(*parts[:own])):
        return
    match parts:
        case ("servers", language, "runtimes", release, _, *_):
            changed.languages.setdefault(language, set()).add(release)
        case ("servers", language, name, file, *below):
            changed.servers.add(f"{language}/{name}")
            if file == "server.toml" and not below:
                changed.manifests.add(f"{language}/{name}")
        case ("servers", language, _):
            changed.languages.setdefault(language, set())
        case ("scenarios", name, _, *_):
            changed.scenarios.add(name)
        case parts if (root / "src" / "webdyno").is_dir():
            changed.shared |= _SHARED.match("/".join(parts)) is not None


def _languages(changed: _ChangedParts, servers: Iterable[Server]) -> dict[str, set[str]]:
    """Those of which one server is to be looked at, with their releases that changed. Shared code
    is proven by a server that is touched itself as well as by another."""
    wanted = dict(changed.languages)
    if changed.shared:
        for server in servers:
            language = server.manifest.language
            own = any(id_.startswith(f"{language}/") for id_ in changed.servers)
            if not own:
                wanted.setdefault(language, set())
    return wanted


def _broadest(servers: Iterable[Server]) -> Server | None:
    return max(servers, key=lambda server: len(server.manifest.scenarios), default=None)
