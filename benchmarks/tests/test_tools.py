"""Each tool's output, as it was recorded, is read right."""

from pathlib import Path

import pytest
from benchmarks.load_generators.tools import TOOLS

from webdyno.generators.cross_check.tools.wrk2 import Wrk2

RECORDED = Path(__file__).parent / "recorded"


@pytest.mark.parametrize(
    ("name", "file", "requests", "elapsed_s"),
    [
        ("wrk", "wrk.txt", 68717, 1.10),
        ("wrk2", "wrk2.txt", 487, 1.01),
        ("shb", "shb.json", 70516, 1.004301206),
        ("h2load", "h2load.txt", 39700, 1.01),
        ("autocannon", "autocannon.json", 46088, 1.02),
        ("oha", "oha.json", 37798, 1.001452328),
        ("k6", "k6.json", 7716, 1.003083073),
    ],
)
def test_totals(name: str, file: str, requests: int, elapsed_s: float) -> None:
    tool = TOOLS[name]
    answer = tool.parse((RECORDED / file).read_text())
    assert (answer.requests, answer.elapsed_s) == (requests, elapsed_s)


@pytest.mark.parametrize("name", ["wrk", "wrk2", "h2load"])
def test_output_without_totals_is_an_error(name: str) -> None:
    tool = TOOLS[name]
    with pytest.raises(ValueError, match="no totals"):
        tool.parse("unable to connect to 127.0.0.1:8080 Connection refused\n")


def test_wrk2_tells_its_percentiles_once_each() -> None:
    answer = Wrk2().parse((RECORDED / "wrk2.txt").read_text())
    assert answer.quantiles_ms == {0.5: 2.65, 0.99: 36.61, 0.999: 48.22}
