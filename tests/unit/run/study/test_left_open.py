"""What a load leaves open is filled in by the cores it is made on, under the same name."""

from __future__ import annotations

import pytest

from webdyno.catalog.catalog import Catalog
from webdyno.catalog.loads.load import Closed, Open
from webdyno.catalog.reading.manifest import parse_manifest
from webdyno.catalog.studies.study import StudyManifest
from webdyno.errors import UserError
from webdyno.run.study.narrow import narrowed


@pytest.mark.parametrize(("cpus", "connections"), [(1, 32), (2, 32), (6, 96), (96, 1536)])
def test_connections_grow_with_the_servers_cpus(cpus: int, connections: int) -> None:
    made = Closed(kind="closed", duration=1.0).settled(1, cpus)
    assert (made.connections, made.label()) == (connections, "closed")


def test_what_a_study_says_stays() -> None:
    load = Closed(kind="closed", connections=8, duration=1.0, threads=3)
    made = load.settled(16, 96)
    assert (made.connections, made.threads, made.label()) == (8, 3, load.label())


def test_a_thread_for_each_core_of_the_generator_but_one_as_published() -> None:
    load = Open(kind="open", phases=["10/s:1s"])
    assert load.settled(16, 48).threads == 16
    assert load.model_copy(update={"method": "as-published"}).settled(16, 48).threads == 1


@pytest.mark.parametrize(
    ("server", "variant", "uses"),
    [
        ("node/http", "default", "cluster"),
        ("node/http", "cluster", ""),
        ("go/net-http", "default", ""),
        ("go/net-http", "gomaxprocs-1", "default"),
        ("node/nestjs-express", "heap-256m", "cluster-heap-256m"),
        ("rust/actix", "default", ""),
        ("java/spring-boot", "default", ""),
        ("java/spring-boot", "heap-2g", ""),
        ("kotlin/spring-boot", "default", ""),
        ("node/toa", "default", ""),  # It has no other.
    ],
)
def test_the_variant_that_uses_all_cores(server: str, variant: str, uses: str) -> None:
    found = Catalog().server(server)
    assert found.all_cores_variant(variant) == uses


STUDY = {
    "name": "s", "title": "t", "question": "q", "servers": ["a/b"], "scenarios": ["json"],
    "loads": [{"kind": "closed", "duration": "1s"}],
}  # fmt: skip


def test_cpus_by_hand_are_part_of_the_study() -> None:
    study = parse_manifest({**STUDY, "placement": {"server": "0-2"}}, StudyManifest, "s.toml")
    given = narrowed(study, cpus={"generator": "4,3", "services": "7"})
    assert given.placement.by_role() == (
        ("server", (0, 1, 2)),
        ("generator", (3, 4)),
        ("services", (7,)),
    )
    assert given.model_dump(mode="json")["placement"]["generator"] == "3,4"


@pytest.mark.parametrize("text", ["", "x", "4-2"])
def test_an_empty_or_unreadable_list_is_refused(text: str) -> None:
    with pytest.raises(UserError, match=r"s\.toml: key 'placement\.server'.*0-3,8"):
        parse_manifest({**STUDY, "placement": {"server": text}}, StudyManifest, "s.toml")
    study = parse_manifest(STUDY, StudyManifest, "s.toml")
    with pytest.raises(UserError, match=r"--service-cpus: .*0-3,8"):
        narrowed(study, cpus={"services": text})
