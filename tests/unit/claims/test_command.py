"""`webdyno claims`: what it prints, its exit codes, and what it says of bad files."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from webdyno.cli.main import main

GOOD = """
name = "mine"
title = "One server"
source = "a test"

[[tables]]
name = "one"
load = { kind = "closed", connections = 10, duration = "10s" }

[[tables.rows]]
label = "a"
throughput = 1000
mean = "10ms"
"""


def written(folder: Path, text: str, name: str = "mine.toml") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_nothing_contradicts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["claims", written(tmp_path, GOOD)]) == 0
    shown = capsys.readouterr().out
    assert "Contradicted" not in shown
    assert "Throughput × mean latency gives the 10 connections: 10 (a)." in shown


def test_contradictions_have_exit_code_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = GOOD.replace('"10ms"', '"40ms"')
    assert main(["claims", written(tmp_path, wrong)]) == 1
    assert "Contradicted (1)\n- certain: a: 1000/s × 40ms is 40 requests" in (
        capsys.readouterr().out
    )


def test_by_name_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["claims", "sha256-spike", "--json"]) == 1
    held = json.loads(capsys.readouterr().out)
    assert held["name"] == "sha256-spike"
    assert held["sha256_bytes_per_s"]["here"] > 0
    bad = [one for one in held["findings"] if one["outcome"] == "contradicts"]
    assert held["contradictions"] == len(bad)
    assert set(bad[0]) == {"check", "outcome", "sureness", "sentence", "table"}


def test_several_files_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = written(tmp_path, GOOD)
    wrong = GOOD.replace('"10ms"', '"40ms"').replace("mine", "other").replace("One", "Another")
    bad = written(tmp_path, wrong, "other.toml")
    assert main(["claims", good, bad]) == 1
    shown = capsys.readouterr().out
    assert shown.index("One server") < shown.index("Another server") < shown.index("Contradicted")
    assert main(["claims", good, bad, "--json"]) == 1
    held = json.loads(capsys.readouterr().out)
    assert [(one["name"], one["contradictions"]) for one in held] == [("mine", 0), ("other", 1)]
    # Nothing is shown of those before one that cannot be read.
    assert main(["claims", good, str(tmp_path / "none.toml")]) == 2
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("name = ", "not valid TOML"),
        ("name = 'mine'", "missing key"),
        (GOOD.replace('"mine"', '"other"'), "must equal the file name"),
        (GOOD.replace("throughput", "throughputs"), "did you mean 'throughput'?"),
        (GOOD.replace('"10ms"', '"10 parsecs"'), "'10 parsecs' cannot be read"),
        (
            GOOD.replace('"10ms"', "true"),
            "key 'mean' in the first [[tables.rows]] in the first [[tables]]",
        ),
        (GOOD.replace("1000", "inf"), "'inf' cannot be read"),
        (GOOD.replace("1000", "-5"), "'-5' cannot be read"),
        (GOOD.replace("1000", "1" * 4000), "cannot be read"),
        (GOOD.replace("connections = 10, ", ""), "a closed load needs 'connections'"),
        (GOOD.replace('"closed"', '"open"'), "an open load needs 'phases'"),
        (GOOD.replace('"closed"', '"iterations"'), "needs 'users' and 'iterations'"),
        (GOOD + 'runs_on = "b"', "runs_on 'b' is not a label"),
        (GOOD + '[[tables.rows]]\nlabel = "a"', "label 'a' is used twice"),
        (GOOD + '[[statements]]\nsays = "x"\ntable = "two"', "no table 'two'"),
        (GOOD + '[[statements]]\nsays = "x"\ntable = "one"\nof = "a"', "both 'of' and 'to'"),
        (
            GOOD + '[[statements]]\nsays = "x"\ntable = "one"\nof = "a"\nto = "z"',
            "has no row 'z'",
        ),
        (GOOD.partition("[[tables]]")[0], "no table and no statement"),
        (GOOD.replace("connections = 10", "connections = 1" + "0" * 400), "connections"),
        (GOOD.replace('"10s"', '"1' + "0" * 305 + 's"'), "duration"),
        (GOOD + "hash_slowdown = inf", "hash_slowdown"),
    ],
)
def test_a_bad_file_is_told_in_a_line(
    text: str, named: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["claims", written(tmp_path, text)]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert named in shown.err
    assert shown.err.count("\n") == 1


def test_an_unknown_name_is_told_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["claims", "point-lookupp"]) == 2
    assert "did you mean 'point-lookup'?" in capsys.readouterr().err


def test_what_is_no_file_is_not_waited_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "folder.toml").mkdir()
    os.mkfifo(tmp_path / "pipe.toml")
    for name in ("folder.toml", "pipe.toml"):
        assert main(["claims", str(tmp_path / name)]) == 2
        assert "not a file" in capsys.readouterr().err


def test_zeros_are_no_fault_of_ours(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = '[[tables.rows]]\nlabel = "b"\nthroughput = 0\nmean = "0ms"\nsamples = 0\n'
    rows += 'ok = 0\ntimeouts = 0\nbytes_per_s = "0B"\nread = "0B"\nerror_share = "0%"\n'
    rows += (
        '[[tables.rows]]\nlabel = "all"\ntotal = true\nthroughput = 0\nsamples = 0\nmean = "0s"\n'
    )
    rows += '[[statements]]\nsays = "x"\ntable = "one"\nof = "b"\nto = "a"\nmore = "0%"\n'
    rows += '[[statements]]\nsays = "x"\ntable = "one"\nof = "a"\nto = "b"\n'
    rows += '[[statements]]\nsays = "x"\ntable = "one"\nof = "b"\nto = "a"\nmetric = "mean"\n'
    assert main(["claims", written(tmp_path, GOOD + rows)]) in (0, 1)
    assert capsys.readouterr().err == ""
