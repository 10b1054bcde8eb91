"""`webdyno outdated`: what is said where no client could be asked."""

from __future__ import annotations

import pytest

from webdyno.cli.outdated import _show
from webdyno.outdated.survey import RegistryAnswer

CURRENT = "everything is up to date"


def test_nothing_is_said_to_be_current_of_what_nobody_could_tell(
    capsys: pytest.CaptureFixture[str],
) -> None:
    missing = RegistryAnswer("php/laravel", unanswered=["composer is not installed"])
    _show([missing], ["cpp/pistache"])
    said = capsys.readouterr().out
    assert CURRENT not in said
    assert "php/laravel: unknown: composer is not installed" in said
    assert "not checked, because no client is known: cpp/pistache" in said
    _show([missing, RegistryAnswer("go/gin")], [])
    assert CURRENT in capsys.readouterr().out
