"""Why a trial has no figure, told as what it was."""

from __future__ import annotations

import traceback
from collections.abc import Collection

from webdyno.runtime.builds.failure_lines import errors_of
from webdyno.runtime.processes.deadline import Overdue, TookTooLong
from webdyno.runtime.processes.ending import how
from webdyno.trial.assessment.assess import failure_of
from webdyno.trial.plan import TrialPlan
from webdyno.trial.state import TrialState, day_ahead_s
from webdyno.trial.turn_taking.neighbours import called_by_others
from webdyno.trial.watching.deprivation import deprivation_of
from webdyno.trial.watching.listeners import answered_by_another
from webdyno.trial.watching.stalls import STOPPED
from webdyno.verifier import Evidence, Mismatch
from webdyno.verifier.stamped import SLACK_S

CLOCK_SET_S = SLACK_S / 2
"""By what the system's clock may have moved in a trial for the times in answers to be judged."""


def of_mismatch(plan: TrialPlan, state: TrialState, mismatch: Mismatch) -> str:
    """Why the trial failed: the counts of wrong answers say more than the one that the verifier
    stumbled on."""
    if foreign := answered_by_another(plan, state) or called_by_others(state.flags):
        return foreign
    if lost := deprivation_of(state.flags):
        return lost
    silent = state.measurement is not None and not state.measurement.counts.ok
    if (silent or mismatch.is_breakdown) and (stood := stopped(state)):
        return stood
    reason = str(mismatch)
    if state.verifier is not None and all(item.ok for item in state.verifier.evidence):
        phase = state.verifier.phase
        state.verifier.evidence.append(Evidence("the server answers", False, reason, phase))
    if state.server is not None and mismatch.is_breakdown:
        state.server.process.wait(0.5)  # Its connections end a moment before it does.
    if state.server is not None and _broke(mismatch, state):
        gone = ended(plan, state)
        if gone and state.verifier is not None:
            # A late answer alone may be the machine's doing; that the server went is its own.
            went = Evidence("the server stays up", False, gone, state.verifier.phase)
            state.verifier.evidence.append(went)
        reason = (gone if silent else f"{gone}; {reason}") if gone else reason
        said = errors_of(state.server.process.log)
        reason += f"; its log says: {said}" if said else ""
    measured = state.measurement
    counted = failure_of(measured, state.flags, plan.load) if measured else ""
    # A server that is gone is the cause; connections that it refused since are not.
    return f"{counted}; {reason}" if counted and not ended(plan, state) else reason


def of_flags(state: TrialState, codes: Collection[str]) -> str:
    """What forbids to rank the server by its flags of these `codes`; empty where none does.

    First what another program took from it, which may be why it served few connections.
    """
    found = [flag for flag in state.flags if flag.code in codes]
    return deprivation_of(found) or next((flag.message for flag in found), "")


def ended(plan: TrialPlan, state: TrialState) -> str:
    """That the server is gone and how, where nobody asked it to go; empty while it lives."""
    code = state.server.process.exit_code() if state.server is not None else None
    if code is None:
        return ""
    at = state.ending.after_s if state.ending is not None else None
    if at is None:
        return f"the server {how(code)}"
    # In turns, most of that time was others'.
    during = "during" if plan.load.in_turns else f"{at:.1f} s into"
    return f"the server {how(code)} {during if at > 0 else 'before'} the measurement"


def stopped(state: TrialState) -> str:
    """That somebody stopped the server, which is why it did not answer; empty where nobody did."""
    if told := [flag.message for flag in state.flags if flag.code == STOPPED]:
        return told[0]
    if state.server is not None and state.server.process.family.stopped():
        return "the server was stopped (SIGSTOP) during the trial"
    return ""


def of_services(state: TrialState) -> str:
    """That a service did not serve: gone, or stopped by somebody; empty where all do. Nothing that
    the server did or said since is its own fault."""
    for service in state.services:
        if lost := service.lost():
            return f"{lost} during the trial"
        if (code := service.process.exit_code()) is not None:
            return f"{service.program} {how(code)} during the trial"
        if service.process.family.stopped():
            return f"{service.program} was stopped (SIGSTOP) during the trial"
    return ""


def of_clock(state: TrialState) -> str:
    """That somebody set the system's clock, by which its verifier judges; empty where nobody did,
    or it does not."""
    moved_s = day_ahead_s() - state.ahead_s
    if state.verifier is None or not state.verifier.reads_the_day or abs(moved_s) < CLOCK_SET_S:
        return ""
    return (
        f"the system's clock was set by {moved_s:+.2f} s during the trial, so that no time in an "
        "answer can be judged; measure again"
    )


def of_deadline(plan: TrialPlan, error: TookTooLong | Overdue) -> str:
    """What took too long; where it was waiting stands in the trial's log."""
    _write(plan, error)
    if isinstance(error, TookTooLong):
        return f"{error}; the log shows where it was waiting"
    told = error.of.message() if error.of else "the run did not end in time"
    return f"ended, because {told}; the log shows where it was waiting"


def _write(plan: TrialPlan, error: BaseException) -> None:
    plan.log.parent.mkdir(parents=True, exist_ok=True)
    with plan.log.open("a", encoding="utf-8", errors="backslashreplace") as log:
        log.writelines(["\n", *traceback.format_exception(error)])


def of_fault(plan: TrialPlan, error: Exception) -> str:
    """What nobody foresaw, of a verifier or of Webdyno: its traceback stands in the trial's log."""
    _write(plan, error)
    said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return f"unexpected fault, with its traceback in the log: {' '.join(said.split())}"


def _broke(mismatch: Mismatch, state: TrialState) -> bool:
    """Whether the server broke down over a question instead of answering it wrongly."""
    dead = state.server is not None and state.server.process.exit_code() is not None
    return dead or mismatch.is_breakdown
