"""Values that several commands read alike."""

import pytest

from webdyno.cli.main import main


@pytest.mark.parametrize(
    "given",
    [
        ["run", "quick"],
        ["run", "board"],
        ["ab", "--url", "http://localhost:1/", "--url", "http://localhost:2/"],
        ["check", "--since", "main"],
        ["gate", "--baseline", "latest"],
        ["outdated"],
    ],
)
def test_no_command_takes_a_budget_of_three_for_seconds(
    given: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*given, "--budget", "3"]) == 2
    said = capsys.readouterr().err.rstrip("\n")
    assert said == "webdyno: --budget: '3' has no unit; write 3m for minutes or 3s for seconds"


@pytest.mark.parametrize("text", ["nan", "1e-2", "5", "few"])
@pytest.mark.parametrize(
    ("option", "given", "bounds"),
    [
        ("--margin", ["ab"], "0.1% to 99%"),
        ("--margin", ["check", "--since", "main"], "0.1% to 99%"),
        ("--tolerance", ["hit", "http://localhost:1/", "--objective", "p99 < 1s"], "1% to 50%"),
    ],
)
def test_a_share_is_read_alike_by_every_option(
    option: str, given: list[str], bounds: str, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*given, option, text]) == 2
    said = capsys.readouterr().err.rstrip("\n")
    assert said == (
        f"webdyno: {option}: '{text}' is not a share from {bounds}; write it like 5% or 0.05"
    )


@pytest.mark.parametrize(
    ("option", "given", "said"),
    [
        ("--page-views", "25M", "'25M' is not a number of page views; write it like 25M/day"),
        ("--page-views", "5000/s", "'5000/s' is a rate; give a peak rate with --rate"),
        ("--rate", "5000/day", "'5000/day' is not a rate; write it like 150/s"),
        ("--rate", "0/s", "'0/s' is not a valid rate; it must be above 0/s"),
        ("--peak", "40", "the peak is 40 times the mean; give from 1 to 20"),
        ("--objective", "fast", "'fast' is not an objective; write it like p99 < 100ms"),
        ("--price", "cheap", "'cheap' is not a price; write it like 0.10/h or 73/month"),
    ],
)
def test_a_refusal_of_a_demand_names_the_option(
    option: str, given: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["capacity", option, given]) == 2
    assert capsys.readouterr().err.startswith(f"webdyno: {option}: {said}")


def test_traffic_is_given_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["capacity", "--page-views", "25M/day", "--rate", "5000/s"]) == 2
    assert capsys.readouterr().err.startswith("webdyno: --rate and --page-views cannot be combined")


def test_headroom_is_a_share_that_may_be_more_than_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["capacity", "--headroom", "-1"]) == 2
    said = capsys.readouterr().err.rstrip("\n")
    assert "--headroom: '-1' is not a share from 0% to 100000%" in said


@pytest.mark.parametrize("text", ["0.5s", "2h"])
def test_the_time_of_a_start_is_refused_by_the_option_in_its_own_unit(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ab", "--start-timeout", text]) == 2
    told = f"webdyno: --start-timeout: '{text}' is no time for a start; write one from 1s to 1h"
    assert capsys.readouterr().err.rstrip("\n") == told
