"""Whether a failed trial shows a lie or a mere fault: a lie disqualifies, a fault does not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from webdyno.catalog.scenarios.scenario import Scenario
from webdyno.generators.malformed import in_words
from webdyno.store.records import Measurement
from webdyno.trial.plan import TrialPlan
from webdyno.trial.state import TrialState
from webdyno.trial.turn_taking.neighbours import called_by_others, called_others
from webdyno.trial.watching.deprivation import deprivation_of
from webdyno.trial.watching.listeners import answered_by_another
from webdyno.verifier import Mismatch

_LOST = ("reset", "timed_out", "malformed", "refused")


def lie_of(plan: TrialPlan, state: TrialState, mismatch: Mismatch | None = None) -> str:
    """What the failed trial proves beyond a fault: by the proof or audit that failed, else by the
    load's answers; or that it had another server work for it. Nothing of a server that died, gave
    no answer, shares its port with another program, had to work for one, or lost to one what it was
    given. Empty where there is no lie."""
    if called := called_others(state.flags):
        return called
    if state.server is None or state.server.process.exit_code() is not None:
        return ""
    if answered_by_another(plan, state) or called_by_others(state.flags):
        return ""
    if deprivation_of(state.flags):
        return ""
    if state.measurement is not None and not _answered(state.measurement):
        return ""
    if mismatch is not None and not mismatch.is_breakdown:
        return str(mismatch)
    return _under_load(state.measurement, plan.scenario) if state.measurement else ""


@contextmanager
def lie_before(fault: Mismatch | None) -> Iterator[None]:
    """Prove more of a server in the block, which may have a `fault` that is no lie: else it would
    need one to have its lies go unseen. Raises `Mismatch` for a lie that shows in the block, with
    the fault told after it; where none does, the fault."""
    try:
        yield
    except Mismatch as found:
        if fault is None:
            raise
        if not found.is_breakdown:
            raise found.beside(fault) from None
    if fault is not None:
        raise fault


def _answered(measured: Measurement) -> bool:
    """Whether it answered anything under load, right or wrong."""
    return measured.counts.of(("ok", "failed_check")) > 0


def _under_load(measured: Measurement, scenario: Scenario) -> str:
    """What the answers of the load show: a lost request or a 5xx is no lie, a 200 whose body is
    wrong is one. Empty where there is none."""
    counts = measured.counts
    wrong = counts.failed_check
    if not wrong:
        return ""
    counted = any(
        check.kind == "counter"
        for request in scenario.manifest.requests
        for check in request.checks
    )
    if counted and counts.of(_LOST):
        # A request that was lost may be carried out late, and undo what was counted meanwhile.
        return ""
    first = next((in_words(error.detail) for error in measured.errors_detail), "")
    return f"{wrong} of {counts.sent} answers under load were wrong" + (
        f"; {first}" if first else ""
    )
