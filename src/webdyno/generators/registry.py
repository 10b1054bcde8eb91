"""The generators there are, by the name loads call them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from webdyno.catalog.load import Load
from webdyno.catalog.scenario import ScenarioManifest
from webdyno.errors import UserError
from webdyno.generators.base import Generator


def generator_named(name: str) -> Generator:
    """A generator. Raises `UserError` where it is not there yet."""
    if name == "engine":
        from webdyno.generators.engine import Engine

        return Engine()
    if name == "wrk":
        from webdyno.generators.wrk import Wrk

        return Wrk()
    if name == "autocannon":
        from webdyno.generators.autocannon import Autocannon

        return Autocannon()
    if name == "jmeter":
        from webdyno.generators.jmeter import JMeter

        return JMeter()
    if name == "artillery":
        from webdyno.generators.artillery import Artillery

        return Artillery()
    raise UserError(
        f"generator '{name}' is not known; choose engine, wrk, autocannon, jmeter or artillery"
    )


def refuse(scenario: ScenarioManifest, load: Load) -> None:
    """Raises `UserError` for a load that its generator cannot make of `scenario`.

    For asking before the first trial. Of wrk alone it is known without the verifier's values.
    """
    if load.in_turns and scenario.services:
        raise UserError(
            f"load {load.label()}: servers cannot take turns at {scenario.name}, which needs "
            f"{' and '.join(scenario.services)}; leave out its key 'slice'"
        )
    generator_named(load.generator)
    if load.generator == "wrk":
        from webdyno.generators import wrk

        wrk.refuse(scenario, load)


def make_ready(names: Iterable[str], folder: Path) -> None:
    """Install what is not there yet of the generators `names`, so that no trial waits for it.

    `folder` is a private one. Raises `UserError` where one cannot be installed.
    """
    wanted = set(names)
    if "wrk" in wanted:
        from webdyno.generators import wrk

        wrk.look_for()
    if "autocannon" in wanted:
        from webdyno.generators.tools import installed

        installed("autocannon")
    if "artillery" in wanted:
        from webdyno.generators.artillery import INSTALL_ENV
        from webdyno.generators.tools import installed

        installed("artillery", env=INSTALL_ENV)
    if "jmeter" in wanted:
        from webdyno.generators.jmeter import program

        program(folder)
