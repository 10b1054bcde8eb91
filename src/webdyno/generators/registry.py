"""The generators there are, and what a run asks of them before its first trial."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import cast

from webdyno.catalog.loads.abilities import GENERATORS
from webdyno.catalog.loads.load import Load
from webdyno.catalog.scenarios.scenario import ScenarioManifest
from webdyno.errors import UserError
from webdyno.generators.plugin import GeneratorPlugin


def generator_named(name: str) -> GeneratorPlugin:
    """A generator. Raises `UserError` where there is none of that name."""
    # The catalog's registry knows no more of them than what they can do.
    return cast(GeneratorPlugin, GENERATORS[name])


def refuse(scenario: ScenarioManifest, load: Load) -> None:
    """Raises `UserError` for a load that its generator cannot make of `scenario`.

    For asking before the first trial, without the verifier's values.
    """
    if load.in_turns and scenario.services:
        raise UserError(
            f"load {load.label()}: servers cannot take turns in scenario {scenario.name}, because "
            f"it needs {' and '.join(scenario.services)}; leave out 'slice'"
        )
    generator_named(load.generator).refuse(scenario, load)


def make_ready(names: Iterable[str], folder: Path) -> None:
    """Install what is not there yet of the generators `names`, so that no trial waits for it.

    `folder` is a private one. Raises `UserError` where one cannot be installed.
    """
    for name in dict.fromkeys(names):
        generator_named(name).make_ready(folder)
