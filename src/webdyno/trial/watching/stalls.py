"""Whether a server stood still under load: how long nothing was answered, and who was stopped.

A closed load sends nothing while all of its connections wait, so its quantiles hold a stall of
three seconds as a handful of slow answers, and at the end of the load as none at all.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from webdyno.catalog.loads.load import Closed, Load
from webdyno.generators.progress import Tick
from webdyno.runtime.processes.family import Family
from webdyno.store.records import FlagRecord, Measurement

STALL_S = 1.0
"""A stall is no shorter than this, in seconds ..."""
GAPS = 20.0
"""... nor than so many times the usual time from one answer to the next ..."""
MEDIANS = 4.0
"""... nor than so many times the median latency, since slow answers may come all at once."""

AWAY_SHARE = 0.1
"""Part of a closed load from which on a stall makes its figures those of another load."""

_LOOK_S = 0.3
"""Without an answer for so long, it is asked whether somebody is stopped."""

STOPPED, STALLED, AWAY, STOOD = "stopped", "stalled", "stalled-long", "lab-stood-still"
"""Codes of the flags."""

NOT_RANKED = frozenset({STOPPED, AWAY, STOOD})
"""Codes of a load that was not the one which was asked for."""


@dataclass
class _Gap:
    """A time without answers, in seconds of the load."""

    begin_s: float = 0.0
    length_s: float = 0.0


@dataclass
class Stalls:
    """What was seen of a load. `families` are those of the server and of its services, by name."""

    families: Mapping[str, Family]
    _since_s: float = 0.0
    """The end of the last window that had an answer."""
    _last: tuple[float, float] | None = None
    """The last look, by the load's clock and by ours."""
    _longest: _Gap = field(default_factory=_Gap)
    _stood: _Gap = field(default_factory=_Gap)
    _stopped: dict[str, tuple[float, float, float]] = field(default_factory=dict)
    """Who was seen stopped: from when by the load's clock, and from and to when by ours."""

    def look(self, elapsed_s: float, ticks: Sequence[Tick], alone: bool = True) -> None:
        """Take how far the load is, and its windows since the last look: none of a generator that
        does not tell. Not `alone`: others had their turn since the last look, and who stands still
        now was stopped by us."""
        now = time.monotonic()
        before, self._last = self._last, (elapsed_s, now)
        if before is None or elapsed_s < before[0]:  # Another load, such as a search's next step.
            self._since_s = 0.0
            before = None
        late_s = before[0] - ticks[0][0] if before and ticks else 0.0
        if late_s > max(STALL_S, self._stood.length_s):
            # Windows end by the clock, whatever the server does: nobody was there to end them.
            self._stood = _Gap(ticks[0][0], late_s)
        silent_s = 0.0
        for end_s, answers, errors in ticks:
            if answers or errors:
                self._since_s = end_s
            silent_s = end_s - self._since_s
            if silent_s > self._longest.length_s:
                self._longest = _Gap(self._since_s, silent_s)
        if not alone or before is None:
            return
        away_s = now - before[1]
        # Where the load went on meanwhile, it was only we who were slow to look.
        if away_s > max(STALL_S, self._stood.length_s) and silent_s > away_s / 2:
            self._stood = _Gap(before[0], away_s)
        elif silent_s >= _LOOK_S:
            self.look_for_stopped(self._since_s)

    def look_for_stopped(self, at_s: float | None = None) -> None:
        """Note who is stopped at this moment."""
        at_s = at_s if at_s is not None else self._last[0] if self._last else 0.0
        now = time.monotonic()
        for name, family in self.families.items():
            if family.stopped():
                since = self._stopped.get(name, (at_s, now, now))
                self._stopped[name] = (since[0], since[1], now)

    def flags(self, measured: Measurement, load: Load) -> list[FlagRecord]:
        """What it means for the figures; `NOT_RANKED` names the codes that forbid to rank."""
        gap, waited = self._longest, _waited(measured, load)
        if self._stood.length_s > STALL_S:
            stood = self._stood
            return [
                FlagRecord(
                    code=STOOD,
                    message=f"the load generator itself stood still for {stood.length_s:.1f} s, "
                    f"{stood.begin_s:.1f} s into the load; measure it again",
                )
            ]
        if self._stopped:
            name, (at_s, since, until) = next(iter(self._stopped.items()))
            length_s = max(until - since, gap.length_s)
            return [
                FlagRecord(
                    code=STOPPED,
                    message=f"{name} was stopped (SIGSTOP) for {length_s:.1f} s, {at_s:.1f} s into "
                    f"the load, while {waited} waited; measure it again",
                )
            ]
        if gap.length_s < _least_s(measured):
            return []
        long = isinstance(load, Closed) and gap.length_s >= AWAY_SHARE * measured.elapsed_s
        return [
            FlagRecord(
                code=AWAY if long else STALLED,
                message=f"it gave no answer for {gap.length_s:.1f} s, {gap.begin_s:.1f} s into the "
                f"load, while {waited} waited; a closed load's quantiles hardly show that: see its "
                "log, or use an open load"
                if isinstance(load, Closed)
                else f"it gave no answer for {gap.length_s:.1f} s, {gap.begin_s:.1f} s into the "
                "load; see its log",
            )
        ]


def _least_s(measured: Measurement) -> float:
    """How long nothing has to be answered before it is a stall."""
    latency, answers = measured.latency_us, measured.counts.ok
    if latency is None or not answers:
        return float("inf")  # That it never answered is told by its counts.
    usual_s = measured.elapsed_s / answers
    return max(STALL_S, GAPS * usual_s, MEDIANS * latency.p50 / 1e6)


def _waited(measured: Measurement, load: Load) -> str:
    """How many requests were under way meanwhile: as many as there are connections, which a closed
    load keeps busy."""
    if isinstance(load, Closed):
        return f"{load.settled_connections} requests"
    return "the requests under way"
