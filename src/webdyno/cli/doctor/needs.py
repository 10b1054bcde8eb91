"""The programs that servers need: found or missing, and packages that are out of reach."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from webdyno.catalog.servers.server import Server
    from webdyno.runtime.toolchains import Toolchain


@dataclass(frozen=True)
class Need:
    """A toolchain and what needs it."""

    spec: str
    toolchain: Toolchain
    needed_by: list[str]
    optional: bool


def needs_of(servers: Iterable[Server]) -> list[Need]:
    """Every toolchain that the servers name, and the optional programs, looked for side by side."""
    from webdyno.runtime.programs import programs
    from webdyno.runtime.toolchains import find

    wanted: dict[str, list[str]] = {}
    for server in servers:
        if server.manifest.status == "ok":
            for spec in server.manifest.toolchain:
                wanted.setdefault(spec, []).append(server.id)
    named = {spec.split()[0] for spec in wanted}
    optional = [name for name, program in programs().items() if program.use and name not in named]
    specs = [*wanted, *optional]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(find, specs))
    return [
        Need(spec, toolchain, wanted.get(spec, []), optional=spec not in wanted)
        for spec, toolchain in zip(specs, found, strict=True)
    ]


def unfetched_of(servers: Iterable[Server], present: Collection[str]) -> dict[str, list[str]]:
    """Servers whose packages are out of reach, by the reason: those that could be built else,
    because all their toolchains are among the specs `present`."""
    from webdyno.runtime.builds.repositories import mirrored, out_of_reach

    def reason(server: Server) -> str:
        build = server.manifest.build
        return out_of_reach(mirrored(build.repositories, server.manifest.language, server.folder))

    asked = [
        server
        for server in servers
        if server.manifest.status == "ok"
        and server.manifest.build.repositories
        and set(server.manifest.toolchain) <= set(present)
    ]
    with ThreadPoolExecutor(8) as pool:
        reasons = list(pool.map(reason, asked))
    found: dict[str, list[str]] = {}
    for server, why in zip(asked, reasons, strict=True):
        if why:
            found.setdefault(why, []).append(server.id)
    return found


def show_unfetched(console: Console, unfetched: Mapping[str, list[str]]) -> None:
    """Print which servers cannot be built because their packages cannot be had, by the reason."""
    from webdyno.runtime.builds.build import MIRRORS
    from webdyno.words import listed

    for reason, names in unfetched.items():
        said = f"{reason}: the packages of {listed(names)} come from there; {MIRRORS}"
        _say_with_aside(console, said, "until then, runs leave them out")


def _say_with_aside(console: Console, text: str, aside: str) -> None:
    """`text`, with `aside` in brackets if there is one."""
    from rich.text import Text

    from webdyno.report.layout import say

    say(console, Text.assemble(text, (f" ({aside})", "dim") if aside else ""))


def show_needs(console: Console, needs: list[Need]) -> None:
    """Print what is there and what is missing, with how to install it."""
    from rich.text import Text

    from webdyno.report.layout import CellText, Column, table
    from webdyno.runtime.programs import programs

    known = programs()
    columns = [Column(""), Column("needed"), Column("found"), Column("for")]
    rows: list[list[CellText]] = []
    for need in needs:
        toolchain = need.toolchain
        mark, style = ("✓", "green") if toolchain.ok else ("✗", "red")
        if need.optional and not toolchain.ok:
            mark, style = "–", "yellow"
        version = toolchain.found_version or ("yes" if toolchain.path else "no")
        version = "no answer" if toolchain.silent else version
        use = known[toolchain.name].use if need.optional else _summary(need.needed_by)
        rows.append([Text(mark, style=style), need.spec, version, use])
    console.print(Text("Programs", style="bold"))
    console.print(table(columns, rows, console.width))
    lacking = [need for need in needs if not need.toolchain.ok]
    if not all(need.optional for need in lacking):
        # Runs go on without them: no error.
        console.print("Runs leave out servers whose programs are missing:")
    for need in _newest_wanted(lacking):
        kind = ["optional"] if need.optional else []
        aside = "; ".join([*kind, *filter(None, [known[need.toolchain.name].meanwhile])])
        told = need.toolchain.lacks or need.toolchain.silent
        short = f" ({need.toolchain.shortfall})" if told else ""
        _say_with_aside(console, f"{need.spec}{short}: {need.toolchain.install_hint}", aside)
    if not lacking:
        console.print("Nothing is missing.")


def _newest_wanted(lacking: list[Need]) -> list[Need]:
    """`lacking` without an older version of a program of which a newer one is wanted as well: to
    install that one is enough for both."""
    from webdyno.runtime.toolchains import at_least

    def is_covered(need: Need) -> bool:
        mine = need.toolchain
        return any(
            other.name == mine.name
            and other.minimum != mine.minimum
            and at_least(other.minimum, mine.minimum)
            and not (mine.lacks or mine.silent or other.lacks or other.silent)
            for other in (one.toolchain for one in lacking)
        )

    return [need for need in lacking if not is_covered(need)]


def _summary(names: list[str], shown: int = 3) -> str:
    more = f" and {len(names) - shown} more" if len(names) > shown else ""
    return ", ".join(names[:shown]) + more
