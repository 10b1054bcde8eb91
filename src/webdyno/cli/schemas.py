"""The JSON Schemas of what commands write as JSON. `python -m webdyno.cli.schemas` writes them all,
that of runs as well; docs/json.md says which belongs to which command.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from webdyno.ab.conclusion.document import AbDocument
from webdyno.board.matrix import Matrix
from webdyno.capacity.document import CapacityDocument
from webdyno.catalog.schema import write_schemas
from webdyno.check.document import CheckDocument
from webdyno.claims.document import ClaimsDocument
from webdyno.cli.doctor.documents import DoctorDocument
from webdyno.cli.doctor.generators import GeneratorsDocument
from webdyno.cli.hit import export as hit
from webdyno.cli.list.documents import (
    ListDocument,
    ScenarioDocument,
    ServerDocument,
    StudyDocument,
)
from webdyno.cluster.machines.examined import MachineDocument
from webdyno.outdated.survey import RegistryAnswer
from webdyno.report.formats import run_schema
from webdyno.report.formats.compare_document import CompareDocument
from webdyno.run.comparison.history_document import History
from webdyno.store.document_schema import schema_of


@dataclass(frozen=True)
class Output:
    """What a command writes as JSON: its type, and what that is."""

    kind: Any
    about: str
    since: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Keys that came after the first version of the format, by the name of their class."""


_MORE = "Keys may be added"
_COUNTED = f"{_MORE}; `format` is increased when a key changes its meaning or is removed."

OUTPUTS = {
    "hit": Output(
        hit.AnyHit,
        "What `webdyno hit --json` writes of a load of one URL; of two URLs it writes what `ab` "
        f"does. {_COUNTED}",
        hit.SINCE,
    ),
    "ab": Output(
        AbDocument,
        f"What `webdyno ab --json` and `hit URL_A URL_B --json` write. {_COUNTED}",
        {"AnswersCompared": ["unused_rules"]},
    ),
    "compare": Output(
        CompareDocument, f"What `webdyno compare --json` and `gate --json` write. {_MORE}."
    ),
    "history": Output(History, f"What `webdyno history --json` writes. {_MORE}."),
    "board": Output(Matrix, f"What `webdyno run board --json` writes. {_MORE}."),
    "check": Output(CheckDocument, f"What `webdyno check --json` writes. {_COUNTED}"),
    "capacity": Output(CapacityDocument, f"What `webdyno capacity --json` prints. {_MORE}."),
    "claims": Output(
        ClaimsDocument | list[ClaimsDocument],
        "What `webdyno claims --json` prints: of one write-up an object, of several a list. "
        f"{_MORE}.",
    ),
    "list": Output(
        ListDocument | ScenarioDocument | ServerDocument | StudyDocument,
        "What `webdyno list --json` prints: what was asked for, or one scenario, server or "
        f"study in full. {_MORE}.",
    ),
    "outdated": Output(
        list[RegistryAnswer],
        f"What `webdyno outdated --json` prints: each server that was asked about. {_MORE}.",
    ),
    "doctor": Output(
        DoctorDocument | GeneratorsDocument | list[MachineDocument],
        "What `webdyno doctor --json` prints; with --generators the load generators, with "
        f"--machines a list of the machines of the cluster. {_MORE}.",
    ),
}
"""By the name of the schema."""


def output_schemas() -> dict[str, dict[str, Any]]:
    """The schema of each, by the name of its file."""
    made = {
        f"{name}.schema.json": schema_of(name, one.kind, one.about, one.since)
        for name, one in OUTPUTS.items()
    }
    return {**made, run_schema.SCHEMA.name: run_schema.schema()}


def main() -> None:
    """Write the schemas beside those of the manifests."""
    write_schemas(output_schemas())


if __name__ == "__main__":
    main()
