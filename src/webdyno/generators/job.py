"""What a generator is given: a load to be made."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from webdyno._engine import Load as BuiltInLoad
from webdyno.catalog.loads.load import Load
from webdyno.catalog.scenarios.scenario import ScenarioManifest
from webdyno.generators.engine_load import EngineLoad
from webdyno.generators.state_change import StateChange

BEGIN, END = "begin", "end"
"""The edges of a load."""


def fresh_seed() -> int:
    """A seed that no server can find out beforehand, as it could from the id of its run.

    Each load gets one of its own: what a server was asked in its warm-up, and answered, it could
    else keep until it is asked the same under load. And a seed tells which answers are sampled.
    """
    return secrets.randbits(48)


@dataclass(frozen=True)
class Job:
    """A load to be made: which work, at which port, from which cores.

    `variables` and `lookups` are the verifier's: values that replace the manifest's, and expected
    answers by drawn value. `samples` is how many answers the audit wants to see, with bodies of
    `body_bytes` at most. `record` is where each request is to be written as a line of a JTL, by
    generators that know of each. `changes` gives the next change of the server's state to make at a
    random moment of the load, by generators that can judge answers meanwhile; `lookups` follow it
    where they are dicts. `edge` is called with `BEGIN` once the connections are open, and with
    `END` when what is measured is over, by generators that can tell. `host_header` is the `Host`
    that is sent where it is not `host` and `port`, by the engine. `make_load` gives the engine's
    load of the JSON of a `LoadSpec`: one made here, or from other machines.
    """

    scenario: ScenarioManifest
    load: Load
    port: int
    cpus: tuple[int, ...]
    seed: int
    samples: int = 200
    body_bytes: int = 256 * 1024
    host: str = "127.0.0.1"
    host_header: str | None = None
    variables: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    lookups: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    record: Path | None = None
    changes: Callable[[], StateChange | None] | None = None
    edge: Callable[[str], None] | None = None
    make_load: Callable[[str], EngineLoad] = BuiltInLoad
