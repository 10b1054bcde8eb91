"""One load of `hit`, from the engine's specification to its result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from webdyno.errors import UserError
from webdyno.generators.engine import parse, read_engine_message
from webdyno.generators.progress import LoadProgress
from webdyno.generators.result import LoadResult
from webdyno.generators.specification import LoadSpec

if TYPE_CHECKING:
    from webdyno._engine import Load

_LOOK_S = 0.1
_END_S = 10.0


class Watcher(Protocol):
    """Is shown how far a load is."""

    def update(self, progress: LoadProgress) -> None:
        """Show it."""


def prepare(spec: LoadSpec) -> Load:
    """The engine's load, not started. Raises `UserError` for what it refuses."""
    from webdyno._engine import Load

    try:
        return Load(spec.json_text())
    except ValueError as error:
        raise UserError(_by_option(str(error))) from None


_OPTIONS = {
    "target.tls.ca_file": "--cacert",
    "target.tls": "--cacert",
    "http2.streams": "--streams",
    "load.duration_s": "--duration",
    "load.connections": "--connections",
    "load.users": "--users",
    "load.iterations": "--iterations",
    "load.phases": "--phases",
    "timeout_s": "--timeout",
    "threads": "--threads",
    "cpus": "--cpus",
    "record": "--record",
}
"""By the key of the engine's specification, what the user typed."""


def _by_option(error: str) -> str:
    """What the engine refuses, by the name of the option instead of that of its own key."""
    key, colon, said = error.partition(": ")
    said = said.replace("by ca_file, or set insecure", "by --cacert, or add --insecure")
    return f"{_OPTIONS.get(key, key)}{colon}{said}"


def run(load: Load, line: Watcher) -> LoadResult:
    """Run to the end; the first Ctrl-C ends the load early, a second one everything.

    Raises `UserError` where the engine cannot make it.
    """
    return run_recorded(load, line)[0]


def run_recorded(load: Load, line: Watcher) -> tuple[LoadResult, str]:
    """The same; also what kept the file of --record from being written to its end, in a line, which
    takes nothing from the result. Empty where nothing did."""
    try:
        load.start()
        try:
            while not load.wait(_LOOK_S):
                line.update(read_engine_message(LoadProgress, load.progress()))
        except KeyboardInterrupt:
            load.stop()
            load.wait(_END_S)
        return _result(load)
    except RuntimeError as error:
        raise UserError(_by_option(str(error))) from None


def _result(load: Load) -> tuple[LoadResult, str]:
    try:
        return parse(load.result()), ""
    except RuntimeError as error:
        told = str(error)
        if not told.startswith("record: "):
            raise
    return parse(load.result()), _by_option(told)
