"""What set-up refuses before it begins, and what it says of a step that failed."""

from __future__ import annotations

import errno
from types import SimpleNamespace

import pytest

import environment
import needs
from layout import Layout


def refused() -> list[str]:
    return needs.missing(Layout.here(), [])


def test_this_machine_has_what_loads_need() -> None:
    assert [line for line in refused() if "glibc" in line or "epoll_pwait2" in line] == []


@pytest.mark.parametrize("says_no", [OSError(22, "Invalid argument"), ValueError("unrecognized")])
def test_a_machine_with_another_c_library_is_refused(
    monkeypatch: pytest.MonkeyPatch, says_no: Exception
) -> None:
    def confstr(_name: str) -> str:
        raise says_no

    monkeypatch.setattr(needs.os, "confstr", confstr)
    assert "glibc is missing" in refused()[0]


@pytest.mark.parametrize(
    ("error", "is_refused"),
    [(errno.ENOSYS, True), (errno.EPERM, True), (errno.EBADF, False), (errno.EINVAL, False)],
)
def test_a_kernel_without_the_call_by_which_loads_wait_is_refused(
    monkeypatch: pytest.MonkeyPatch, error: int, is_refused: bool
) -> None:
    library = SimpleNamespace(syscall=lambda *_: -1)
    monkeypatch.setattr(needs.ctypes, "CDLL", lambda *_, **__: library)
    monkeypatch.setattr(needs.ctypes, "get_errno", lambda: error)
    found = [line for line in refused() if line.endswith("use Linux 5.11 or newer")]
    assert bool(found) == is_refused


@pytest.mark.parametrize(
    ("tail", "said"),
    [
        (["ERROR: No matching distribution found for vl-convert-python==1.9.0"], "for this Python"),
        (
            [
                "WARNING: Retrying after connection broken by 'NewConnectionError'",
                "ERROR: No matching distribution found for numpy==2.3.1",
            ],
            "could not be reached",
        ),
        (["ReadTimeoutError: read timed out"], "could not be reached"),
        (["error[E0308]: mismatched types"], ""),
    ],
)
def test_a_package_that_is_not_made_for_this_machine_is_no_broken_network(
    tail: list[str], said: str
) -> None:
    found = environment._remedy("Python packages failed", tail)
    assert said in found
    assert bool(found) == bool(said)
