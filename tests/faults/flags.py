"""Command lines made up at random: each is taken, or refused in one line within a second.

They go through the command line's own entry point, in this process. Where work would begin (a
build, a load, a run), it is left again: what is tested is what is made of the arguments.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

from hypothesis import strategies as st
from tests.faults.fuzz import Stopwatch, must_be_one_line

from webdyno.cli import commands
from webdyno.cli.main import main
from webdyno.store.records import RunRecord
from webdyno.store.store import Store

FORMS = Path(__file__).resolve().parents[1] / "unit" / "store" / "forms.jsonl"

FUZZED = (
    "run", "hit", "list", "verify", "report", "capacity", "compare", "gate", "history", "claims",
    "new",
)  # fmt: skip
"""All but `doctor` and `test`, which work whatever they are given."""

REFUSED, TAKEN = 2, (0, 1)

_PLAUSIBLE = (
    "3m", "10s", "5", "0", "1", "-1", "1e9", "nan", "inf", "0.5", "node/http", "node/http,go/chi",
    "hello", "json", "quick", "latest", "p99 < 100ms", "p99 < 100ms, errors < 1%", "http://127.0.0.1:1/",
    "https://localhost/x?y=1", "h2c://[::1]:8/", "GET", "0-3,8", "0", "25M/day", "0.10/h", "fifo",
    "Name: value", "100/s:10s,200/s:5s", "100/s->200/s:10s", "server", "study", "all", "runs",
    "sound", "both", "throughput_rps", "node/mine", "mine", "out.json", "no/such/out.html",
)  # fmt: skip
_HOSTILE = (
    "", " ", "-", "--", "--x", "=", ",", ",,", "@", "/", ".", "..", "../../nowhere/file", "\n",
    "\x1b[31m", "\udcff", "ünï", "9" * 400, "1" * 400 + "GB", "9" * 400 + "h", "1e400", "-1e-400",
    "0x10", "١٢", "1_0", "[" * 3000, "a." * 3000, "{}" * 200, "%s%n", "$(touch x)", "/dev/zero",
    "/dev/null", "/proc/self/mem", "http://", "http://[", "http://a:99999/", "0-99999999",
    "a" * 5000,
)  # fmt: skip


class Began(BaseException):
    """The arguments were taken, and the work would begin."""


@st.composite
def _values(draw: st.DrawFn) -> str:
    """A value that may be meant, one that is not, or one with a part of it changed."""
    value = draw(st.sampled_from(draw(st.sampled_from([_PLAUSIBLE, _PLAUSIBLE, _HOSTILE]))))
    if value and draw(st.booleans()):
        at = draw(st.integers(0, len(value)))
        upto = draw(st.integers(at, min(len(value), at + 3)))
        value = value[:at] + draw(st.text(max_size=3)) + value[upto:]
    return value.replace("\0", "")  # Which no argument can hold.


@st.composite
def command_lines(draw: st.DrawFn) -> list[str]:
    """A command with some of its own arguments and options, and now and then another word."""
    name = draw(st.sampled_from(FUZZED))
    parameters = commands.load(name).params
    positional = [one for one in parameters if one.param_type_name == "argument"]
    options = [one for one in parameters if one.param_type_name == "option"]
    line = [name]
    line += [draw(_values()) for _ in positional[: draw(st.integers(0, len(positional)))]]
    for _ in range(draw(st.integers(0, 4)) if options else 0):
        option: Any = draw(st.sampled_from(options))
        line.append(draw(st.sampled_from([*option.opts, *option.secondary_opts])))
        if not getattr(option, "is_flag", False):
            line.append(draw(_values()))
    if draw(st.integers(0, 9)) == 0:
        line.insert(draw(st.integers(0, len(line))), draw(st.sampled_from(_HOSTILE)))
    return line


@contextlib.contextmanager
def without_work(folder: Path) -> Iterator[None]:
    """In `folder`, where files may be left, and with nothing begun that the arguments ask for."""

    def begin(*_: Any, **__: Any) -> None:
        raise Began

    places = (
        "webdyno.run.run_study.run_study",
        "webdyno.run.verify.prepare_server",
        "webdyno.cli.hit.run.run",
        "webdyno.cli.hit.objective.search",
        "webdyno.ab.running.comparison.RunningComparison.run",
        "webdyno.cli.gate.new_run.run_now",
    )
    before = Path.cwd()
    with contextlib.ExitStack() as stack:
        for place in places:
            stack.enter_context(mock.patch(place, begin))
        # In a fork of this process the tests themselves would go on where the work is refused.
        for module in (
            "cli.run",
            "cli.verify",
            "cli.gate.command",
            "runtime.processes.supervision",
        ):
            place = f"webdyno.{module}.supervised"
            stack.enter_context(mock.patch(place, lambda work, _temporary: work()))
        stack.enter_context(mock.patch("webdyno.cli.hit.target.check_reachable"))
        changed = {"WEBDYNO_HOME": str(folder / "home"), "TMPDIR": str(folder)}
        stack.enter_context(mock.patch.dict(os.environ, changed))
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def check_line(line: list[str]) -> bool:
    """Whether the command line is taken; raises `AssertionError` where it is neither taken nor
    refused as it should be."""
    out, err = io.StringIO(), io.StringIO()
    before = dict(os.environ)
    watch = Stopwatch()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(line)
    except Began:
        return True
    finally:
        in_time = watch.is_in_time()
        os.environ.clear()
        os.environ.update(before)
    if code in TAKEN:
        return True
    assert code == REFUSED, (line, code, err.getvalue())
    must_be_one_line(err.getvalue())
    assert in_time, line
    return False


def check_study(name: str, data: bytes, folder: Path) -> bool:
    """The same of a study's file that holds `data`."""
    path = folder / name
    path.write_bytes(data)
    return check_line(["run", str(path)])


def warm_up() -> None:
    """Have imported what every command needs, which is no part of reading its arguments; and have
    one run stored, for those that read it."""
    home = Path(os.environ["WEBDYNO_HOME"])
    store = Store.open(home / "webdyno.sqlite")
    run = RunRecord.model_validate(json.loads(FORMS.read_text().splitlines()[-1])["run"])
    store.save_run(run)
    for trial in run.trials:
        store.add_trial(trial)
    store.close()
    lines = (
        "run", "hit http://127.0.0.1:1/", "verify node/http", "list", "report", "capacity",
        "compare latest", "history", "claims",
    )  # fmt: skip
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        for line in lines:
            with contextlib.suppress(Began):
                main(line.split())
