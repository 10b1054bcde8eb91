"""What a measurement is worth: its integrity tests, and whether it counts."""

from __future__ import annotations

from webdyno.catalog.loads.load import Load, Objective
from webdyno.generators.malformed import in_words
from webdyno.generators.result import LoadResult
from webdyno.store.counts import RequestCounts
from webdyno.store.records import FlagRecord, Measurement, Warmup
from webdyno.verdict.integrity import FORBIDS_RANKING, check
from webdyno.verdict.steadiness.warm import COMPILING, AnswerCost, cheaper

LOST_LIMIT = 1e-4
"""A server that leaves more than one request in 10,000 unanswered does less work than the others;
its figures are shown but not ranked."""

_UNANSWERED = ("reset", "timed_out", "refused")


def flags_of(measured: Measurement, load: Load) -> list[FlagRecord]:
    """The integrity tests that the measurement fails."""
    return [FlagRecord(code=flag.code, message=flag.message) for flag in check(measured, load)]


def flags_at_the_end(result: LoadResult) -> list[FlagRecord]:
    """That the end of a closed load hid the slowest answers, or that much of what an open one
    counts was answered after it."""
    flags = []
    if (longest := result.cut_off_us) is not None and result.latency_us is not None:
        message = (
            f"{result.counts.unfinished} of {result.counts.sent} requests had no answer at the "
            f"end, one for {longest / 1e6:.3g} s; measure longer: no latency includes them"
        )
        flags.append(FlagRecord(code="cut-off", message=message))
    if (rate_rps := result.rate_before_end) is not None:
        message = (
            f"{result.ok_after_end} of {result.counts.ok} answers came after the load's end; "
            f"lower the rate: while the load lasted, the server answered {rate_rps:.4g}/s"
        )
        flags.append(FlagRecord(code="answered-after-end", message=message))
    return flags


def why_not_steady(
    warmup: Warmup,
    measured: Measurement | None = None,
    before: AnswerCost | None = None,
    compiler_s: float | None = None,
) -> str:
    """Why the trial is not shown to be that of a warm server; empty where it is.

    `before` is what an answer cost in the load before the measurement, `compiler_s` the CPU time
    of the server's compilers during it, where they can be seen.
    """
    if not warmup.steady:
        why = warmup.reason or "it never became steady"
        return f"after {warmup.seconds:.1f} s of warm-up {why}"
    if measured is None:
        return ""
    spent_s = {role: use.user_s + use.system_s for role, use in measured.cpu.items()}
    cpu_s = max(spent_s["server"], 1e-9)
    if compiler_s is not None and compiler_s > COMPILING * cpu_s:
        return (
            f"its runtime was compiling while it was measured ({compiler_s / cpu_s:.0%} of its CPU "
            "time)"
        )
    own_s = cpu_s - (compiler_s or 0.0)
    return cheaper(before, AnswerCost.of(measured.counts.ok, own_s, spent_s.get("generator")))


def steadiness_flags(warmup: Warmup, why: str) -> list[FlagRecord]:
    """The doubt that `why` raises, by the way the warm-up ended."""
    if not why:
        return []
    code = "never-steady" if warmup.kind == "never" or warmup.steady else "perhaps-cold"
    return [FlagRecord(code=code, message=f"{why}; the trial settles nothing: raise warmup.max")]


def failure_of(measured: Measurement, flags: list[FlagRecord], load: Load) -> str:
    """Why the measurement must not count; empty where it may.

    An objective says itself how many requests may fail; wrong answers no load forgives. They are
    told first: that no answer counted, or that figures contradict each other, follows from them.
    """
    counts = measured.counts
    by_objective = isinstance(load, Objective)
    kinds = ("failed_check", "malformed", *(() if by_objective else ("wrong_status",)))
    if counts.of(kinds):
        told = f"wrong answers under load: {counts.text_of(kinds)} of {counts.sent:,}"
        first = next((in_words(error.detail) for error in measured.errors_detail), "")
        return told + (first and f"; {first}")
    for flag in flags:
        if flag.code in FORBIDS_RANKING:
            return flag.message
    lost = counts.of(_UNANSWERED)
    if not by_objective and lost > LOST_LIMIT * counts.offered:
        return never_answered(counts)
    return ""


def never_answered(counts: RequestCounts) -> str:
    """How many requests were never answered, as it is told."""
    return f"{counts.of(_UNANSWERED)} of {counts.offered} requests were never answered"
