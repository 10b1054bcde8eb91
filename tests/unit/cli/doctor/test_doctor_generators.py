"""What `doctor --generators` shows of a comparison."""

from __future__ import annotations

import io
import itertools

import pytest
from rich.console import Console

from webdyno.cli.doctor.generators import document, remarks, show
from webdyno.generators.cross_check.check import ComparedGenerator, CrossCheck, stall_truth_ms
from webdyno.generators.cross_check.tools.shb import Shb
from webdyno.store.document import plain

QUANTILES = {0.5: 1.25, 0.95: 103.5, 0.99: 182.0, 0.999: 200.0}


def checked(*, load_average: float = 0.1) -> CrossCheck:
    return CrossCheck(
        compared=[
            ComparedGenerator("engine", "1.2", "", 150_000.0, 6.1, 1.0, 5_000_000, QUANTILES),
            ComparedGenerator("wrk", "4.2.0", "4.1.0", 120_000.0, 7.6, 0.8, 5_300_000),
            ComparedGenerator(
                "k6", "1.8.1", "1.8.1", failures=("closed load: k6: exit 1: ['no']",)
            ),
        ],
        missing=[Shb()],
        truth_ms=stall_truth_ms(1000, 4, 64),
        server_cpu=0,
        client_cpu=1,
        load_average=load_average,
    )


def shown(width: int) -> list[str]:
    out = io.StringIO()
    console = Console(file=out, width=width, force_terminal=True, color_system=None)
    show(console, checked())
    return [line.rstrip() for line in out.getvalue().splitlines()]


def cells(lines: list[str], title: str) -> dict[str, list[str]]:
    """The rows of a table by their first cell, up to the text below it."""
    start = lines.index(title) + 2
    rows = (line.split() for line in lines[start:])
    return {
        row[0]: row[1:] for row in itertools.takewhile(lambda row: row and row[0] in NAMES, rows)
    }


NAMES = ("engine", "wrk", "k6", "truth")


def test_two_tables_with_the_truth_below_and_what_is_missing() -> None:
    lines = shown(120)
    cost, latency = cells(lines, "Closed load"), cells(lines, "Open load")
    assert cost["engine"] == ["1.2", "150,000", "6.10", "×", "1.00", "5"]
    assert cost["wrk"] == ["4.2.0", "120,000", "7.60", "×", "0.80", "5"]
    assert cost["k6"] == ["1.8.1", *"––––"]
    assert list(latency) == ["engine", "truth"]
    assert latency["engine"] == ["1.25", "103.50", "182.00", "200.00"]
    assert latency["truth"][0] == "1.00"
    assert "shb is not installed: cargo install shb --version 0.6.0 --locked" in lines


def test_nothing_folds_on_a_terminal_of_80_columns() -> None:
    lines = shown(80)
    assert max(map(len, lines)) <= 80
    assert cells(lines, "Closed load") == cells(shown(120), "Closed load")
    assert cells(lines, "Open load") == cells(shown(120), "Open load")


def test_what_a_program_says_is_shown_as_it_is() -> None:
    """Not taken for the markup of a terminal, which brackets are elsewhere."""
    found = checked()
    words = "exit 1: [error] no such file [/tmp/x]"
    found.compared[1:] = [ComparedGenerator("k6", "[dev] 1.8", "", failures=(words,))]
    out = io.StringIO()
    show(Console(file=out, width=120), found)
    assert f"! k6: {words}" in out.getvalue().splitlines()
    assert "[dev] 1.8" in out.getvalue()


def test_doubts_are_said() -> None:
    said = remarks(checked(load_average=3.0))
    assert [line.partition(":")[0].split()[0] for line in said] == ["other", "wrk", "k6"]
    assert "documentation's figures are for 4.1.0" in said[1]
    assert len(remarks(checked())) == 2


def test_the_document_holds_the_same() -> None:
    made = plain(document(checked()))
    engine, wrk, k6 = made["generators"]
    assert engine["latency_ms"] == {"p50": 1.25, "p95": 103.5, "p99": 182.0, "p999": 200.0}
    assert (wrk["latency_ms"], wrk["documented_version"]) == (None, "4.1.0")
    assert (k6["answers_rps"], len(k6["failures"])) == (None, 1)
    assert made["missing"][0]["name"] == "shb"


def test_the_truth_of_the_server_that_stalls() -> None:
    # 400 of 4,000 requests meet a standstill; the others take 1 ms.
    truth = stall_truth_ms(1000, 4, 1000)
    assert truth[0.5] == pytest.approx(1.0)
    assert 195 < truth[0.999] <= 201
    assert 90 < truth[0.95] < 160
