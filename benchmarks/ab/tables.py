"""What was found, as Markdown tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from benchmarks.ab.journal import Line
from benchmarks.ab.shares import Share

WORDS = {"worse": "slower", "better": "faster", "same": "no difference", "open": "not settled"}


def said(lines: Sequence[Line]) -> list[str]:
    """How often which answer was given, by language."""
    rows = [
        f"| language | pairs | {' | '.join(WORDS.values())} |",
        "|---|---:|" + "---:|" * len(WORDS),
    ]
    groups = {name: [one for one in lines if one["language"] == name] for name in _names(lines)}
    for name, those in [*groups.items(), ("all", list(lines))]:
        counts = (sum(one["said"] == word for one in those) for word in WORDS)
        rows.append(f"| {name} | {len(those)} | {' | '.join(map(str, counts))} |")
    return rows


def false_alarms(lines: Sequence[Line]) -> str:
    """Of pairs without a difference, how many were said to have one."""
    wrong = sum(line["said"] in ("worse", "better") for line in lines)
    return f"false alarms: {Share.count(wrong, len(lines))}"


def found(lines: Sequence[Line]) -> str:
    """Of pairs with a slower B, how many were found."""
    right = sum(line["said"] == "worse" for line in lines)
    return f"found: {Share.count(right, len(lines))}"


def _names(lines: Iterable[Line]) -> list[str]:
    return sorted({line["language"] for line in lines})


def calibrations(lines: Sequence[Line]) -> list[str]:
    """How much work was added, and what that is."""
    rows = [
        "| language | wanted | rounds | CPU per request | measured |",
        "|---|---:|---:|---:|---:|",
    ]
    for one in lines:
        measured = f"{one['measured']:+.1%} [{one['low']:+.1%}, {one['high']:+.1%}]"
        rows.append(
            f"| {one['language']} | {one['slower']:.0%} | {one['rounds']} | {one['cpu_us']:.1f} µs "
            f"| {measured} |"
        )
    return rows


def beside(ours: Sequence[Line], others: Sequence[Line]) -> list[str]:
    """The shares of false alarms and of slow-downs found, by tool."""
    rows = [
        "| tool | B is slower by | said to be slower | said to be faster |",
        "|---|---:|---:|---:|",
    ]
    lines = [*({**one, "tool": "webdyno ab"} for one in ours), *others]
    for tool, slower in sorted({(one["tool"], one["slower"]) for one in lines}):
        words = [one["said"] for one in lines if (one["tool"], one["slower"]) == (tool, slower)]
        shares = (Share.count(words.count(word), len(words)) for word in ("worse", "better"))
        rows.append(f"| {tool} | {slower:.1%} | {' | '.join(map(str, shares))} |")
    return rows
