"""What of Webdyno's own code counts as what a trial was measured with, and what does not."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import webdyno
from webdyno.catalog import Catalog
from webdyno.run.preparation.own_code import digest_of_modules, imported, own_code

ROOTS = (
    "webdyno.trial.life",
    "webdyno.generators.plugins.engine",
    "webdyno.verifier.json_answers",
    "webdyno.metrics.throughput_rps",
)


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package's sources, to be left as it is found."""
    tmp_path = tmp_path_factory.mktemp("sources")
    source = Path(webdyno.__file__).parent
    folders = (
        "generators", "runtime", "trial", "verdict", "verifier", "metrics", "report", "store",
    )  # fmt: skip
    for name in folders:
        shutil.copytree(
            source / name,
            tmp_path / "webdyno" / name,
            ignore=shutil.ignore_patterns("__pycache__", "*.html*", "*.js"),
        )
    return tmp_path / "webdyno"


@pytest.fixture(scope="module")
def before(package: Path) -> str:
    return digest_of_modules(package, ROOTS)


@contextmanager
def appended(file: Path, text: str) -> Iterator[None]:
    """`file` with more at its end, for as long as it lasts."""
    held = file.read_text(encoding="utf-8")
    file.write_text(held + text, encoding="utf-8")
    try:
        yield
    finally:
        file.write_text(held, encoding="utf-8")


@pytest.mark.parametrize(
    ("file", "counts"),
    [
        ("trial/warm_up.py", True),
        ("generators/job_spec.py", True),
        ("generators/plugins/engine.py", True),
        ("verifier/base.py", True),
        ("verifier/json_answers.py", True),
        ("verdict/steadiness/steady.py", True),
        ("runtime/processes/process.py", True),
        ("runtime/machine/core_seconds.py", True),
        ("store/counts.py", True),
        ("metrics/throughput_rps.py", True),
        # Of another metric, another generator, other scenarios, reports and records.
        ("metrics/p99_us.py", False),
        ("generators/plugins/wrk.py", False),
        ("verifier/websocket.py", False),
        ("runtime/services/plugins/postgresql.py", False),
        ("report/numbers.py", False),
        ("store/records.py", False),
    ],
)
def test_a_change_counts_where_it_may_change_a_figure(
    package: Path, before: str, file: str, counts: bool
) -> None:
    with appended(package / file, "\nCHANGED = True\n"):
        assert (digest_of_modules(package, ROOTS) != before) == counts


def test_comments_and_docstrings_change_no_figure(package: Path, before: str) -> None:
    with appended(package / "trial" / "life.py", '\n# changed\n"""And told."""\n'):
        assert digest_of_modules(package, ROOTS) == before


def test_a_new_module_counts_once_it_is_imported(package: Path, before: str) -> None:
    extra = package / "trial" / "extra.py"
    extra.write_text("FACTOR = 2\n")
    try:
        assert digest_of_modules(package, ROOTS) == before
        with appended(package / "trial" / "life.py", "from webdyno.trial import extra\n"):
            imports = digest_of_modules(package, ROOTS)
            assert imports != before
            extra.write_text("FACTOR = 3\n")
            assert digest_of_modules(package, ROOTS) != imports
    finally:
        extra.unlink()


def test_imports_are_found_wherever_they_stand(tmp_path: Path) -> None:
    path = tmp_path / "verifier.py"
    path.write_text(
        "import json\n"
        "import webdyno.one\n"
        "from webdyno.two import (\n    first,\n    second as other,\n)\n"
        "def late():\n    from webdyno.three import third\n"
    )
    found = set(imported(path))
    assert {"webdyno.one", "webdyno.two.first", "webdyno.two.second", "webdyno.three.third"} < found


def test_scenarios_have_the_engine_in_common_and_each_its_own_verifier_and_services() -> None:
    catalog = Catalog()
    names = ("hello", "json", "queries", "websocket-echo")
    found = [own_code(catalog.scenario(name), "engine") for name in names]
    assert len({one["engine"] for one in found}) == 1
    assert all(one["engine"] for one in found)
    assert len({one["webdyno"] for one in found}) == len(names)
    assert own_code(catalog.scenario("hello"), "wrk") != found[0]
