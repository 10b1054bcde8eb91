"""Build times measured with a real compiler, and the ways they may be missing."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from webdyno.catalog.catalog import ServerVariant
from webdyno.catalog.servers.server import Server, read_server
from webdyno.errors import UserError
from webdyno.run.preparation.servers import ReadyServer
from webdyno.run.preparation.timed_builds import measure_builds, with_build_times
from webdyno.run.study.plan import Entry
from webdyno.runtime.builds.build import Build, build
from webdyno.runtime.builds.times import build_times
from webdyno.store.records import RunRecord, now
from webdyno.store.stored_study import StoredStudy
from webdyno.trial.events import BuildFinished, Event

pytestmark = [pytest.mark.concurrent, pytest.mark.long]

MANIFEST = """
name = "tiny"
language = "{language}"
framework = "none"
framework_version = "1"
licence = "MIT"
toolchain = []
scenarios = ["hello"]
[build]
{build}
[run]
command = ["./server"]
"""

GO = """
commands = [["go", "build", "-buildvcs=false", "-o", "server", "."]]
artefact = ["server"]
[build.caches]
compiled = { GOCACHE = "${CACHE}" }
[build.incremental]
file = "main.go"
"""


def server_of(folder: Path, text: str, language: str = "go", **files: str) -> Server:
    home = folder / language / "tiny"
    home.mkdir(parents=True)
    for name, content in files.items():
        (home / name.replace("_", ".")).write_text(content)
    (home / "server.toml").write_text(MANIFEST.format(language=language, build=text))
    return read_server(home)


def script(*lines: str) -> str:
    return f"commands = [{json.dumps(['sh', '-c', '; '.join(lines)])}]\n"


def built(server: Server, folder: Path) -> Build:
    return build(server, folder / "builds", {})


@pytest.mark.skipif(shutil.which("go") is None, reason="needs Go")
def test_a_compiler_has_less_to_do_after_a_change_than_from_nothing(tmp_path: Path) -> None:
    main = 'package main\n\nfunc main() { println("up") }\n'
    server = server_of(tmp_path, GO, main_go=main, go_mod="module tiny\n\ngo 1.21\n")
    made = built(server, tmp_path)
    times = build_times(server, made, tmp_path / "work", repetitions=1)
    assert len(times.clean_s) == len(times.incremental_s) == 1
    # Clean compiles the runtime library, too: many times the work, on the noisiest machine.
    assert times.incremental_s[0] < times.clean_s[0]
    assert times.cold_s is None
    assert (server.folder / "main.go").read_text() == main
    assert not list((tmp_path / "work").iterdir())


def test_each_repetition_changes_the_source_and_starts_from_a_fresh_copy(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    text = script(f"head -n 3 main.x >> {seen}; echo -- >> {seen}; ls $KEPT | wc -l >> {seen}")
    text += (
        '[build.caches]\ncompiled = { KEPT = "${CACHE}" }\n'
        '[build.incremental]\nfile = "main.x"\ncomment = "#"\n'
        f"commands = {json.dumps([['sh', '-c', f'cat main.x >> {seen}; touch $KEPT/one']])}\n"
    )
    server = server_of(tmp_path, text.replace("ls $KEPT", "ls $KEPT 2>/dev/null"), main_x="body\n")
    made = built(server, tmp_path)
    seen.unlink()
    build_times(server, made, tmp_path / "work", repetitions=2)
    clean = ["body", "--", "0"]
    more = "# A line more."
    assert seen.read_text().split("\n")[:-1] == [*clean, more, "body", *clean, more, more, "body"]


def test_cold_starts_with_an_empty_cache_that_clean_then_uses(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    text = script(f"ls $GOT | wc -l >> {seen}", "touch $GOT/dependency")
    text += '[build.caches]\ndownloads = { GOT = "${CACHE}" }\n'
    server = server_of(tmp_path, "env = { GOT = '/tmp' }\n" + text, language="x")
    made = built(server, tmp_path)
    seen.write_text("")
    times = build_times(server, made, tmp_path / "work", repetitions=3)
    assert seen.read_text().split() == ["0", "1", "1", "1"]
    assert times.cold_s is not None
    assert times.incremental_s == []


def test_the_same_content_is_measured_once(tmp_path: Path) -> None:
    count = tmp_path / "count"
    server = server_of(tmp_path, script(f"echo >> {count}"), language="x")
    made = built(server, tmp_path)
    first = build_times(server, made, tmp_path / "work")
    assert count.read_text().count("\n") == 1 + 3
    assert build_times(server, made, tmp_path / "work") == first
    assert count.read_text().count("\n") == 1 + 3


def test_a_long_build_is_repeated_once_less(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webdyno.runtime.builds.times.LONG_S", 0.0)
    count = tmp_path / "count"
    server = server_of(tmp_path, script(f"echo >> {count}"), language="x")
    made = built(server, tmp_path)
    first = build_times(server, made, tmp_path / "work")
    assert len(first.clean_s) == 2
    assert build_times(server, made, tmp_path / "work") == first
    assert count.read_text().count("\n") == 1 + 2


def test_how_times_are_measured_is_no_part_of_a_build_s_content(tmp_path: Path) -> None:
    plain = server_of(tmp_path / "a", script("true"), language="x", main_x="body\n")
    timed = server_of(
        tmp_path / "b",
        script("true") + '[build.incremental]\nfile = "main.x"\n',
        language="x",
        main_x="body\n",
    )
    made = built(plain, tmp_path)
    again = built(timed, tmp_path)
    assert again.digest == made.digest
    assert again.cached


def test_a_build_that_fails_when_repeated_is_told_and_loses_nothing_else(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    text = script(f"test ! -e {mark}", f"touch {mark}").replace("; touch", " && touch")
    bad = server_of(tmp_path / "a", text, language="x")
    good = server_of(tmp_path / "b", script("true"), language="y")
    ready = {s.id: ReadyServer(built(s, tmp_path), {}) for s in (bad, good)}
    entries = [Entry(ServerVariant(server=s)) for s in (bad, good)]
    first, second = measure_builds(entries, ready, tmp_path / "work", lambda *_, **__: None)
    assert first.note.startswith("not measured: x/tiny: ")
    assert first.clean_s == []
    assert len(second.clean_s) == 3
    assert "incremental: a changed file runs as it is" in second.note


@pytest.mark.parametrize(("budget_s", "timed"), [(1e-6, False), (3600.0, True), (None, True)])
def test_a_budget_too_small_for_timing_leaves_it_out_and_says_so(
    tmp_path: Path, budget_s: float | None, timed: bool
) -> None:
    server = server_of(tmp_path / "a", script("true"), language="x")
    ready, entries = (
        {server.id: ReadyServer(built(server, tmp_path), {})},
        [Entry(ServerVariant(server=server))],
    )
    run = RunRecord(id="r", study=StoredStudy(), command="", started=now())
    heard: list[Event] = []
    for _ in range(2):  # As of a run that was killed and goes on.
        with_build_times(
            run, entries, ready, tmp_path / "work", heard.append,
            budget_s=budget_s, measure=measure_builds,
        )  # fmt: skip
    assert bool(run.build_times) is timed
    assert [note.split(":")[0] for note in run.notes] == ([] if timed else ["builds are not timed"])
    assert [event.seconds >= 0 for event in heard if isinstance(event, BuildFinished)] == (
        [True] * 2 if timed else []
    )


def test_another_way_to_build_is_timed_beside_and_is_not_what_runs(tmp_path: Path) -> None:
    log = tmp_path / "log"
    text = (
        script(f"echo release >>{log}")
        + f'also = {{ debug = [["sh", "-c", "echo debug >>{log}"]] }}\n'
    )
    server = server_of(tmp_path / "a", text, language="x")
    made = built(server, tmp_path)
    plain = built(
        server_of(tmp_path / "b", script(f"echo release >>{log}"), language="x"), tmp_path
    )
    assert (plain.digest, plain.cached) == (made.digest, True)
    log.write_text("")
    ready, entries = {server.id: ReadyServer(made, {})}, [Entry(ServerVariant(server=server))]
    for _ in range(2):  # Kept the second time, each way for itself.
        timed = measure_builds(entries, ready, tmp_path / "work", lambda *_, **__: None)
        assert [one.server for one in timed] == ["x/tiny", "x/tiny (debug)"]
        assert [len(one.clean_s) for one in timed] == [3, 3]
    assert log.read_text().split() == ["release"] * 3 + ["debug"] * 3


def test_a_file_that_is_not_there_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"'build.incremental.file' names 'gone.x'"):
        server_of(tmp_path, script("true") + '[build.incremental]\nfile = "gone.x"\n')
