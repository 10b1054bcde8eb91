"""What differs between servers beside the framework: a table made from their manifests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webdyno.catalog.terms.parts import TITLES, UNSAID
from webdyno.report.numbers import MISSING

if TYPE_CHECKING:
    from webdyno.store.records import RunRecord


@dataclass(frozen=True)
class Parts:
    """`rows` are an entry and a cell for each of `columns`; `same` names what does not differ."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    same: tuple[str, ...]


def table(run: RunRecord) -> Parts:
    """What the work of the run's scenarios goes through; empty where no manifest says anything."""
    stated = {kind for server in run.servers for kind in server.parts}
    kinds = [kind for kind in TITLES if kind in stated]
    values = {
        kind: list(dict.fromkeys(server.parts.get(kind, "") for server in run.servers))
        for kind in kinds
    }
    differing = [kind for kind in kinds if len(values[kind]) > 1]
    return Parts(
        columns=tuple(TITLES[kind] for kind in differing),
        rows=tuple(
            (
                server.entry,
                tuple(server.parts.get(kind) or UNSAID.get(kind, MISSING) for kind in differing),
            )
            for server in run.servers
            if differing
        ),
        same=tuple(
            f"{TITLES[kind]}: the same in all: {values[kind][0]}."
            for kind in kinds
            if kind not in differing and len(run.servers) > 1
        ),
    )
