"""What a test interrupts can be interrupted, also where the tests run in a shell's background; what
a test started ends with a pytest that is terminated; the files that take longest are begun first;
and little time goes into collecting tests and garbage."""

import gc
import os
import signal
from pathlib import Path
from types import FrameType
from typing import NoReturn

import pytest

from support.deselected import is_deselected

# A shell starts its background programs with these ignored, and their children inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGQUIT) is signal.SIG_IGN:
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)
# As on Ctrl-C, fixtures then stop the databases and servers that they started.
if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:

    def end_once(_number: int, _frame: FrameType | None) -> NoReturn:
        """A second signal would cut short what stops them."""
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        raise KeyboardInterrupt

    def default_again() -> None:
        """A fork of a test ends as it would elsewhere, unless it chose otherwise."""
        if signal.getsignal(signal.SIGTERM) is end_once:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)

    signal.signal(signal.SIGTERM, end_once)
    os.register_at_fork(after_in_child=default_again)

# Models of runs are many small objects that live long: as it is, the collector takes a tenth of the
# time to find them alive again and again.
gc.set_threshold(50_000, 20, 20)

# Where workers take whole files, one of these at the end would keep the others waiting for it. The
# first two mostly sleep, which is best done beside whatever works.
LONGEST = (
    "faults/test_stalls.py",
    "faults/test_deadlines.py",
    "end_to_end/test_launcher.py",
    "end_to_end/test_java_servers.py",
    "integration/test_wheel.py",
    "integration/test_cheats_in_trials.py",
    "integration/test_shared_starts.py",
    "integration/test_scaffold.py",
    "integration/test_same_answers.py",
    "integration/test_api.py",
    "end_to_end/test_overload.py",
    "end_to_end/test_run.py",
    "end_to_end/test_gate.py",
    "end_to_end/test_resume.py",
    "faults/test_homes.py",
    "browser/test_report_page.py",
    "end_to_end/test_hit.py",
    "end_to_end/test_php_servers.py",
)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Files of which no test would run are not imported, by each worker anew."""
    is_test = collection_path.match("test_*.py")
    return (is_test and is_deselected(collection_path, config.option.markexpr)) or None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The files of `LONGEST` first, in its order."""
    gone = [name for name in LONGEST if not (Path(__file__).parent / "tests" / name).is_file()]
    assert not gone, f"conftest.py, LONGEST: there is no {', '.join(gone)} in tests/"
    ranks = {name: rank for rank, name in enumerate(LONGEST)}
    items.sort(key=lambda item: ranks.get("/".join(item.path.parts[-2:]), len(ranks)))


def pytest_collection_finish() -> None:
    """What is there now stays to the end, and need not be looked through for garbage."""
    gc.freeze()
