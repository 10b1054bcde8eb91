"""What commands write as JSON is what it was, and satisfies its schema, which its types make.

`published/` holds what was written before documents were types, and the schema of `hit` as it was
written by hand. The board alone differs: an interval without an upper end was `Infinity`, which is
no JSON, and is now null.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from support.output_schemas import published_schema, validated
from unit.cli import sample_outputs as samples
from unit.cli.doctor.test_doctor_generators import checked
from unit.report.formats.test_published_schema import missing
from webdyno import __version__
from webdyno.ab.conclusion import formats
from webdyno.capacity.document import CapacityDocument
from webdyno.catalog.studies.published import PublishedManifest
from webdyno.check import show
from webdyno.claims.document import ClaimsDocument
from webdyno.cli.doctor.generators import document
from webdyno.cli.hit import agents
from webdyno.cli.hit.export import HitDocument, SearchedHit, SoughtLoad, of_machines
from webdyno.cli.main import main
from webdyno.cli.schemas import OUTPUTS, output_schemas
from webdyno.cluster.link.clock import Clock
from webdyno.cluster.link.counters import LinkFacts
from webdyno.cluster.machines.examined import ExaminedMachine, Rates
from webdyno.cluster.machines.facts import Facts
from webdyno.report.formats.compare_document import CompareDocument
from webdyno.runtime.machine.facts import fingerprint
from webdyno.runtime.machine.noise import Noise
from webdyno.store.document import plain, printed, written

HERE = Path(__file__).parent / "published"
BY_HAND = json.loads((HERE / "hit.schema.json").read_text(encoding="utf-8"))
MANIFEST = PublishedManifest.model_construct(name="mine", title="Öne", source="a test")
LOST = {
    # No result has ever had it.
    "hit.generator.cores (properties)",
    # Always there as well; runs hold the same record, and their schema never required them.
    "hit.by_request[].counts.sent (required)",
    "hit.by_request[].counts.ok (required)",
}
FIRST_DESCRIBED = ("hit.machines.network.links[].", "hit.machines.agents[].rtt_beside.")
"""Objects of which the schema by hand said nothing."""


def machines(*, lost: bool) -> str:
    spec = samples.spec_of(samples.CLOSED if lost else samples.OPEN)
    found = samples.load_of_machines(lost=lost)
    cautions = agents._cautions(found, spec)
    return written(of_machines(samples.URL, spec, found.result, cautions, found.record()))


def hit(shape: str, *, bare: bool = False) -> str:
    result = samples.bare_load_result() if bare else samples.load_result()
    return written(HitDocument.of(samples.URL, samples.spec_of(samples.SHAPES[shape]), result))


def searched(shape: str, *, found: bool) -> str:
    load, record = samples.searched()
    result = samples.load_result() if found else samples.bare_load_result()
    spec = samples.spec_of(samples.SHAPES[shape])
    sought = {"load": SoughtLoad.of(load), "search": record if found else None}
    return written(SearchedHit.of(samples.URL, spec, result, **sought))


def capacity() -> str:
    demand, plans, bills = samples.plans()
    return printed(CapacityDocument.of("run-1", demand, "shared", plans, bills)) + "\n"


WRITTEN: dict[str, tuple[str, Callable[[], str]]] = {
    "hit-closed": ("hit", lambda: hit("closed")),
    "hit-open": ("", lambda: hit("open", bare=True)),
    "hit-agents": ("hit", lambda: machines(lost=False)),
    "hit-void": ("hit", lambda: machines(lost=True)),
    "hit-search": ("hit", lambda: searched("open", found=True)),
    "hit-search-none": ("", lambda: searched("closed", found=False)),
    "hit-two": ("ab", lambda: formats.dumps(samples.ab_answer(running=True), 0)),
    "ab": ("ab", lambda: formats.dumps(samples.ab_answer())),
    "compare": ("compare", lambda: written(CompareDocument.of(samples.comparison()))),
    "history": ("history", lambda: written(samples.history())),
    "board": ("board", lambda: written(samples.board())),
    "check": ("check", lambda: show.dumps(samples.checked())),
    "capacity": ("capacity", capacity),
    "claims": (
        "claims",
        lambda: printed(ClaimsDocument.of(MANIFEST, samples.FINDINGS, 1.5e9)) + "\n",
    ),
    "outdated": ("outdated", lambda: printed(samples.ANSWERS) + "\n"),
    "doctor-generators": ("doctor", lambda: printed(document(checked())) + "\n"),
}
"""Samples by the file of what was written, with their schema; none where the sample lacks the
histograms that every real load has."""


@pytest.fixture(scope="module")
def made() -> dict[str, dict[str, Any]]:
    """The schemas by the names of their files, as the types make them."""
    return output_schemas()


def test_no_schema_of_an_output_is_left_out(made: dict[str, Any]) -> None:
    assert made.keys() == {f"{name}.schema.json" for name in (*OUTPUTS, "run")}


@pytest.mark.parametrize("name", sorted([*OUTPUTS, "run"]))
def test_the_schemas_are_those_that_the_types_make(name: str, made: dict[str, Any]) -> None:
    assert published_schema(name) == made[f"{name}.schema.json"], (
        "write them anew: python -m webdyno.cli.schemas"
    )


@pytest.mark.parametrize("name", sorted([*OUTPUTS, "run"]))
def test_a_schema_is_one(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(published_schema(name))


@pytest.mark.parametrize("name", sorted(WRITTEN))
def test_what_is_written_is_what_it_was(name: str) -> None:
    schema, make = WRITTEN[name]
    before = (HERE / f"{name}.json").read_text(encoding="utf-8").replace("VERSION", __version__)
    assert make() == before
    if schema:
        validated(schema, before)


def test_a_load_that_yielded_nothing_satisfies_the_schema() -> None:
    histograms = json.loads(hit("closed"))["histograms"]
    for text in (hit("open", bare=True), searched("closed", found=False)):
        validated("hit", json.dumps(json.loads(text) | {"histograms": histograms}))


@pytest.mark.parametrize("name", [name for name, (kind, _) in WRITTEN.items() if kind == "hit"])
def test_results_of_hit_satisfy_the_schema_by_hand_as_well(name: str) -> None:
    jsonschema.Draft202012Validator(BY_HAND).validate(json.loads(WRITTEN[name][1]()))


def test_the_schema_by_hand_is_one() -> None:
    jsonschema.validators.validator_for(BY_HAND).check_schema(BY_HAND)


def test_no_key_of_the_schema_by_hand_is_lost() -> None:
    now = published_schema("hit")
    assert set(missing(BY_HAND, BY_HAND, now, now, "hit")) == LOST


def test_the_schema_of_hit_requires_no_key_that_it_did_not() -> None:
    now = published_schema("hit")
    for title in ("HitDocument", "VoidHit"):
        found = missing(now, now["$defs"][title], BY_HAND, BY_HAND, "hit")
        required = [key for key in found if "(required)" in key]
        assert [key for key in required if not key.startswith(FIRST_DESCRIBED)] == []


@pytest.mark.parametrize("name", sorted(OUTPUTS))
def test_every_key_is_described(name: str) -> None:
    assert list(undescribed(published_schema(name))) == []


def undescribed(schema: dict[str, Any]) -> Iterator[str]:
    """Keys of which neither they nor their type say what they are; what is a manifest's is
    described in its own schema."""
    classes = schema.get("$defs", {})
    manifests = {"ScenarioDocument", *published_schema("scenario")["$defs"]}
    for title, one in {**classes, "": schema}.items():
        for key, part in one.get("properties", {}).items():
            of = classes.get(str(part.get("$ref", "")).rpartition("/")[2], {}) if part else {}
            known = part is False or "const" in part or "description" in {*part, *of}
            if not known and title not in manifests:
                yield f"{title}.{key}"


def test_a_schema_marks_a_figure_that_is_a_text() -> None:
    wrong = json.loads(WRITTEN["ab"][1]())
    wrong["claims"][0]["change"] = "4.6%"
    with pytest.raises(jsonschema.ValidationError, match=r"4\.6%"):
        validated("ab", json.dumps(wrong))


def test_every_machine_of_a_cluster_is_one_document() -> None:
    facts = Facts(
        address="10.0.0.2", roles=("generator",), host="two", machine=fingerprint(), load_cores=2,
        link=LinkFacts(interface="eth0", speed_mbit=None, mtu=1500), webdyno="1", python="3",
        ray="", programs=["wrk"],
    )  # fmt: skip
    noise = Noise(
        seconds=6, cv=0.01, worst_window=0.9, steal_share=0, foreign_share=0, timer_late_us_p50=50,
        timer_late_us_p99=60, timer_late_us_max=70, load_average=0.1,
    )  # fmt: skip
    clock = Clock(**samples.CLOCK.model_dump())
    seen = ExaminedMachine("10.0.0.2", ("generator",), facts, noise, clock, Rates(1e9, 2e9))
    gone = ExaminedMachine("10.0.0.3", ("server",), facts, error="not reached")
    here = ExaminedMachine("10.0.0.1", ("server",), facts)
    whole, lost, own = validated("doctor", printed([m.document() for m in (seen, gone, here)]))
    assert whole == {
        "address": "10.0.0.2",
        "roles": ["generator"],
        "facts": facts.model_dump(mode="json"),
        "noise": noise.model_dump(mode="json"),
        "clock": samples.CLOCK.model_dump(),
        "link": {"up": 1e9, "down": 2e9},
    }
    assert lost == {"address": "10.0.0.3", "roles": ["server"], "error": "not reached"}
    assert list(own) == ["address", "roles", "facts"]


def test_what_a_machine_can_tell_apart_is_written_by_the_difference() -> None:
    assert plain(samples.FORECAST) == json.loads(json.dumps(asdict(samples.FORECAST)))


@pytest.mark.parametrize(
    "what", ["all", "servers", "scenarios", "studies", "runs", "fortunes", "go/gin"]
)
def test_what_list_prints_satisfies_its_schema(
    what: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("WEBDYNO_HOME", str(tmp_path))
    assert main(["list", what, "--json"]) == 0
    assert what in {"fortunes", "go/gin", "all", *validated("list", capsys.readouterr().out)}


def test_what_claims_prints_satisfies_its_schema(capsys: pytest.CaptureFixture[str]) -> None:
    main(["claims", "point-lookup", "--json"])
    one = validated("claims", capsys.readouterr().out)
    main(["claims", "point-lookup", "swift-vs-node", "--json"])
    assert validated("claims", capsys.readouterr().out)[0] == one
