"""Runs that are not finished: whether one is still being made, and how to go on with the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webdyno.store.records import RunRecord
    from webdyno.store.store import Store

UNDER_WAY = "running"


def state_of(id_: str, status: str, store: Store) -> str:
    """The status of a stored run as it is told. One that was killed is left marked as running, but
    nobody makes it: it is `unfinished`."""
    from webdyno.cli import context
    from webdyno.run.record.writer import under_way

    killed = status == UNDER_WAY and not under_way(id_, context.home().runs / id_, store)
    return "unfinished" if killed else status


def how_to_finish(run: RunRecord) -> str:
    """What to do with a run that has stopped, as an order. It depends on the command that made it:
    `run` goes on with servers of the catalog alone."""
    match run.made_by:
        case "gate":
            return f"repeat its command with --resume {run.id} to finish it"
        case "ab" | "check":
            return "repeat its command, since a comparison cannot be continued"
        case "outdated":
            return (
                "compare what was updated by `webdyno check --since COMMIT`, since this run "
                "cannot be continued"
            )
    machines = " --machines" if run.machines.several else ""
    return f"finish it (`webdyno run --resume {run.id}{machines}`)"
