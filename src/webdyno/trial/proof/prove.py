"""Proof of work: the scenario's verifier before, during and after the load."""

from __future__ import annotations

import base64
import importlib.util
import random
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from webdyno.catalog.loads.load import Closed
from webdyno.catalog.reading.fault import nearest
from webdyno.catalog.scenarios.scenario import Scenario
from webdyno.errors import UserError
from webdyno.generators.result import LoadResult
from webdyno.store.findings import AnswerRecord
from webdyno.store.records import EvidenceRecord, Measurement
from webdyno.trial.plan import TrialPlan
from webdyno.trial.proof.distinct import expect_distinct, tell_changes
from webdyno.verifier import Probe, Sample, Spent, Verifier

_REQUIRED = {
    "verify": "asks the server and checks its answers in full",
    "audit": "checks sampled answers of the load in full",
}
"""What a verifier cannot do without, and what for."""


def verifier_of(
    scenario: Scenario,
    parameters: dict[str, Any],
    work: Path,
    seed: int | None = None,
    written: Path | None = None,
) -> Verifier:
    """A fresh verifier for one trial; `written` is where its server writes for it, `work` where
    None. Raises `UserError` as `verifier_class` does.

    What it draws comes from the system's own source of random numbers: from those of a seeded
    generator that a server is shown, such as the bytes of a file, it could work out all that
    follow. Only tests, in which the same has to be drawn again, give a `seed`.
    """
    kind = verifier_class(scenario, parameters)
    try:
        return kind(
            parameters={**scenario.manifest.parameters, **parameters},
            folder=scenario.folder,
            work=work,
            written=written,
            random=random.SystemRandom() if seed is None else random.Random(seed),
        )
    except Exception as error:
        path = scenario.folder / scenario.manifest.verifier
        raise UserError(
            f"{path}: raised {type(error).__name__}: {error}; fix the verifier"
        ) from error


def verifier_class(scenario: Scenario, parameters: Mapping[str, Any]) -> type[Verifier]:
    """The class `Scenario` of a scenario's verifier.

    Raises `UserError` where its file does not define one, where it lacks a method that every
    verifier has to have, and for `parameters` that the scenario does not know, that are of another
    type than its own, or outside of the verifier's bounds.
    """
    path = scenario.folder / scenario.manifest.verifier
    unknown = sorted(set(parameters) - set(scenario.manifest.parameters))
    if unknown:
        known = ", ".join(sorted(scenario.manifest.parameters)) or "none"
        remedy = nearest(unknown[0], scenario.manifest.parameters) or f"it has: {known}"
        raise UserError(f"scenario {scenario.id}: no parameter '{unknown[0]}'; {remedy}")
    for name, value in parameters.items():
        _check_type(scenario, name, value)
    spec = importlib.util.spec_from_file_location(f"webdyno_scenario_{scenario.id}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # Where dataclasses look up the names in annotations.
    try:
        spec.loader.exec_module(module)
        kind = module.Scenario
    except Exception as error:
        raise UserError(
            f"{path}: raised {type(error).__name__}: {error}; fix the verifier"
        ) from error
    if not (isinstance(kind, type) and issubclass(kind, Verifier)):
        raise UserError(
            f"{path}: class Scenario is not a verifier; derive it from webdyno.verifier.Verifier"
        )
    for name, use in _REQUIRED.items():
        if getattr(kind, name) is getattr(Verifier, name):
            raise UserError(f"{path}: class Scenario has no method {name}(), which {use}; add it")
    kind.check_parameters(scenario.id, {**scenario.manifest.parameters, **parameters})
    return kind


_TYPES: dict[type, str] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    list: "a list",
    dict: "a table",
}


def _check_type(scenario: Scenario, name: str, value: Any) -> None:
    """Raise `UserError` where `value` is of another type than the scenario's own."""
    own = scenario.manifest.parameters[name]
    numbers = type(own) is float and type(value) is int
    if type(value) is not type(own) and not numbers and type(own) in _TYPES:
        raise UserError(
            f"scenario {scenario.id}: parameter '{name}' is {value!r:.80}; give {_TYPES[type(own)]}"
        )


def is_thorough(plan: TrialPlan) -> bool:
    """Whether its proof takes its time; see `Verifier.thorough`."""
    return not plan.reconciled and not plan.control


def audit(
    plan: TrialPlan,
    verifier: Verifier,
    probe: Probe,
    result: LoadResult,
    counts: dict[str, int],
    measured: Measurement,
) -> None:
    """Audit the load that gave `result`: its sampled answers, all of them where the engine saw all,
    the state that they left by `counts`, and what they cost. Raises `Mismatch`."""
    verifier.phase = "during"
    verifier.thorough = is_thorough(plan)
    verifier.sampled_from = result.counts.ok
    verifier.goes_on = isinstance(plan.load, Closed) and plan.load.slice is None
    # Others are taken at their word for what the answers were.
    if plan.load.abilities.keeps_answers:
        verifier.audit(samples_of(result))
        expect_distinct(verifier, plan.scenario, result)
        tell_changes(verifier, result)
    elif isinstance(plan.load, Closed):
        # Nor do they tell of requests that the end cut off: at most one on each connection.
        counts["unfinished"] += plan.load.settled_connections
    verifier.reconcile(probe, counts)
    used = measured.cpu["server"]
    cpu_s = used.user_s + used.system_s
    verifier.account(Spent(measured.counts.ok, cpu_s, measured.processes_peak))


def samples_of(result: LoadResult) -> list[Sample]:
    """The answers the generator kept for the audit."""
    return [
        Sample(
            request=kept.request,
            variables=kept.variables,
            status=kept.status,
            headers=kept.headers,
            body=base64.b64decode(kept.body_base64),
            at_s=kept.at_s,
            sent_s=kept.sent_s,
            answered_by_s=kept.answered_by_s,
            pieces=kept.pieces,
        )
        for kept in result.samples
    ]


def answer_of(scenario: Scenario, samples: list[Sample]) -> AnswerRecord | None:
    """The last answer that was kept of the scenario's first request; None where there is none.

    The last, because a first one is special where users keep cookies.
    """
    first = scenario.manifest.requests[0].name
    last = max(
        (sample for sample in samples if sample.request == first),
        key=lambda sample: sample.at_s,
        default=None,
    )
    if last is None:
        return None
    same_body = scenario.manifest.same_body
    return AnswerRecord.of(first, last.status, last.headers, last.body, same_body=same_body)


def evidence_of(verifier: Verifier) -> Iterable[EvidenceRecord]:
    """What the verifier claimed and saw, as records."""
    return [EvidenceRecord(**asdict(item)) for item in verifier.evidence]
