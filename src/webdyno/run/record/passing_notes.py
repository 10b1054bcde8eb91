"""Notes of how a run stands, which are no longer true once it has gone on."""

from __future__ import annotations

import re
from collections.abc import Sequence

from webdyno.words import duration

NONE_BUILT = "none of the servers could be built"


def not_without(entry: str) -> str:
    """That nothing was measured, because the entry that all are compared with is not there."""
    return f"nothing was measured, because {entry} could not be built"


def to_continue(command: str) -> str:
    """How to go on with a run that was interrupted."""
    return f"to continue: {command}"


def ended_within(block: int, budget_s: float) -> str:
    """In which block, counted from 0, the budget ended."""
    return f"the budget of {duration(budget_s)} ended within block {block + 1}"


def ended_by_the_lab(trials: int, reason: str) -> str:
    """That a run ended since none of its `trials` could be made, the last one for `reason`."""
    return (
        f"ended early: this machine, not a server, failed in all of {trials} trials ({reason}); "
        "mend that, and start anew"
    )


def other_budget(budget_s: float, planned_s: float) -> str:
    """That a run goes on with another budget than its plan was made for."""
    return (
        f"resumed with a budget of {duration(budget_s)}; what is measured, and what is left out, "
        f"was planned for {duration(planned_s)}"
    )


def too_long(entries: Sequence[str]) -> str:
    """Who is given up while the first block shows what trials take."""
    return f"trials take longer than expected: {', '.join(entries)} left out"


def too_short(entries: Sequence[str], blocks_made: int, blocks: int) -> str:
    """Who is given up after `blocks_made` of `blocks` blocks."""
    return (
        f"after {blocks_made} of {blocks} blocks time is too short for all: {', '.join(entries)} "
        "left out from here on"
    )


_PASSING = re.compile(
    "|".join(
        (
            re.escape(NONE_BUILT),
            "nothing was measured, because ",
            "to continue: ",
            r"the budget of [\w. ]+ ended within block ",
            r"resumed with a budget of [\w. ]+; ",
        )
    )
)
_OF_THE_PLAN = re.compile(r"trials take longer than expected: |after \d+ of \d+ blocks time is ")


def lasting_notes(notes: Sequence[str], *, planned_anew: bool) -> list[str]:
    """Those of `notes` that stay true when their run goes on; with another plan, whom the first one
    gave up takes part again."""
    return [
        note
        for note in notes
        if not _PASSING.match(note) and not (planned_anew and _OF_THE_PLAN.match(note))
    ]
