"""Two running services compared: loaded in turns, neither started, frozen, nor stopped.

Both keep running, so what is compared is these two processes; a restart may change either by a few
percent, which no interval here knows of.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from webdyno.ab.conclusion.about import NOTHING, About, evidence_sentence
from webdyno.ab.conclusion.answer import ComparisonAnswer, conclude
from webdyno.ab.conclusion.answer_differences import AnswersCompared, compare_answers
from webdyno.ab.conclusion.broken import BrokenVersion
from webdyno.ab.conclusion.claims import Claim, Pace, claim_of
from webdyno.ab.conclusion.words import rate_text
from webdyno.ab.running.asking import answers_of
from webdyno.ab.running.listeners import ListeningService
from webdyno.ab.running.loads import BrokenServiceError, RunningLoads
from webdyno.ab.running.table import ENTRIES, BlockFigures, verdict_of
from webdyno.ab.running.turns import Turns, turns_note, turns_of
from webdyno.ab.study.confidence import (
    ALONE,
    FULL,
    STEADY,
    claims_about_all,
    claims_under,
    confidences,
)
from webdyno.ab.study.lengths import lengths_of
from webdyno.ab.study.proof import scenario_of
from webdyno.catalog.descriptions.description import Description
from webdyno.catalog.descriptions.service_request import ServiceRequest
from webdyno.catalog.loads.load import Closed, Load, Open
from webdyno.catalog.scenarios.scenario import Scenario
from webdyno.catalog.terms import quantity
from webdyno.catalog.terms.quantity import Phase, phase_text
from webdyno.catalog.terms.request_line import parse_line
from webdyno.errors import UserError
from webdyno.generators.result import LoadResult
from webdyno.redaction import without_secrets
from webdyno.runtime.machine.place import place
from webdyno.trial.loads.single_user import nearly_all_s, single_user
from webdyno.verdict.sequential.looks import LEAST_BLOCKS, Looks
from webdyno.verifier import Mismatch
from webdyno.words import listed

WARM_UP_S = 3.0
"""And a tenth of the budget where that is shorter."""

Note = Callable[[str], None]


class RunningComparison:
    """Two running services under the loads of a description."""

    def __init__(
        self,
        services: Sequence[ListeningService],
        description: Description,
        folder: Path,
        note: Note,
        status: int | None = None,
        steady_connections: int | None = None,
    ) -> None:
        """`folder` is for the scenario. A description without requests asks for what the URLs name,
        whose right status is `status`, any 2xx where that is None. `steady_connections` is the most
        that the steady load has in flight; None leaves it to the load. Raises `UserError` where
        there is nothing to ask."""
        if not description.requests:
            if services[0].path != services[1].path:
                raise UserError("the two URLs differ in their paths; give --request for both")
            named_request = {**parse_line(f"GET {services[0].path}"), "status": status}
            service_request = ServiceRequest.model_validate(named_request)
            description = description.model_copy(update={"requests": [service_request]})
        self._services = dict(zip(ENTRIES, (*services, services[0]), strict=True))
        self._description, self._note = description, note
        self._work: Scenario = scenario_of(description, folder)
        placement = place()
        self._cpus = placement.generator
        keys, self._lengths = description.load, lengths_of(description)
        self._full = Closed(
            kind="closed", name=FULL, connections=keys.connections, duration=self._lengths.full_s,
            timeout=keys.timeout,
        ).settled(len(self._cpus), len(placement.server))  # fmt: skip
        self._alone = self._full.model_copy(update={"name": ALONE, "connections": 1})
        self._steady: Open | None = None
        self._steady_connections = steady_connections
        self._turns: dict[str, Turns] = {}
        self.interrupted = False
        """Whether the user ended it."""
        self._compared, self._claims_made = AnswersCompared(0), list[Claim]()
        self._broken: list[BrokenVersion] = []
        self._figures, self._blocks, self._spent_s = BlockFigures(), 0, 0.0
        self._loads = RunningLoads(self._services, self._work, self._cpus)
        kinds = description.kinds()
        claims = [claim for claim in claims_about_all(kinds) if self._can(claim.metric)]
        self._confidences = confidences(description, claims)

    def run(self) -> ComparisonAnswer:
        """Compare them within the description's budget. One that does not do its work, at first or
        later, is the answer. An interrupt ends it, and what it showed so far is the answer."""
        try:
            self._compare()
        except BrokenServiceError as error:
            self._broken.append(error.version)
        except KeyboardInterrupt:
            self.interrupted = True
        kinds = self._description.kinds()
        return conclude(
            self._about(kinds), self._claims_made, self._broken, self._compared,
            self._figures.secondary_figures(kinds[0]), self._notes(),
        )  # fmt: skip

    def _compare(self) -> None:
        """Ask both, and load them until all is settled or the budget is spent. Raises
        `BrokenServiceError`."""
        description, started = self._description, time.monotonic()
        self._compared = self._ask()
        if fault := self._compared.fault:
            raise BrokenServiceError("b", fault)
        kinds = description.kinds()
        self._warm_up(kinds, started)
        began = time.monotonic()
        looks = Looks(planned=LEAST_BLOCKS, late=True)
        while self._blocks < looks.planned:
            self._block(kinds)
            self._blocks += 1
            self._spent_s = time.monotonic() - began
            if self._blocks == LEAST_BLOCKS:
                # Before anything is looked at, by what blocks take and nothing else.
                left_s = description.budget - (began - started)
                fit = int(left_s * self._blocks / self._spent_s)
                looks = replace(looks, planned=max(self._blocks, fit))
            self._claims_made = self._claims(
                looks, Pace(looks.planned, self._spent_s / self._blocks)
            )
            if self._blocks >= LEAST_BLOCKS and all(
                one.outcome != "open" for one in self._claims_made if one.decides
            ):
                break

    def _warm_up(self, kinds: Sequence[str], started: float) -> None:
        """Warm both up, and see how long their answers take."""
        rate_rps = min(self._first_rate_rps(entry) for entry in ENTRIES[:2])
        # What a load may take, so that the fewest blocks stay within the budget.
        left_s = self._description.budget - (time.monotonic() - started)
        most_s = left_s / (LEAST_BLOCKS * len(ENTRIES) * len(kinds))
        lengths = {ALONE: self._lengths.full_s, STEADY: self._lengths.steady_s}
        in_flight_s = (self._full.connections or 1) / rate_rps
        self._turns = {FULL: turns_of(in_flight_s, self._lengths.full_s, most_s)}
        if one_by_one := [kind for kind in (ALONE, STEADY) if kind in kinds]:
            alone_s = max(self._alone_s(entry) for entry in ENTRIES[:2])
            self._turns |= {kind: turns_of(alone_s, lengths[kind], most_s) for kind in one_by_one}
        self._full = _lasting(self._full, self._turns[FULL])
        if ALONE in kinds:
            self._alone = _lasting(self._alone, self._turns[ALONE])
        if STEADY in kinds:
            self._steady = self._steady_load(rate_rps)

    def _about(self, kinds: Sequence[str]) -> About:
        description = self._description
        a, b = self._services["a"], self._services["b"]
        how = turns_note(self._turns[kind] for kind in kinds if kind in self._turns)
        confidence, margin = description.confidence, description.margin
        return About(
            service=description.name or "service",
            names=(without_secrets(a.url), without_secrets(b.url)),
            margin=margin,
            confidence=confidence,
            rate=rate_text(self._steady.parsed()[0].rps) if self._steady else "",
            spent_s=self._spent_s,
            evidence=evidence_sentence(how, self._blocks, self._spent_s, confidence, margin)
            if self._blocks
            else NOTHING,
        )

    def _notes(self) -> list[str]:
        notes = ["interrupted by the user"] if self.interrupted else []
        notes += ["both were already running; a restart may change either by a few percent"]
        a, b = self._services["a"], self._services["b"]
        if a.pid is not None and a.pid == b.pid:
            notes.append(f"A and B are the same process, {a.pid}: any difference is chance")
        unknown = [name.upper() for name in ENTRIES[:2] if self._services[name].pid is None]
        if unknown:
            notes.append(
                f"CPU time is not compared: the process of {' and '.join(unknown)} is another "
                "user's, or in a container"
            )
        notes += [
            f"{letter.upper()}: answers came too late in one load, which was repeated: {why}"
            for letter, why in self._loads.late.items()
        ]
        if disturbed := self._loads.bystanders.caution():
            notes.append(disturbed)
        whole = [kind for kind, turns in self._turns.items() if not turns.length_s]
        if whole := [kind for kind in whole if kind in self._description.kinds()]:
            notes.append(
                f"no turns under the {listed(whole)} load, because there is no time for several "
                "turns that are long enough for its answers"
            )
        return notes

    def _can(self, metric: str) -> bool:
        known = all(service.pid is not None for service in self._services.values())
        return known or not metric.startswith("cpu_")

    def _shapes(self, kinds: Sequence[str]) -> list[Load]:
        by_kind = {FULL: self._full, ALONE: self._alone, STEADY: self._steady or self._full}
        return [by_kind[kind] for kind in kinds]

    def _ask(self) -> AnswersCompared:
        """The same questions to both, and to A once more."""
        answers = {}
        for entry in ENTRIES:
            service = self._services[entry]
            try:
                answers[entry] = answers_of(service, self._work.folder)
            except Mismatch as error:
                raise BrokenServiceError(entry, str(error)) from None
        description = self._description
        return compare_answers(
            answers["a"], answers["a again"], answers["b"], description.answers,
            len(description.requests),
        )  # fmt: skip

    def _first_rate_rps(self, entry: str) -> float:
        """Answers per second of a first load, which also warms the service up. Where it was too
        short for any, as many as the time tells that one took."""
        self._note(f"warming up {without_secrets(self._services[entry].url)}")
        seconds = min(WARM_UP_S, self._description.budget / 10)
        warm = self._full.model_copy(update={"duration": seconds})
        result = self._loads.once(entry, warm)
        return result.throughput_rps or (warm.connections or 1) / _waited_s(result)

    def _alone_s(self, entry: str) -> float:
        """How long nearly all answers take that a single user gets."""
        result = self._loads.once(entry, self._full, single_user)
        return nearly_all_s(result) if result.counts.ok else _waited_s(result)

    def _steady_load(self, rate_rps: float) -> Open:
        keys = self._description.load
        rate = quantity.rate(keys.rate) if keys.rate else max(1.0, rate_rps / 2)
        turns = self._turns[STEADY]
        phase = phase_text(Phase(rate, None, turns.load_s))
        shape = Open(kind="open", name=STEADY, phases=[phase], timeout=keys.timeout)
        if self._steady_connections is not None:
            shape = shape.model_copy(update={"connections": self._steady_connections})
        return shape.settled(len(self._cpus), 1)

    def _block(self, kinds: Sequence[str]) -> None:
        for kind, load in zip(kinds, self._shapes(kinds), strict=True):
            self._figures.add(self._loads.figures(kind, load, self._turns[kind]))

    def _claims(self, looks: Looks, pace: Pace) -> list[Claim]:
        description, claims = self._description, []
        names = [request.name for request in description.templates()]
        for load in description.kinds():
            for key in claims_under(load, names):
                rows = self._figures.rows.get(key)
                if rows and self._can(key.metric):
                    confidence = self._confidences.about_all.get(key, self._confidences.single)
                    verdict = verdict_of(rows, key, description.margin, confidence, looks)
                    if key.metric == "throughput_rps":
                        verdict.not_ranked = self._figures.limited(load)
                    claims.append(claim_of(ENTRIES[:2], key, verdict, pace))
        return claims


def _waited_s(result: LoadResult) -> float:
    """How long an answer took that came after the load's end."""
    return (result.longest_unfinished_us or 0.0) / 1e6 or result.elapsed_s


def _lasting(load: Closed, turns: Turns) -> Closed:
    """The load, as long as its turns let it last."""
    return load.model_copy(update={"duration": turns.load_s})
