"""What load tools do to their own figures, as far as it bears on arithmetic."""

from __future__ import annotations

from webdyno.catalog.loads.abilities import GENERATORS, Figures, abilities_of

_OTHERS = {name: Figures(keeps_cookies=False) for name in ("wrk2", "ab", "hey", "oha")}
"""Tools of write-ups that make no load here."""


def tool(name: str) -> Figures:
    """What is known of the tool; nothing is held against one that is not known."""
    name = name.lower()
    return abilities_of(name).figures if name in GENERATORS else _OTHERS.get(name, Figures())
