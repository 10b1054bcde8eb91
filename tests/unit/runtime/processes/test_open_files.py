"""How many files a started program may have open, whatever limit this process has by then."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from webdyno.runtime.confinement.confine import Confinement
from webdyno.runtime.processes.open_files import ENOUGH, MOST_FILES, most_files
from webdyno.runtime.processes.process import LaunchError, ManagedProcess, plain_environment

FILES = resource.RLIMIT_NOFILE


@contextmanager
def soft_limit(number: int) -> Iterator[None]:
    """This process with another limit, as a load of so many connections leaves it."""
    soft, hard = resource.getrlimit(FILES)
    resource.setrlimit(FILES, (number, hard))
    try:
        yield
    finally:
        resource.setrlimit(FILES, (soft, hard))


def limits_told(folder: Path, confinement: Confinement | None) -> list[int]:
    """The soft and the hard limit that a program says it has."""
    process = ManagedProcess.start(
        ["sh", "-c", "ulimit -S -n; ulimit -H -n"],
        name="teller",
        cwd=folder,
        env=plain_environment(),
        log=folder / "log",
        confinement=confinement,
    )
    assert process.wait(10) == 0
    told = process.log_tail(2)
    process.stop()
    return [int(line) for line in told.splitlines()]


@pytest.mark.parametrize("confined", [True, False])
def test_it_does_not_depend_on_the_loads_before(tmp_path: Path, confined: bool) -> None:
    hard = resource.getrlimit(FILES)[1]
    for soft in (1000, min(2 * MOST_FILES, hard)):
        confinement = Confinement.open(use_groups=False) if confined else None
        with soft_limit(soft):
            assert limits_told(tmp_path, confinement) == [MOST_FILES, hard]


def test_it_is_enough_where_that_may_be_and_never_more_than_may_be() -> None:
    assert most_files(1024, 1 << 30) == ENOUGH
    assert most_files(1024, 4096) == 4096
    assert most_files(1 << 20, 1 << 20) == 1 << 20
    assert most_files(1024, resource.RLIM_INFINITY) == ENOUGH


def test_a_program_that_cannot_be_started_is_named_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no program")

    def start(program: str) -> None:
        ManagedProcess.start(
            [program], name="it", cwd=tmp_path, env=plain_environment(), log=tmp_path / "log"
        )

    with pytest.raises(LaunchError, match=r"^it: cannot start './text': Permission denied$"):
        start("./text")
    with pytest.raises(LaunchError, match=r"^it: cannot start 'no-such-program': No such file .*;"):
        start("no-such-program")
