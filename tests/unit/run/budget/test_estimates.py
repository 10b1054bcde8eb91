"""What a trial is expected to take before any was timed: its second proof, and standing still."""

from __future__ import annotations

import math

import pytest

from support.small_study import a_study, matchups
from support.topologies import topology_of
from webdyno.ab.study.proof import RequestsVerifier
from webdyno.catalog import Catalog
from webdyno.catalog.loads.load import Closed
from webdyno.report.text.planned import sentences
from webdyno.run.bench.all_cores import with_all_cores
from webdyno.run.budget.agenda import agenda
from webdyno.run.budget.estimates import ANSWER_S, SERVICE_S, START_S, estimates
from webdyno.run.budget.planned import warm_up_expected
from webdyno.run.study.plan import cells_of, entries_of, matchups_of
from webdyno.runtime.machine.place import place
from webdyno.trial.proof.crowd import ASKED_AMID, WORTH_S, likely_s
from webdyno.trial.warm_up import FRESH_S, STILL


def test_the_second_proof_takes_by_the_connections_beside_it() -> None:
    def proven_s(scenario: str, **load: object) -> float:
        loads = [load if "kind" in load else {"kind": "closed", "duration": "2s", **load}]
        study = a_study(scenarios=[scenario], servers=["go/net-http"], control="", loads=loads)
        (found,) = estimates(study, matchups(study), []).values()
        server = Catalog().server_variant("go/net-http").server
        return found.beside_s - START_S - warm_up_expected(server, study.warmup)

    # A hundred requests and a hundred questions, each behind those of all connections, and of the
    # questions also behind what the connection is kept busy with.
    assert proven_s("json", connections=32) == pytest.approx(250 * 32 * ANSWER_S)
    assert proven_s("json") == proven_s("json", connections=32)
    # It is cut off, or made in a smaller crowd.
    assert proven_s("json", connections=5000) == pytest.approx(2.0 + ASKED_AMID * WORTH_S)
    # It asks few questions.
    assert proven_s("upload", connections=32) == pytest.approx(119.5 * 32 * ANSWER_S)
    assert proven_s("json", connections=32, slice="100ms") == pytest.approx(
        250 * 32 * ANSWER_S + STILL * FRESH_S
    )
    assert proven_s("json", kind="open", phases=["10/s:2s"]) == pytest.approx(0.0)
    assert proven_s("updates", connections=32) == pytest.approx(SERVICE_S + 160 * 32 * ANSWER_S)


def test_what_ab_makes_of_a_service_is_proven_without_a_crowd() -> None:
    assert likely_s(Closed(kind="closed", connections=32, duration=3), RequestsVerifier, 1.0) == 0.0


@pytest.mark.parametrize(
    ("machine", "entries", "least_s", "most_s"),
    [
        # On two cores of a virtual machine, three blocks of five entries took 5 min 22 s to 27 s.
        ("vm-2-cores", 4, 240, 280),
        # One of the three leaves cores idle, and joins as a variant that does not.
        ("cloud-4-vcpu", 5, 290, 340),
        ("cloud-8-vcpu", 5, 290, 340),
    ],
)
def test_both_questions_of_the_study_quick_are_planned_on_any_machine(
    machine: str, entries: int, least_s: float, most_s: float
) -> None:
    catalog = Catalog()
    cores = len(place(topology=topology_of(machine)).server)
    study = with_all_cores(catalog.study("quick"), catalog, cores)
    all_ = matchups_of(entries_of(study, catalog)[0], cells_of(study, catalog))
    plan = agenda(study, all_, estimates(study, all_, []))
    assert len(plan.entries) == entries
    assert plan.everything
    assert least_s < plan.all_s < most_s
    (said,) = sentences(plan)
    minutes = math.ceil(plan.all_s / 60)
    assert said.startswith("In 6 min: all 2 combinations of scenario and load, 3 blocks each ")
    assert f"in about {minutes} min;" in said
