"""Runs that are not finished: whether one is still being made, and how to go on with the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webdyno.store.store import Store

UNDER_WAY = "running"


def state_of(id_: str, status: str, store: Store) -> str:
    """The status of a stored run as it is told. One that was killed is left marked as running, but
    nobody makes it: it is `unfinished`."""
    from webdyno.cli import context
    from webdyno.run.record.writer import under_way

    killed = status == UNDER_WAY and not under_way(id_, context.home().runs / id_, store)
    return "unfinished" if killed else status


def how_to_finish(id_: str, study: str) -> str:
    """What to do with a run of `study` that has stopped, as an order."""
    from webdyno.catalog.made_names import is_of_ab, is_of_gate

    if is_of_ab(study):
        return "repeat its command, since a comparison cannot be continued"
    if is_of_gate(study):
        return f"finish it by its command with --resume {id_}"
    return f"finish it (`webdyno run --resume {id_}`)"
