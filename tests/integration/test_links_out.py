"""A server that puts links where Webdyno writes, measures and removes files: nothing follows."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.one_trial import plan_of
from support.services import make_traversable
from webdyno.catalog.catalog import Catalog
from webdyno.catalog.loads.load import Closed
from webdyno.generators.registry import generator_named
from webdyno.runtime.confinement.protection import landlock_holds
from webdyno.trial.events import silent
from webdyno.trial.life import run_trial

pytestmark = [
    pytest.mark.concurrent,
    pytest.mark.skipif(not landlock_holds(), reason="this kernel has no Landlock"),
]

TESTS = Path(__file__).parents[1]


def test_nothing_is_written_through_a_server_s_links(tmp_path: Path) -> None:
    make_traversable(tmp_path)
    catalog = Catalog.with_overlay(TESTS)
    server_variant = catalog.server_variant("python/cheat@links-out")
    load = Closed(kind="closed", connections=4, duration=0.3, method="as-published")
    plan = plan_of(catalog, server_variant, "sha256", load, tmp_path)
    target = plan.build.folder / "server.toml"
    before = target.read_bytes()
    trial = run_trial(plan, generator_named("engine"), silent)
    assert target.read_bytes() == before
    assert trial.status == "ok", trial.reason
    log = plan.log.read_text()
    assert "REFUSED file.bin" in log
    assert "LINKED tmp" in log
    assert [flag.code for flag in trial.flags if flag.code == "left-files"] == []
    assert not list((tmp_path / "tmp").iterdir())
