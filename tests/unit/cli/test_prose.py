"""Texts that a terminal gets in lines of its width, and a pipe as they are."""

from __future__ import annotations

import sys

import pytest

from webdyno.cli.prose import hanging

TEXT = "  1  4,000/s  held\n  2  5,000/s  failed  1.37% late or failed: the generator sent late"


@pytest.mark.parametrize(
    ("terminal", "shown"),
    [
        (False, TEXT),
        (
            True,
            "  1  4,000/s  held\n  2  5,000/s  failed  1.37% late or\n"
            "      failed: the generator sent late",
        ),
    ],
)
def test_a_terminal_gets_lines_that_fit(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, shown: str
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)
    assert hanging(TEXT, " " * 6) == shown
