"""What servers answer differently: "not the same work", each difference told once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webdyno.report.numbers import listed

if TYPE_CHECKING:
    from webdyno.store.records import RunRecord


Groups = tuple[tuple[str, tuple[str, ...]], ...]
"""Values, each with the servers that have it."""


@dataclass(frozen=True)
class Unlike:
    """A difference, and the scenarios in which it was seen."""

    what: str
    usual: str
    others: tuple[tuple[str, str], ...]
    """Values that depart from the usual one, each with the servers that have it."""
    why: str
    scopes: str


def unlike(run: RunRecord) -> list[Unlike]:
    """The differences of `run`, what may be work first; the same one in several scenarios once."""
    found: dict[tuple[str, Groups, str], list[str]] = {}
    for one in run.differences:
        groups = tuple((value, tuple(servers)) for value, servers in one.groups)
        scopes = found.setdefault((one.what, groups, one.why), [])
        if one.scenario not in scopes:
            scopes.append(one.scenario)
    shown = []
    for (what, groups, why), scopes in found.items():
        (usual, _), *others = groups
        shown.append(
            Unlike(
                what=what,
                usual=usual,
                others=tuple((value, listed(servers)) for value, servers in others),
                why=why,
                scopes=listed(sorted(scopes)),
            )
        )
    return sorted(shown, key=lambda one: not one.why)


def sentences(run: RunRecord) -> list[str]:
    """One line a difference, for a terminal."""
    return [
        f"{one.what}: {one.usual}; but "
        + "; ".join(f"{value}: {servers}" for value, servers in one.others)
        + (f" ({one.why})" if one.why else "")
        + f"; in {one.scopes}"
        for one in unlike(run)
    ]
