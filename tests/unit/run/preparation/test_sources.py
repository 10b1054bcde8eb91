"""Which edits of a scenario or a server count as another work or another program, and which do
not."""

from __future__ import annotations

import contextlib
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from webdyno.board import columns
from webdyno.board.pieces import EntrySources
from webdyno.catalog import Catalog
from webdyno.run.preparation.python_code import code_digest
from webdyno.run.preparation.sources import (
    has_digest,
    scenario_digest,
    server_digest,
    warm_up_digest,
)
from webdyno.runtime.builds.sources import digest_of_files, own_source_of
from webdyno.store.store import Store

REPOSITORY = Path(__file__).parents[4]
SCENARIO, VERIFIER = "scenarios/stack-8/scenario.toml", "scenarios/stack-8/verifier.py"
SERVER, LANGUAGE = "servers/node/kwan/server.toml", "servers/node/language.toml"

Edit = Callable[[str], str]


def put(old: str, new: str) -> Edit:
    """Replaces the one place where `old` stands."""

    def edit(text: str) -> str:
        assert text.count(old) == 1
        return text.replace(old, new)

    return edit


def ahead(line: str) -> Edit:
    return lambda text: f"{line}\n{text}"


def key_to_front(key: str) -> Edit:
    """Moves a key of one line to the top of the file."""

    def edit(text: str) -> str:
        (line,) = re.findall(rf"^{key} = .*\n", text, re.MULTILINE)
        return str(line) + text.replace(line, "", 1)

    return edit


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A catalog of its own, with one scenario and two servers of ours; to be left as found."""
    tmp_path = tmp_path_factory.mktemp("content")
    for folder in ("scenarios/stack-8", "servers/node/kwan", "servers/node/koa"):
        ignored = shutil.ignore_patterns("node_modules", "__pycache__")
        shutil.copytree(REPOSITORY / folder, tmp_path / folder, ignore=ignored)
    shutil.copy(REPOSITORY / LANGUAGE, tmp_path / LANGUAGE)
    for folder in ("scenarios/stack-8", "servers/node/kwan"):
        (tmp_path / folder / "README.md").write_text("What it is.")
    return tmp_path


@contextlib.contextmanager
def edited(path: Path, edit: Edit) -> Iterator[None]:
    """`path`, which need not be there, with other text for as long as it lasts."""
    before = path.read_bytes() if path.exists() else None
    text = (before or b"").decode()
    assert edit(text) != text
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(edit(text).encode())
    try:
        yield
    finally:
        if before is None:
            path.unlink()
        else:
            path.write_bytes(before)


def digests(content: Path) -> tuple[str, str, str]:
    """Of scenario, server and its warm-up."""
    catalog = Catalog([content])
    server = catalog.server("node/kwan")
    return (
        scenario_digest(catalog.scenario("stack-8")),
        server_digest(server, "default"),
        warm_up_digest(server),
    )


@pytest.mark.parametrize(
    ("file", "edit"),
    [
        (SCENARIO, put('title = "Eight common', 'title = "Eight usual')),
        (SCENARIO, put("A translated greeting page", "A greeting page, translated,")),
        (SCENARIO, put("each layer is the framework's own", "each layer is of the framework")),
        (SCENARIO, ahead("# Another comment.")),
        (SCENARIO, key_to_front("parts")),
        (SCENARIO, lambda text: text.replace("\n", "\r\n")),
        (VERIFIER, ahead("# Another comment.\n")),
        (VERIFIER, lambda text: re.sub(r'"""[^"]*"""', '"""Said otherwise."""', text)),
        ("scenarios/stack-8/README.md", lambda _: "What it is for."),
        (SERVER, put('notes = """', 'notes = """\nSaid otherwise.')),
        (SERVER, put('licence = "', 'licence = "the ')),
        (SERVER, ahead("# Another comment.")),
        (SERVER, key_to_front("toolchain")),
        (SERVER, lambda text: text + '\n[build.incremental]\nfile = "README.md"\n'),
        ("servers/node/kwan/README.md", lambda _: "How it is built."),
        (LANGUAGE, ahead("# Another comment.")),
        (LANGUAGE, put('notes = """', 'notes = """\nSaid otherwise.')),
    ],
)  # fmt: skip
def test_what_only_people_read_is_in_no_digest(content: Path, file: str, edit: Edit) -> None:
    before = digests(content)
    with edited(content / file, edit):
        assert digests(content) == before


@pytest.mark.parametrize(
    ("file", "edit", "which"),
    [
        (SCENARIO, put("names = 64 ", "names = 65 "), 0),
        (SCENARIO, put('"de", ', ""), 0),
        (SCENARIO, put('body = "name={name}"', 'body = "name={name}&x=1"'), 0),
        (SCENARIO, lambda text: text.replace("equals = 200", "equals = 201", 1), 0),
        # Headers are sent in their order.
        (
            SCENARIO,
            put(
                'X-CSRF-Token = "{token}" }',
                'X-CSRF-Token = "{token}", Accept = "text/html" }',
            ),
            0,
        ),
        (
            SCENARIO,
            put(
                'Content-Type = "application/x-www-form-urlencoded", X-CSRF-Token = "{token}"',
                'X-CSRF-Token = "{token}", Content-Type = "application/x-www-form-urlencoded"',
            ),
            0,
        ),
        (SCENARIO, ahead("cookies = true"), 0),
        (SCENARIO, ahead('services = ["postgresql"]'), 0),
        (VERIFIER, lambda text: text + "\nMORE = 1\n", 0),
        ("scenarios/stack-8/data/locales/en.json", lambda text: text + "\n", 0),
        ("scenarios/stack-8/data/static/notes.md", lambda _: "served", 0),
        ("scenarios/stack-8/data/static/README.md", lambda _: "served", 0),
        (SERVER, put('env = { NODE_ENV = "production" }', 'env = { UV_THREADPOOL_SIZE = "8" }'), 1),
        (SERVER, put("[run]\n", "[run]\nwrites = true\n"), 1),
        (SERVER, ahead("keep_alive = false"), 1),
        ("servers/node/kwan/package.json", lambda text: text + "\n", 1),
        ("servers/node/kwan/public/README.md", lambda _: "served", 1),
        ("servers/node/kwan/post.md", lambda _: "served", 1),
        (SERVER, lambda text: text + "\n[warmup]\nmin = 3\n", 2),
        (LANGUAGE, put('cpu = "2500ms"', 'cpu = "77s"'), 2),
    ],
)
def test_what_can_change_a_figure_is_in_a_digest(
    content: Path, file: str, edit: Edit, which: int
) -> None:
    before = digests(content)
    with edited(content / file, edit):
        after = digests(content)
    assert [one != other for one, other in zip(before, after, strict=True)] == [
        which == i for i in range(3)
    ]


@pytest.mark.slow
def test_edited_prose_makes_nothing_due_on_the_board_and_a_changed_value_does(
    content: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(columns, "toolchains_of", lambda _: {"node": "24"})

    def today() -> dict[str, EntrySources]:
        with contextlib.closing(Store.open(tmp_path / "store.db")) as store:
            (found,) = columns.columns_of(Catalog([content]), store, [], ["stack-8"])
        return dict(found.today.made)

    def due(before: dict[str, EntrySources]) -> set[str]:
        return {one.changed(before[label]) for label, one in today().items()}

    before = today()
    assert set(before) == {"node/koa", "node/kwan"}
    prose = put("A translated greeting page", "A page")
    value = put("names = 64 ", "names = 65 ")
    with edited(content / SCENARIO, prose):
        assert due(before) == {""}
        with edited(content / SCENARIO, value):
            assert due(before) == {"the scenario changed"}
    with edited(content / LANGUAGE, put('cpu = "2500ms"', 'cpu = "77s"')):
        assert due(before) == {"its warm-up changed"}
    # Records of before it was noted say nothing about it.
    noted = EntrySources("a", "b", {}, "c")
    assert noted.changed(EntrySources("a", "b", {})) == ""


def test_code_is_the_same_without_what_explains_it() -> None:
    plain = b"LIMIT = 1\ndef f(x):\n    return [x, LIMIT]\n"
    told = (
        b'"""Explains."""\nLIMIT = 1  # as said\n"""The limit."""\n\n\n'
        b'def f(\n    x,\n):\n    """Returns."""\n    return [x, LIMIT]\n'
    )
    assert code_digest(told) == code_digest(plain)
    for other in (b'LIMIT = "1"', b"LIMIT = 1.0", b"LIMIT = True", b"LIMIT = None"):
        assert code_digest(plain.replace(b"LIMIT = 1", other)) != code_digest(plain)
    assert code_digest(plain.replace(b"return", b"yield")) != code_digest(plain)
    assert code_digest(b"no Python") != code_digest(b"no  Python")


def test_a_baseline_of_before_is_recognised(content: Path) -> None:
    server = Catalog([content]).server("node/kwan")
    assert has_digest(server, "default", server_digest(server, "default"))
    # As it was stored then: of all of [build], of no Markdown, and of the keys that there were.
    manifest = server.manifest.build.model_dump(exclude={"also"})
    assert manifest["caches"]["downloads"]
    started = server.run_of("default").model_dump(
        include={"command", "prepare", "env", "ready", "writes"}
    )
    files = [path for path in own_source_of(server) if path.suffix != ".md"]
    then = digest_of_files(server.folder, files, [manifest, started])
    assert then[:16] != server_digest(server, "default")
    assert has_digest(server, "default", then[:16])
    with edited(content / "servers/node/kwan/package.json", lambda text: text + "\n"):
        assert not has_digest(server, "default", then[:16])
