"""A run that hangs: what it waits for is ended, and the run with it.

Steps of trials have limits of their own. This one holds whatever they leave open.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from webdyno.run.blocks.context import RunContext
from webdyno.runtime.processes.deadline import TookTooLong, deadline
from webdyno.store.agenda import PlanRecord
from webdyno.trial.events import Noted

OVERRUN = 3.0
"""How many times as long as they should the trials of a run may take before what hangs is ended."""

LEAST_S = 300.0
"""But no less than this, in seconds: a first trial may be slow."""


@contextmanager
def in_time(context: RunContext, plan: PlanRecord) -> Iterator[None]:
    """Make the trials of a run within its limit; the trial under way then is an error, and the run
    has a note of it.

    The limit is `OVERRUN` times what is left of the budget, or what the longest block was expected
    to take, since a block is begun however small the budget is.
    """
    block_s = max(sum(cell.seconds.values()) for cell in plan.cells)
    expected_s = max(context.budget.left(), block_s)
    limit_s = max(LEAST_S, OVERRUN * expected_s)
    try:
        with deadline(limit_s, "the run's trials") as context.limit:
            yield
    except TookTooLong:
        pass  # It was between two trials.
    if is_over(context):
        message = (
            f"stopped after {limit_s:,.0f} s instead of about {expected_s:,.0f} s: something hung; "
            "see the last trial and its log"
        )
        context.run.notes.append(message)
        context.listener(Noted(text=message))


def is_over(context: RunContext) -> bool:
    """Whether the run has come to its limit."""
    return context.limit is not None and context.limit.passed
