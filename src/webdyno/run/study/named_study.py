"""What `run NAME` asks: a study by its name or file, or a scenario as a study of its own.

Also the title and the question of a study whose servers or scenarios the user chose.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from pathlib import Path

from webdyno.catalog.catalog import Catalog, refuse_other_file
from webdyno.catalog.loads.load import TURN_S
from webdyno.catalog.reading.manifest import parse_manifest
from webdyno.catalog.scenarios.scenario import Scenario
from webdyno.catalog.studies.study import MetricName, StudyManifest
from webdyno.catalog.terms.metric import METRICS
from webdyno.catalog.terms.reference import without_default
from webdyno.errors import UserError

FEW = 4
"""More names than this are counted in a title and in a question."""

LEAST_BUDGET_S, MOST_BUDGET_S = 120.0, 1800.0
BUDGET_A_SERVER_S = 20.0
"""Three blocks and a few more, of trials that take about five seconds."""


def study_named(catalog: Catalog, name: str, servers: Sequence[str] = ()) -> StudyManifest:
    """The study `name` (or the file at that path), else one of the scenario of that name.

    Of `servers`, which are all that will be run, a scenario's study enters one twice.
    Raises `UserError` with the nearest names of both where it is neither.
    """
    if Path(name).suffix == ".toml" or name in catalog.study_names():
        return catalog.study(name)
    if name in catalog.scenario_names():
        return study_of_scenario(catalog, catalog.scenario(name), servers)
    refuse_other_file(name, "a study")
    close = [
        f"the {kind} '{found[0]}'"
        for kind, names in (
            ("study", catalog.study_names()),
            ("scenario", catalog.scenario_names()),
        )
        if (found := difflib.get_close_matches(name, names, n=1, cutoff=0.5))
    ]
    hint = f"did you mean {' or '.join(close)}? (`webdyno list` shows all)"
    raise UserError(
        f"no study or scenario '{name}'; {hint if close else '`webdyno list` shows them'}"
    )


def study_of_scenario(
    catalog: Catalog, scenario: Scenario, chosen: Sequence[str] = ()
) -> StudyManifest:
    """All servers that implement `scenario`, under a closed load; the first one, or the first of
    `chosen`, is the control.

    Raises `UserError` where no server does.
    """
    able = [s for s in catalog.servers() if scenario.id in s.manifest.scenarios]
    if not able:
        raise UserError(f"scenario {scenario.id}: no server implements it; `webdyno new` makes one")
    servers = [server.id for server in able]
    sound = [server.id for server in able if server.manifest.status == "ok"]
    control = next((id_ for id_ in [*map(without_default, chosen), *sound] if id_ in sound), "")
    load = {"name": "closed-32", "kind": "closed", "connections": 32, "duration": 1.5}
    if not scenario.manifest.services:  # Servers cannot take turns at a service.
        load["slice"] = TURN_S
    budget = min(MOST_BUDGET_S, max(LEAST_BUDGET_S, BUDGET_A_SERVER_S * len(servers)))
    return parse_manifest(
        {
            "name": scenario.id,
            "title": title_of(servers, [scenario.id], scenario.manifest.title),
            "question": question_of(servers, [scenario.id], METRICS.leading),
            "servers": servers,
            "control": control,
            "scenarios": [scenario.id],
            "budget": budget,
            "loads": [load],
        },
        StudyManifest,
        f"the study of scenario {scenario.id}",
    )


def title_of(servers: Sequence[str], scenarios: Sequence[str], what: str = "") -> str:
    """A heading for what is run: `json: node/http and java/servlet`."""
    return f"{what or _named(scenarios, 'scenarios')}: {_named(servers, 'servers')}"


def question_of(servers: Sequence[str], scenarios: Sequence[str], metric: MetricName) -> str:
    """The question that a run of these asks, in a sentence."""
    work = _named(scenarios, "scenarios")
    if len(servers) == 1:
        return f"How does {servers[0]} serve {work}?"
    which = f"Which of {_named(servers, 'servers')} serves"
    return f"{which} {'each of ' if len(scenarios) > 1 else ''}{work} {METRICS[metric].asked}?"


def _named(names: Sequence[str], kind: str) -> str:
    if len(names) > FEW:
        return f"{len(names)} {kind}"
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
