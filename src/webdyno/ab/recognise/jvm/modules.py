"""A build of several modules, each with a folder of its own for what is built."""

from __future__ import annotations

from collections.abc import Sequence

from webdyno.ab.recognise.recognised import MOST_NAMED, NAME
from webdyno.report.numbers import first_of


def which_module(modules: Sequence[str], keys: str) -> str:
    """What the owner has to say where it is not clear which of `modules` is the service; empty
    where there are none."""
    if not modules:
        return ""
    return (
        f"the build has {len(modules)} modules; replace {NAME}, in {keys}, with the folder of the "
        f"one that is the service: {first_of(modules, MOST_NAMED)}"
    )
