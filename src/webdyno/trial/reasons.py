"""Why a trial has no figure, told as what it was."""

from __future__ import annotations

import traceback

from webdyno.runtime.deadline import Overdue, TookTooLong
from webdyno.runtime.telling import errors_of
from webdyno.trial.assess import failure_of
from webdyno.trial.course import Course
from webdyno.trial.ending import how
from webdyno.trial.plan import TrialPlan
from webdyno.trial.stalls import STOPPED
from webdyno.verifier import Evidence, Mismatch


def of_mismatch(plan: TrialPlan, course: Course, mismatch: Mismatch) -> str:
    """Why the trial failed: the counts of wrong answers say more than the one that the verifier
    stumbled on."""
    silent = course.measurement is not None and not course.measurement.counts.get("ok")
    if (silent or mismatch.is_breakdown) and (stood := stopped(course)):
        return stood
    reason = str(mismatch)
    if course.verifier is not None and all(item.ok for item in course.verifier.evidence):
        phase = course.verifier.phase
        course.verifier.evidence.append(Evidence("the server answers", False, reason, phase))
    if course.server is not None and mismatch.is_breakdown:
        course.server.process.wait(0.5)  # Its connections end a moment before it does.
    if course.server is not None and _broke(mismatch, course):
        gone = ended(plan, course)
        reason = (gone if silent else f"{gone}; {reason}") if gone else reason
        said = errors_of(course.server.process.log)
        reason += f"; its log says: {said}" if said else ""
    measured = course.measurement
    counted = failure_of(measured, course.flags, plan.load) if measured else ""
    # A server that is gone is the cause; connections that it refused since are not.
    return f"{counted}; {reason}" if counted and not ended(plan, course) else reason


def ended(plan: TrialPlan, course: Course) -> str:
    """That the server is gone and how, where nobody asked it to go; empty while it lives."""
    code = course.server.process.exit_code() if course.server is not None else None
    if code is None:
        return ""
    at = course.ending.after_s if course.ending is not None else None
    if at is None or plan.load.in_turns:  # In turns, most of that time was others'.
        return f"the server {how(code)}"
    when = f"{at:.1f} s into" if at > 0 else "before"
    return f"the server {how(code)} {when} the measurement"


def stopped(course: Course) -> str:
    """That somebody stopped the server, which is why it did not answer; empty where nobody did."""
    if told := [flag.message for flag in course.flags if flag.code == STOPPED]:
        return told[0]
    if course.server is not None and course.server.process.family.stopped():
        return "the server was stopped (SIGSTOP) in the midst of the trial"
    return ""


def of_services(course: Course) -> str:
    """That a service did not serve: gone, or stopped by somebody; empty where all do. Nothing that
    the server did or said since is its own fault."""
    for service in course.services:
        if (code := service.process.exit_code()) is not None:
            return f"{service.program} {how(code)} in the midst of the trial"
        if service.process.family.stopped():
            return f"{service.program} was stopped (SIGSTOP) in the midst of the trial"
    return ""


def of_deadline(plan: TrialPlan, error: TookTooLong | Overdue) -> str:
    """What took too long; where it was waiting stands in the trial's log."""
    _write(plan, error)
    if isinstance(error, TookTooLong):
        return f"{error}; the log shows where it waited"
    told = error.of.told() if error.of else "the run did not end in time"
    return f"ended, because {told}; the log shows where it waited"


def _write(plan: TrialPlan, error: BaseException) -> None:
    plan.log.parent.mkdir(parents=True, exist_ok=True)
    with plan.log.open("a", encoding="utf-8", errors="backslashreplace") as log:
        log.writelines(["\n", *traceback.format_exception(error)])


def of_fault(plan: TrialPlan, error: Exception) -> str:
    """What nobody foresaw, of a verifier or of Webdyno: its traceback stands in the trial's log."""
    _write(plan, error)
    said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return f"unexpected fault, with its traceback in the log: {' '.join(said.split())}"


def _broke(mismatch: Mismatch, course: Course) -> bool:
    """Whether the server broke down over a question instead of answering it wrongly."""
    dead = course.server is not None and course.server.process.exit_code() is not None
    return dead or mismatch.is_breakdown
