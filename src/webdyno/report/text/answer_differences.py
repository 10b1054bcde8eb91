"""What servers answer differently, each difference told once, and whether it may be work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webdyno.report.numbers import counted
from webdyno.words import listed

if TYPE_CHECKING:
    from webdyno.store.findings import DifferenceRecord
    from webdyno.store.records import RunRecord


Groups = tuple[tuple[str, tuple[str, ...], int], ...]
"""Values, each with the servers that have it, and how many bytes more than the usual one it is."""

WHOLE = ("status", "body", "size")
"""What may differ of an answer besides its headers."""


@dataclass(frozen=True)
class DifferenceText:
    """A difference, and the scenarios in which it was seen."""

    what: str
    """`status`, `body`, `size`, or `header` and its name."""
    usual: str
    usual_of: str
    """The servers that have the usual value, where they are not most of them; else empty."""
    others: tuple[tuple[str, str], ...]
    """Values that depart from the usual one (`gunicorn, 18 bytes more`), each with its servers."""
    why: str
    scopes: str


def verdict(run: RunRecord) -> str:
    """What the differences come to, as a heading; empty where no answers were compared."""
    if any(one.why for one in run.differences):
        return "Not the same work"
    if run.differences:
        return "The same work, apart from a few bytes"
    return "The same work" if any(trial.answer for trial in run.trials) else ""


def difference_texts(run: RunRecord) -> list[DifferenceText]:
    """The differences of `run`, what may be work first; the same one in several scenarios once."""
    found: dict[tuple[str, Groups, str], list[str]] = {}
    for one in run.differences:
        scopes = found.setdefault((one.what, _groups(one), one.why), [])
        if one.scenario not in scopes:
            scopes.append(one.scenario)
    shown = []
    for (what, groups, why), scopes in found.items():
        (usual, alike, _), *others = groups
        most = len(alike) > sum(len(servers) for _, servers, _ in others)
        shown.append(
            DifferenceText(
                what=what if what in WHOLE else f"header {what}",
                usual=usual,
                usual_of="" if most else listed(alike),
                others=tuple(
                    (f"{value}{_more(more)}", listed(servers)) for value, servers, more in others
                ),
                why=why,
                scopes=listed(sorted(scopes)),
            )
        )
    return sorted(shown, key=lambda one: not one.why)


def sentences(run: RunRecord) -> list[str]:
    """One line a difference, for a terminal or a list; where it was seen, if not everywhere."""
    scopes = listed(sorted({trial.scenario for trial in run.trials}))
    return [
        ("" if one.scopes == scopes else f"in {one.scopes}, ")
        + f"{one.what}: "
        + (f"{one.usual} from {one.usual_of}; " if one.usual_of else f"mostly {one.usual}; ")
        + "; ".join(f"{value} from {servers}" for value, servers in one.others)
        + (f" ({one.why})" if one.why else "")
        for one in difference_texts(run)
    ]


def _groups(one: DifferenceRecord) -> Groups:
    sizes = one.sizes or [0] * len(one.groups)
    return tuple(
        (value, tuple(servers), size - sizes[0])
        for (value, servers), size in zip(one.groups, sizes, strict=True)
    )


def _more(count: int) -> str:
    if not count:
        return ""
    return f", {counted(abs(count), 'byte')} {'more' if count > 0 else 'fewer'}"
