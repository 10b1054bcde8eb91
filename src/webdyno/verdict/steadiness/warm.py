"""Whether a server under load is warm: by the work it has done, its runtime's signs, its curves.

A level that holds proves little. A runtime that compiles in tiers runs at one speed until a method
has been called often enough, and then at another (Barrett et al. 2017, Proc. ACM Program. Lang. 1,
OOPSLA, 52), so two seconds of an even curve may lie before the step as well as after it. Three
questions are therefore asked, and each must be answered with yes:

- Has the server done enough work for its runtime to have compiled what is hot?
- Are the threads that compile quiet, where they can be seen?
- Do rate and CPU time per answer hold their levels (`verdict.steadiness.steady`)?
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from webdyno.catalog.loads.warm_up import Bounds
from webdyno.verdict.array import Array
from webdyno.verdict.steadiness.steady import Steady, steady_state

QUIET = 0.03
"""Part of the server's CPU time that compilers may take once they count as quiet. JVMs that had
long been warm were seen at 0.1% to 2%, those still compiling at 5% to 60%."""

WAITING = 0.25
"""How long they may wait for a core meanwhile, beside the server's CPU time. A method that becomes
hot late waits for milliseconds and longer on full cores; compilers that get none, all the time."""

QUIET_S = 2.5
"""Compilers must have been quiet for so long at least ..."""

QUIET_PART = 0.25
"""... and for this part of the warm-up: a slow one has longer pauses between two compilations."""

FOREIGN = 0.05
"""Part of the server's cores that others may use before the rate says more about them than about
the server; then its CPU time per answer alone is judged."""

CHEAPER = 0.15
"""How much less CPU time an answer may take than under the load before."""

COMPILING = 0.05
"""Part of the server's CPU time that its compilers may take while it is measured: what a warm JVM
uses for the rare method that becomes hot late is far less."""

MOST_WINDOWS = 200
"""Longer series are judged in wider windows: the search for changes takes quadratic time."""

GAVE_ONLY = "it had given only"
"""How the reason begins where a server answered, and worked, too little to be warm."""


@dataclass(frozen=True)
class Windows:
    """A load in windows of about a tenth of a second; every array has one value a window.

    `cpu_s` is the server's CPU time, compilers included; `compiler_s` that of its compilers alone,
    `compiler_wait_s` how long these were ready but had no core; `busy_s` how long the server's
    cores were busy, whoever used them but the trial's services and generator. None where it cannot
    be seen.
    """

    ends_s: Array
    answers: Array
    cpu_s: Array | None = None
    compiler_s: Array | None = None
    compiler_wait_s: Array | None = None
    busy_s: Array | None = None

    @property
    def seconds(self) -> float:
        """How long the series is."""
        return float(self.ends_s[-1]) if len(self.ends_s) else 0.0

    def widened(self) -> Windows:
        """The same in at most `MOST_WINDOWS`, each of several; a remainder joins the first."""
        every = -(-len(self.ends_s) // MOST_WINDOWS)
        if every <= 1:
            return self
        first = len(self.ends_s) % every
        at = np.arange(first, len(self.ends_s), every)
        at[0] = 0

        def summed(values: Array | None) -> Array | None:
            return None if values is None else np.add.reduceat(values, at)

        answers = summed(self.answers)
        assert answers is not None
        return Windows(
            self.ends_s[np.append(at[1:] - 1, len(self.ends_s) - 1)],
            answers,
            summed(self.cpu_s),
            summed(self.compiler_s),
            summed(self.compiler_wait_s),
            summed(self.busy_s),
        )


def warm(windows: Windows, bounds: Bounds) -> Steady:
    """Judge a load so far. `reason` of the result says what is missing where it is not steady."""
    if why := _too_little(windows, bounds):
        return Steady(False, None, _rate(windows), "unsure", why)
    if why := _compiling(windows):
        return Steady(False, None, _rate(windows), "never", why)
    judged = _levels(windows.widened())
    if judged.steady:
        return judged
    if judged.kind == "unsure":
        return replace(
            judged, reason="its speed varied too much to tell whether it was still changing"
        )
    return replace(judged, reason="its speed was still changing")


def quiet(windows: Windows, bounds: Bounds) -> Steady:
    """Judge a load on fresh connections so far: steady once its compilers are quiet, however its
    levels vary, since those were judged before."""
    if windows.seconds < bounds.min:
        return Steady(
            False, None, _rate(windows), "unsure", f"only {windows.seconds:.1f} s of load"
        )
    if recompiled(windows) and (why := _compiling(windows)):
        return Steady(False, None, _rate(windows), "never", why)
    return Steady(True, 0.0, _rate(windows), "flat")


def recompiled(windows: Windows) -> str:
    """Why a load on fresh connections, after one that left the server warm, was not like it; empty
    where it was.

    When clients leave, a runtime meets paths for which it has not compiled: HotSpot then throws
    away what it had compiled for the others as well, and starts again (deoptimisation). So a
    server is warm only once its clients have left and come back, and nothing happened.
    """
    if windows.compiler_s is None or windows.cpu_s is None:
        return ""
    ran, waited = _compiling_shares(windows, 0.0)
    if ran <= QUIET and waited <= WAITING:
        return ""
    share = ran + waited
    return f"its runtime was compiling again for fresh connections ({share:.0%} of its CPU time)"


@dataclass(frozen=True)
class AnswerCost:
    """CPU time per answer in microseconds: of the server without its compilers, and of the load
    generator; None where that is not known."""

    server_us: float
    generator_us: float | None = None

    @classmethod
    def of(
        cls, answers: float, server_s: float, generator_s: float | None = None
    ) -> AnswerCost | None:
        """Of so many answers, by the seconds they took in all; None where there were none."""
        server_us = each_us(server_s, answers)
        return None if server_us is None else cls(server_us, each_us(generator_s, answers))


def each_us(spent_s: float | None, answers: float) -> float | None:
    """Microseconds for each of so many answers; None where either is nothing or not known."""
    return 1e6 * spent_s / answers if spent_s and spent_s > 0 and answers else None


def cheaper(before: AnswerCost | None, now: AnswerCost | None) -> str:
    """Why a load was not like the one before, by what their answers cost; empty where it was, or
    where that is not known. Dearer answers say nothing of a cold server.

    A machine that becomes faster, as virtual ones do when their neighbours rest, makes everybody's
    work cheaper, the generator's too, whose work per answer stays the same: what fell for both is
    not the server's.
    """
    if before is None or now is None:
        return ""
    machine = 1.0
    if before.generator_us and now.generator_us:
        machine = min(1.0, now.generator_us / before.generator_us)
    if now.server_us >= (1 - CHEAPER) * machine * before.server_us:
        return ""
    return (
        f"it was still getting faster, as CPU time per answer fell from {before.server_us:,.1f} µs "
        f"under one load to {now.server_us:,.1f} µs under the next"
    )


def _too_little(windows: Windows, bounds: Bounds) -> str:
    if windows.seconds < bounds.min:
        return f"it had not been loaded for {bounds.min:g} s yet"
    answers = float(windows.answers.sum())
    cpu_s = windows.seconds if windows.cpu_s is None else float(windows.cpu_s.sum())
    if answers >= bounds.answers or cpu_s >= bounds.cpu:
        return ""
    return (
        f"{GAVE_ONLY} {answers:,.0f} answers in {cpu_s:.1f} s of CPU time; its runtime may "
        f"compile for {bounds.answers:,} answers or {bounds.cpu:g} s"
    )


def _compiling(windows: Windows) -> str:
    """Why its compilers do not count as quiet; empty where they do, or cannot be seen."""
    if windows.compiler_s is None or windows.cpu_s is None:
        return ""
    since_s = windows.seconds - max(QUIET_S, QUIET_PART * windows.seconds)
    ran, waited = _compiling_shares(windows, since_s)
    if ran > QUIET:
        return f"its runtime was still compiling ({ran:.0%} of its CPU time)"
    if waited > WAITING:
        # A compiler that gets no core has not finished.
        return f"its runtime's compiler was still waiting for a core ({waited:.0%} of its CPU time)"
    return ""


def _compiling_shares(windows: Windows, since_s: float) -> tuple[float, float]:
    """How long its compilers ran, and waited for a core, beside all CPU time of the server from
    then on."""
    assert windows.compiler_s is not None
    assert windows.cpu_s is not None
    last = windows.ends_s > since_s
    all_s = max(float(windows.cpu_s[last].sum()), 1e-9)
    waits = windows.compiler_wait_s
    waited_s = 0.0 if waits is None else float(waits[last].sum())
    return float(windows.compiler_s[last].sum()) / all_s, waited_s / all_s


def _levels(windows: Windows) -> Steady:
    widths = np.diff(windows.ends_s, prepend=0.0)
    rates = windows.answers / np.maximum(widths, 1e-9)
    if windows.cpu_s is None or not windows.cpu_s.any():
        return steady_state(windows.ends_s, rates)
    own = windows.cpu_s if windows.compiler_s is None else windows.cpu_s - windows.compiler_s
    cost = _each(np.maximum(own, 0.0), windows.answers)
    if foreign_share(windows) > FOREIGN:
        # Answers per CPU second: a rate, too, but one that others cannot lower as easily.
        return steady_state(windows.ends_s, 1 / np.maximum(cost, 1e-9))
    return steady_state(windows.ends_s, rates, cost)


def _each(spent: Array, answers: Array) -> Array:
    """CPU time per answer; a window without answers repeats the one before."""
    known = answers > 0
    last = np.maximum.accumulate(np.where(known, np.arange(len(answers)), 0))
    each: Array = (spent / np.maximum(answers, 1.0))[last]
    return each


def foreign_share(windows: Windows) -> float:
    """Part of the time that the server's cores worked for others, over the last quarter."""
    if windows.busy_s is None or windows.cpu_s is None:
        return 0.0
    last = windows.ends_s > 0.75 * windows.seconds
    others = float(windows.busy_s[last].sum() - windows.cpu_s[last].sum())
    return others / max(float(windows.busy_s[last].sum()), 1e-9)


def _rate(windows: Windows) -> float:
    return float(windows.answers[-1] / 0.1) if len(windows.answers) else 0.0
