"""What each file of `generators.plugins` declares."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from webdyno.catalog.loads.abilities import Abilities, those_that
from webdyno.catalog.loads.load import Load
from webdyno.catalog.scenarios.scenario import ScenarioManifest
from webdyno.errors import UserError
from webdyno.generators.generator import Generator, GeneratorError, SlicedLoad
from webdyno.generators.job import Job
from webdyno.runtime.programs import Program


class GeneratorPlugin(Generator, Protocol):
    """A generator and what is known of it before a load is made."""

    abilities: Abilities
    programs: tuple[Program, ...] = ()
    """Those that it runs, where they are not of another's making ready."""

    def refuse(self, scenario: ScenarioManifest, load: Load) -> None:
        """Raises `UserError` for a load of `scenario` that it cannot make, as far as that is known
        without the verifier's values."""
        if scenario.websocket and not self.abilities.websocket:
            can = " or ".join(those_that(lambda abilities: abilities.websocket))
            raise UserError(
                f"{self.name} does not speak WebSocket, which scenario {scenario.name} needs; "
                f"use the generator {can}"
            )
        if load.kind not in self.abilities.kinds:
            kinds = " and ".join(self.abilities.kinds)
            raise UserError(
                f"{self.name} makes {kinds} loads only; load '{load.label()}' is {load.kind}; "
                "choose another generator"
            )

    def sliced(self, job: Job) -> SlicedLoad:
        """The same load, to be made slice by slice, by generators that can `takes_turns`.

        Raises `GeneratorError`.
        """
        raise GeneratorError(f"{self.name} declares takes_turns, but has no `sliced`")

    def make_ready(self, folder: Path) -> None:
        """Install what is not there yet, so that no trial waits for it.

        `folder` is a private one. Raises `UserError` where that fails. Nothing by default.
        """
        return
