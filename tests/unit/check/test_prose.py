"""Parts in which only comments and descriptions changed are named, and not checked."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import BaseModel

from support.git_folder import git
from unit.check.test_affected import add_server
from webdyno.catalog.catalog import Catalog
from webdyno.catalog.scenarios.scenario import ScenarioManifest
from webdyno.catalog.servers.language import LanguageManifest
from webdyno.catalog.servers.server_manifest import ServerManifest, Variant
from webdyno.check import check_servers, prose
from webdyno.check.changes import changes_since
from webdyno.check.check_servers import CheckResult, CheckSettings, VariantsToCheck
from webdyno.check.show import headline, notes
from webdyno.run.preparation import sources
from webdyno.runtime.home import Home

SCENARIO = """
name = "hello"
title = "{title}"
description = "says hello"
[[requests]]
name = "hello"
path = "{path}"
"""
VERIFIER = '"""{doc}"""\n\nANSWER = {answer}\n'
MORE = '# {comment}\nnotes = "{notes}"\n{keys}[variants.small]\ndescription = "{notes}"\n'


def write(
    root: Path,
    *,
    comment: str = "one",
    keys: str = "",
    title: str = "Hello",
    path: str = "/hello",
    answer: int = 1,
    warmup: float = 30,
) -> None:
    add_server(root, "a/one", ["hello"], MORE.format(comment=comment, notes=comment, keys=keys))
    (root / "servers/a/language.toml").write_text(
        f'notes = "{comment}"\n[warmup]\nmax = "{warmup:g}s"\n'
    )
    folder = root / "scenarios" / "hello"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "scenario.toml").write_text(SCENARIO.format(title=title, path=path))
    (folder / "verifier.py").write_text(VERIFIER.format(doc=title, answer=answer))


@pytest.fixture
def content(tmp_path: Path) -> Path:
    root = tmp_path / "content"
    write(root)
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "one")
    return root


def found(content: Path, monkeypatch: pytest.MonkeyPatch) -> VariantsToCheck:
    monkeypatch.setattr(check_servers, "_can_be_had", lambda _: True)
    into = content.parent / "into"
    settings = CheckSettings(Catalog([content]), Home(into / "home"), into, None, 0.95, 0.03)
    return check_servers.variants_to_check(changes_since(content, "HEAD"), settings)


def test_prose_alone_is_left_out_and_told(content: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(content, comment="two", title="Hello again")
    seen = found(content, monkeypatch)
    assert seen.variants == []
    assert seen.prose == ["scenarios/hello", "servers/a/language.toml", "servers/a/one"]
    checked = CheckResult(changes_since(content, "HEAD"), 0.95, 0.03, prose=seen.prose)
    assert headline(checked).startswith("no server or scenario has changed since HEAD (")
    assert headline(checked).endswith("), except in comments and descriptions")
    assert (
        "not checked, because only comments and descriptions changed: scenarios/hello, "
        "servers/a/language.toml, servers/a/one" in notes(checked)
    )


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"keys": 'runtimes = []\n'}, "its own files"),
        ({"keys": 'keep_alive = false\n'}, "its own files"),
        ({"path": "/other"}, "scenario hello"),
        ({"answer": 2}, "scenario hello"),
        ({"warmup": 60}, "what a servers share"),
    ],
)  # fmt: skip
def test_what_counts_is_checked_though_prose_changed_with_it(
    content: Path, monkeypatch: pytest.MonkeyPatch, change: dict[str, str], why: str
) -> None:
    write(content, comment="two", **change)  # type: ignore[arg-type]
    seen = found(content, monkeypatch)
    assert {one.why for one in seen.variants} == {why}


def test_a_program_that_changed_is_checked(content: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(content, comment="two")
    (content / "servers/a/one/serve").write_text("2")
    seen = found(content, monkeypatch)
    assert [one.today.label for one in seen.variants] == ["a/one"]
    assert seen.prose == ["servers/a/language.toml"]


@pytest.mark.parametrize(
    ("keys", "manifest"),
    [
        (prose._PROSE_OF_VARIANT, Variant),
        (prose._PROSE_OF_SERVER, ServerManifest),
        (prose._PROSE_OF_LANGUAGE, LanguageManifest),
        (sources._PROSE_OF_SCENARIO, ScenarioManifest),
    ],
)
def test_what_is_taken_for_prose_are_keys_of_the_manifest(
    keys: set[str], manifest: type[BaseModel]
) -> None:
    # One that is renamed there would silently count again.
    assert keys <= set(manifest.model_fields)
