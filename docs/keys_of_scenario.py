"""What docs/scenario-reference.md says beside the keys of a scenario."""

from __future__ import annotations

from typing import get_args

from key_tables import REQUIRED, KeyPage, KeySection, KindsSection

from webdyno.catalog.scenarios.checks import Check
from webdyno.catalog.scenarios.request import Distinct, Request
from webdyno.catalog.scenarios.scenario import ScenarioManifest
from webdyno.catalog.scenarios.variables import Variable

HEAD = f"""# Every key of a scenario

<!-- made by docs/key_reference.py from the code that reads scenarios -->

A scenario is a folder `scenarios/NAME/` with a `scenario.toml` and a verifier. [Add a
scenario](add-a-scenario.md) explains the keys with an example. Unknown keys are errors. Editors can
complete them with the [JSON Schema](../src/webdyno/schemas/scenario.schema.json).
`./webdyno new scenario NAME` writes a first one.

{REQUIRED}
"""

DISTINCT = """\
All answers of a load are then compared with each other: see
[Distinct answers](add-a-scenario.md#distinct-answers)."""

VARIABLES = "Each has a `kind` and the keys of that kind; the verifier may set them for a trial."

CHECKS = """\
A check costs CPU time of the load generator: see [Checks](add-a-scenario.md#checks). Messages over
WebSocket have no status."""

SECTIONS: list[KeySection | KindsSection] = [
    KeySection("The scenario itself", ScenarioManifest),
    KeySection("`[[requests]]`", Request),
    KeySection("`[requests.distinct]`", Distinct, DISTINCT),
    KindsSection("`[variables.NAME]`", get_args(get_args(Variable)[0]), VARIABLES),
    KindsSection("Entries of `checks`", get_args(get_args(Check)[0]), more=CHECKS),
]

PAGE = KeyPage("scenario-reference.md", HEAD, SECTIONS)
