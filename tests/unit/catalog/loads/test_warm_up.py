"""How long a server is warmed up: who says it, and what follows for the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from webdyno.catalog.catalog import Catalog
from webdyno.catalog.loads.warm_up import Bounds, RuntimeWarmUpKeys, WarmUpKeys, bounds_of
from webdyno.catalog.servers.language import read_language
from webdyno.errors import UserError

JVM = RuntimeWarmUpKeys(answers=20_000, cpu=10.0, max=90.0, compilers=["C1", "C2"])


def test_what_nobody_says_is_webdynos_own() -> None:
    assert bounds_of() == bounds_of(None, WarmUpKeys(), None) == Bounds()


def test_the_most_specific_wins_key_by_key() -> None:
    found = bounds_of(WarmUpKeys(answers=7), WarmUpKeys(answers=8, cpu=3.0), JVM)
    assert found == Bounds(Bounds.min, 90.0, 7, 3.0, ("C1", "C2"))


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        # A study's maximum also bounds the minimum of a server or a language ...
        ((WarmUpKeys(max=1.0), WarmUpKeys(min=5.0)), (1.0, 1.0)),
        # ... its minimum moves their maximum out of the way ...
        ((WarmUpKeys(min=20.0), WarmUpKeys(max=5.0)), (20.0, 20.0)),
        # ... and either does the same to Webdyno's own.
        ((WarmUpKeys(max=0.2),), (0.2, 0.2)),
        ((WarmUpKeys(min=30.0),), (30.0, 30.0)),
        ((WarmUpKeys(max=1.0), WarmUpKeys(), RuntimeWarmUpKeys(min=2.0, max=90.0)), (1.0, 1.0)),
        ((WarmUpKeys(min=2.0), WarmUpKeys(max=60.0)), (2.0, 60.0)),
    ],
)
def test_bounds_never_cross(asked: tuple[WarmUpKeys, ...], expected: tuple[float, float]) -> None:
    found = bounds_of(*asked)
    assert (found.min, found.max) == expected


def test_a_maximum_below_its_own_minimum_is_refused() -> None:
    with pytest.raises(ValueError, match=r"warmup\.max must not be below warmup\.min"):
        WarmUpKeys(min=2.0, max=1.0)


def test_what_is_likely_and_what_is_longer() -> None:
    assert Bounds(max=90.0, cpu=10.0).likely_s == 10.0
    assert Bounds(max=4.0, cpu=10.0).likely_s == 4.0
    assert Bounds(min=2.0, cpu=1.0).likely_s == 2.0
    assert Bounds(max=90.0, cpu=10.0, compilers=("C2",)).likely_s == 28.0  # Until they are quiet.
    assert Bounds(max=20.0, cpu=10.0, compilers=("C2",)).likely_s == 20.0
    longer = bounds_of(JVM).prolonged(2.0)
    assert (longer.max, longer.answers, longer.compilers) == (180.0, 20_000, ("C1", "C2"))


@pytest.mark.parametrize("server", ["java/servlet", "kotlin/ktor"])
def test_servers_on_the_jvm_are_asked_for_quiet_compilers(server: str) -> None:
    found = Catalog().server_variant(server).server.warmup_of()
    assert found.compilers == ("C1 CompilerThre", "C2 CompilerThre")
    assert (found.answers, found.cpu, found.max) == (20_000, 10.0, 90.0)


def test_a_language_without_a_file_gets_the_defaults() -> None:
    assert Catalog().server_variant("go/net-http").server.warmup_of() == Bounds()


def test_a_study_goes_before_the_language() -> None:
    asked = Catalog().server_variant("java/servlet").server.warmup_of(WarmUpKeys(cpu=2.0, max=4.0))
    assert (asked.cpu, asked.max, asked.answers) == (2.0, 4.0, 20_000)


def test_an_overlay_speaks_for_its_own_and_for_shipped_servers(tmp_path: Path) -> None:
    (tmp_path / "servers/go").mkdir(parents=True)
    (tmp_path / "servers/go/language.toml").write_text(
        'runtime = "gc"\n[warmup]\nmin = "3s"\ncompilers = ["forkserver-compiler"]\n'
    )
    found = Catalog.with_overlay(tmp_path).server_variant("go/net-http").server
    assert found.language.runtime == "gc"
    assert found.warmup_of().min == 3.0
    assert Catalog().server_variant("go/net-http").server.warmup_of().min == Bounds.min


def test_a_key_that_does_not_exist_is_told_with_its_file(tmp_path: Path) -> None:
    path = tmp_path / "language.toml"
    path.write_text('[warmup]\ncompiler = ["C2"]\n')
    with pytest.raises(UserError, match=r"language\.toml.*compilers"):
        read_language(path)
