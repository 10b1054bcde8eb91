"""The answer as it is written: in the terminal, and for others."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from xml.etree import ElementTree

import pytest
from rich.console import Console

from support.compared_run import run_of
from support.output_schemas import validated
from webdyno.ab.conclusion import formats
from webdyno.ab.conclusion.about import About
from webdyno.ab.conclusion.answer import ComparisonAnswer, answer_of, conclude
from webdyno.ab.conclusion.answer_differences import AnswersCompared, VersionDifference
from webdyno.ab.conclusion.broken import BrokenVersion
from webdyno.ab.conclusion.show import show
from webdyno.ab.study.pairing import Pairing


def differing(pair: Pairing) -> ComparisonAnswer:
    compared = AnswersCompared(
        1, [VersionDifference("GET /", "body total", "1|2", "<b>")], ["header x-id"]
    )
    return answer_of(pair, run_of(pair, 6, slower=0.10), compared)


def test_the_terminal_tells_differing_answers_first(pair: Pairing) -> None:
    with StringIO() as screen:
        console = Console(width=80, record=True, file=screen, force_terminal=True)
        show(differing(pair), "report.html", console)
        shown = console.export_text()
    assert max(map(len, shown.splitlines())) <= 80
    assert shown.index("The answers differ in 1 place:") < shown.index("B is slower than A")
    assert "A  main (1f3)" in shown
    assert "header x-id" in shown


def test_in_a_pipe_no_sentence_is_wrapped(pair: Pairing) -> None:
    answer = differing(pair)
    with StringIO() as pipe:
        show(answer, "report.html", Console(width=30, file=pipe))
        lines = pipe.getvalue().splitlines()
    assert answer.headline in lines
    assert answer.about.evidence in lines
    assert set(answer.first) <= set(lines)
    assert f"A  {answer.about.names[0]}" in lines


def test_markdown_is_a_comment(pair: Pairing) -> None:
    text = formats.markdown(differing(pair))
    assert text.startswith("### ❌ shop: B is slower than A by ")
    assert "A = `main (1f3)`, B = `HEAD (9c2)`" in text
    assert "1\\|2 in A, &lt;b>" in text
    row = next(line for line in text.splitlines() if line.startswith("| CPU per request |"))
    assert row.count("|") == 6
    assert "slower" in row


@pytest.mark.parametrize(
    ("stored", "told"),
    [
        (
            "./webdyno ab --plain -r 'GET /a b' --markdown '/tmp/a b/x.md' --json=x.json --junit j "
            "--html r.html -- 'HEAD^1' HEAD",
            "webdyno ab -r 'GET /a b' -- 'HEAD^1' HEAD",
        ),
        ("./webdyno ab main -- --plain", "webdyno ab main -- --plain"),
        ("./webdyno ab 'main", "./webdyno ab 'main"),
    ],
)
def test_a_comment_has_the_command_without_where_it_wrote(
    pair: Pairing, stored: str, told: str
) -> None:
    answer = differing(pair)
    answer = replace(answer, about=replace(answer.about, run="1", command=stored))
    assert formats.markdown(answer).endswith(f" Run `1`, `{told}`</sub>\n")


@pytest.mark.parametrize(
    ("notes", "command", "claims", "told"),
    [
        (3, "webdyno ab main", 1, ""),
        (500, "webdyno ab main", 1, " notes"),
        (500, f"webdyno ab {'-r /a ' * 20_000}", 1, "500 notes, 1 difference and the command"),
        (1, "webdyno ab main", 2000, "1 note, 1 difference, the command and "),
    ],
)
def test_a_comment_is_no_longer_than_github_takes(
    pair: Pairing, notes: int, command: str, claims: int, told: str
) -> None:
    answer = differing(pair)
    whole = replace(
        answer,
        about=replace(answer.about, run="1", command=command),
        claims=[*answer.claims, *(answer.claims[:1] * claims)],
        notes=[f"{number} {'x' * 200}" for number in range(notes)],
    )
    text = formats.markdown(whole)
    assert len(text) <= formats.MOST_CHARACTERS
    assert text.startswith(f"### ❌ shop: {answer.headline}\n")
    assert "\n| CPU per request |" in text
    assert text.endswith("</sub>\n")
    assert answer.about.evidence in text
    left_out = text.partition("- left out, because the comment would be too long: ")[2]
    assert told in left_out
    assert bool(left_out) == bool(told)
    assert ("- 0 xxx" in text) == ("1 note," not in left_out and "500 notes" not in left_out)
    # Most of what it may hold is used.
    assert not told or len(text) > formats.MOST_CHARACTERS - 1000 or "the command" in left_out


@pytest.mark.parametrize("character", ["y", "<", "&"])
def test_a_headline_is_cut_where_it_would_be_the_whole_comment(
    pair: Pairing, character: str
) -> None:
    text = formats.markdown(replace(differing(pair), headline=character * 100_000))
    assert len(text) <= formats.MOST_CHARACTERS
    assert "…" in text.splitlines()[0]
    assert "\n| CPU per request |" in text


def test_junit_has_a_case_a_claim(pair: Pairing) -> None:
    suite = ElementTree.fromstring(formats.junit(differing(pair)))
    cases = {case.get("name", ""): case for case in suite.findall("testcase")}
    assert suite.get("tests") == str(len(cases)) == "6"
    failure = cases["CPU per request"].find("failure")
    assert failure is not None
    assert failure.text == differing(pair).headline
    assert "CPU per request at 5,000/s" in cases
    assert cases["does its work"].find("failure") is None
    assert suite.get("failures") == str(len(suite.findall(".//failure")))
    unsettled = answer_of(pair, run_of(pair, 4), AnswersCompared(1))
    suite = ElementTree.fromstring(formats.junit(unsettled))
    assert int(suite.get("skipped", "0")) >= 1
    assert suite.get("failures") == "0"


def test_json_holds_it_all(pair: Pairing) -> None:
    held = validated("ab", formats.dumps(differing(pair)))
    assert (held["outcome"], held["exit_code"]) == ("worse", 1)
    assert held["versions"]["b"] == {"told": "HEAD (9c2)", "commit": "9c2"}
    assert held["answers"]["differences"][0]["what"] == "body total"
    assert {claim["load"] for claim in held["claims"]} == {"full", "steady"}
    assert held["claims"][0]["change"] == pytest.approx(0.1, abs=0.04)


def test_a_broken_b_leaves_no_doubt_in_any_format() -> None:
    about = About("shop", ("main", "HEAD"))
    found = conclude(
        about, [], [BrokenVersion("b", "GET / was answered 500")], AnswersCompared(0), [], []
    )
    assert found.exit_code == 1
    assert "GET / was answered 500" in formats.markdown(found)
    suite = ElementTree.fromstring(formats.junit(found))
    assert suite.get("failures") == "1"


def test_what_a_broken_b_left_undone_neither_passes_nor_lacked_time(pair: Pairing) -> None:
    broken = [BrokenVersion("b", "shop/b exited with 1 at start")]
    found = answer_of(pair, run_of(pair, 0), AnswersCompared(0), broken)
    assert {claim.reason for claim in found.claims} == {"B fails verification"}
    alike = ElementTree.fromstring(formats.junit(found)).find("testcase[@name='answers as A does']")
    assert alike is not None
    assert alike.find("skipped") is not None


def test_a_version_that_was_not_built_is_told_as_such_everywhere(pair: Pairing) -> None:
    broken = [BrokenVersion("b", "'npm ci' exited with 1", "build")]
    found = answer_of(pair, run_of(pair, 0), AnswersCompared(0), broken)
    told = "could not be built: 'npm ci' exited with 1"
    assert formats.markdown(found).startswith(f"### ❌ shop: B {told}\n")
    works = ElementTree.fromstring(formats.junit(found)).find("testcase[@name='does its work']")
    assert works is not None
    failure = works.find("failure")
    assert failure is not None
    assert failure.get("message") == told
    assert validated("ab", formats.dumps(found))["broken"][0]["at"] == "build"


def test_answers_that_must_match_fail_as_answers_and_not_as_work(pair: Pairing) -> None:
    compared = AnswersCompared(1, [VersionDifference("GET /", "body", "x", "y")], must_match=True)
    broken = [BrokenVersion("b", compared.fault)]
    suite = ElementTree.fromstring(
        formats.junit(answer_of(pair, run_of(pair, 0), compared, broken))
    )
    works, alike, *measured = suite.findall("testcase")
    assert (works.get("name"), works.find("failure")) == ("does its work", None)
    failure = alike.find("failure")
    assert failure is not None
    assert "GET /: body: x in A, y in B" in failure.get("message", "")
    assert suite.get("failures") == "1"
    # Nothing of the rest was measured.
    assert len(measured) > 3
    assert all(case.find("skipped") is not None for case in measured)


def test_differing_answers_do_not_pass_as_the_same(pair: Pairing) -> None:
    one = VersionDifference("GET /", "body", "x", "y")
    found = answer_of(pair, run_of(pair, 4), AnswersCompared(1, [one]))
    alike = ElementTree.fromstring(formats.junit(found)).find("testcase[@name='answers as A does']")
    assert alike is not None
    left_out = alike.find("skipped")
    assert left_out is not None
    assert "GET /: body: x in A, y in B" in left_out.get("message", "")
    same = answer_of(pair, run_of(pair, 12), AnswersCompared(1))
    assert same.outcome == "no worse"
    for answer, mark in ((replace(same, compared=found.compared), "⚠️"), (same, "✅")):
        assert formats.markdown(answer).startswith(f"### {mark} ")
