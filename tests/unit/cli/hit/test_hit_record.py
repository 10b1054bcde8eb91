"""What `hit` does where the requests of a load cannot be recorded to the end."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

import pytest

from support.engine_output import engine_output
from webdyno.cli.hit.run import run_recorded
from webdyno.errors import UserError
from webdyno.generators.progress import LoadProgress

if TYPE_CHECKING:
    from webdyno._engine import Load

MEASURED = json.dumps({"connections_opened": 0, **engine_output()})


class Ended:
    """A load that has ended: it gives, or raises, one of `answers` after the other."""

    def __init__(self, *answers: str | RuntimeError) -> None:
        self._answers = list(answers)

    def start(self) -> None:
        """It begins."""

    def wait(self, _timeout_s: float) -> bool:
        """It has ended."""
        return True

    def result(self) -> str:
        """The next answer."""
        answer = self._answers.pop(0)
        if isinstance(answer, RuntimeError):
            raise answer
        return answer


class Unwatched:
    def update(self, progress: LoadProgress) -> None:
        raise AssertionError(progress)


def outcome(*answers: str | RuntimeError) -> tuple[int, str]:
    result, unrecorded = run_recorded(cast("Load", Ended(*answers)), Unwatched())
    return result.counts.ok, unrecorded


def test_a_full_disk_takes_nothing_from_the_figures() -> None:
    full = RuntimeError("record: x.jtl: not complete: No space left on device; make room there")
    assert outcome(full, MEASURED) == (
        1000,
        "--record: x.jtl: not complete: No space left on device; make room there",
    )


def test_a_record_that_was_written_is_not_spoken_of() -> None:
    assert outcome(MEASURED) == (1000, "")


@pytest.mark.parametrize("said", ["load: a thread failed", "record: x.jtl: cannot be written"])
def test_what_the_engine_has_no_result_of_is_refused(said: str) -> None:
    with pytest.raises(UserError, match=said.replace("record:", "--record:")):
        outcome(*(RuntimeError(said) for _ in range(2)))
