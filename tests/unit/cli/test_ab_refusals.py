"""What `ab` refuses before it loads anything."""

from pathlib import Path

import pytest

from webdyno.cli.ab import ab
from webdyno.errors import UserError

URLS = ["http://localhost:1/", "http://localhost:2/"]


def test_a_report_of_running_services_is_refused_at_once() -> None:
    with pytest.raises(UserError, match="--html is for versions that ab builds and starts"):
        ab(url=URLS, html=Path("report.html"))


def test_what_starts_a_version_is_refused_beside_one_that_runs() -> None:
    with pytest.raises(UserError, match="--env is for versions that ab builds and starts"):
        ab(url=URLS, env=["A=1"])
