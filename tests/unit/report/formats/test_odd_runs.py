"""What commands write of runs that went wrong satisfies its schema, and adds up."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest

from support.output_schemas import validated
from support.small_run import a_run, with_changes
from support.small_study import a_study, trials
from webdyno.report.formats.compare_document import CompareDocument
from webdyno.report.formats.json_export import dumps
from webdyno.report.formats.junit import render_junit
from webdyno.run.blocks.make_blocks import conclude
from webdyno.run.comparison.compare import compare_runs
from webdyno.store.document import written
from webdyno.store.records import FlagRecord, RunRecord
from webdyno.trial.assessment.of_the_lab import GENERATOR_FAILED

STRANGE = "\x00\x1b[31m ]]> & <b> \u2028 \ufffe \U0001f600"
NO_LOAD = "engine: load: 277 open files are needed"


def odd_run(kind: str) -> RunRecord:
    made = trials(6)
    lost: dict[str, Any] = {"measurement": None, "status": "error", "reason": NO_LOAD}
    lost["flags"] = [FlagRecord(code=GENERATOR_FAILED, message=NO_LOAD)]
    run = {
        "nothing was measured": a_run("new", []),
        "ended in the first block": a_run("new", made[:3], status="interrupted"),
        "one block": a_run("new", made[:4]),
        "no load could be made": a_run("new", with_changes(made, **lost)),
        "all failed, strangely": a_run(
            "new", with_changes(made, measurement=None, status="failed", reason=STRANGE)
        ),
        "strange flags": a_run(
            "new", with_changes(made, flags=[FlagRecord(code="x", message=STRANGE)])
        ),
    }[kind]
    conclude(a_study(), run)
    return run


ALL = (
    "nothing was measured", "ended in the first block", "one block", "no load could be made",
    "all failed, strangely", "strange flags",
)  # fmt: skip
# Of the others it is refused: there is nothing to compare.
COMPARED = ("ended in the first block", "one block", "all failed, strangely", "strange flags")


@pytest.mark.parametrize("kind", ALL)
def test_its_export_satisfies_the_schema(kind: str) -> None:
    document = validated("run", dumps(odd_run(kind)))
    assert document["id"] == "new"


@pytest.mark.parametrize("kind", COMPARED)
def test_its_comparison_satisfies_the_schema_and_its_junit_adds_up(kind: str) -> None:
    found = compare_runs(a_run("old", trials(6)), odd_run(kind))
    document = validated("compare", written(CompareDocument.of(found)))
    suite = ElementTree.fromstring(render_junit(found))
    cases = suite.findall("testcase")
    held = [len(cases), *(len(suite.findall(f"testcase/{k}")) for k in ("failure", "skipped"))]
    assert held == [int(suite.get(key, "")) for key in ("tests", "failures", "skipped")]
    assert all(len(case) == 1 and case.get("classname") and case.get("name") for case in cases)
    assert len({(case.get("classname"), case.get("name")) for case in cases}) == len(cases)
    assert held[1] == document["broken"] + document["regressions"]
    assert held[0] > 0
