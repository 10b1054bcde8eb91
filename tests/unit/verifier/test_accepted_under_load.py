"""What a verifier accepts, the checks under load do not refuse: their patterns, on answers that
differ from the reference as they may."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from webdyno.catalog.scenarios.checks import ContainsCheck, MatchesCheck
from webdyno.catalog.scenarios.scenario import read_scenario
from webdyno.verifier.html import difference, tokens

SCENARIOS = Path(__file__).parents[3] / "scenarios"
PAGES = ("blog", "fortunes", "page")


def refused(name: str, body: str, /, **drawn: str) -> list[str]:
    """What the checks of the scenario's first request, those with other variables than were `drawn`
    left out, miss in `body`."""
    checks = read_scenario(SCENARIOS / name).manifest.requests[0].checks
    # The engine's `$` is the end of the text, not a place before a newline as well.
    wanted = [
        re.sub(r"\$$", r"\\Z", one.pattern) for one in checks if isinstance(one, MatchesCheck)
    ]
    for text in (one.text for one in checks if isinstance(one, ContainsCheck)):
        filled = re.sub(r"(?<!\{)\{(\w+)\}", lambda found: drawn.get(found[1], found[0]), text)
        if not re.fullmatch(r"\{\w+\}", filled):
            wanted.append(re.escape(filled.replace("{{", "{")))
    assert wanted
    return [pattern for pattern in wanted if not re.search(pattern, body)]


def written_otherwise(page: str) -> dict[str, str]:
    """`page` as other templates may write it."""
    upper = re.sub(r"</?[a-z]+", lambda tag: tag[0].upper(), page)
    return {
        "as it is": page,
        "with comments at both ends": f"<!-- a\nb -->\n{page}\n<!-- c -->\n",
        "with white space at both ends": f"\r\n {page} \n",
        "with space in tags": re.sub(r"(</?[a-z0-9]+)>", r"\1 >", page),
        "in capitals": upper.replace("doctype html", "DOCTYPE HTML"),
        "with texts on lines of their own": re.sub(r">([^<>\s][^<>]*)<", r">\n  \1\n<", page),
        "with comments beside texts": re.sub(r">([^<>\s][^<>]*)<", r"><!-- -->\1<!-- --><", page),
        "without white space": re.sub(r">\s+<", "><", page),
    }


@pytest.mark.parametrize("name", PAGES)
def test_pages_that_a_reader_sees_alike_pass(name: str) -> None:
    page = (SCENARIOS / name / "reference.html").read_text("utf-8").replace("&lt;b&gt;", "")
    for how, other in written_otherwise(page).items():
        assert difference(tokens(other), tokens(page)) is None, how
        assert refused(name, other) == [], how


@pytest.mark.parametrize("name", PAGES)
def test_pages_that_were_cut_off_do_not(name: str) -> None:
    page = (SCENARIOS / name / "reference.html").read_text("utf-8")
    assert refused(name, page[: page.index("</body>")])
    assert refused(name, page + "<p>")


def test_a_page_without_the_row_of_the_request_does_not() -> None:
    page = (SCENARIOS / "fortunes" / "reference.html").read_text("utf-8")
    assert refused("fortunes", page.replace("<td>0</td>", "<td>10</td>"))
    assert refused("fortunes", page.replace("<td>0</td>", "<td>0 1</td>"))


@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": "), None])
@pytest.mark.parametrize("form", ["{}", "{}\n", "/**/ typeof f === 'function' && f({});"])
def test_greetings_pass_with_any_white_space(separators: tuple[str, str] | None, form: str) -> None:
    told = {"name": "World", "visits": 2}
    body = json.dumps(told, separators=separators, indent=None if separators else 2)
    assert refused("stack-8", form.replace("{}", body)) == []


JSONP = "/**/ typeof cb7 === 'function' && cb7({});"


@pytest.mark.parametrize("value", ['"hello ab"', '"hello ab"\n', '\n  "hello ab" '])
def test_a_name_is_greeted_with_any_white_space(value: str) -> None:
    assert refused("stack-3", JSONP.format(value), n="7", name="ab") == []


@pytest.mark.parametrize(
    "body",
    [
        JSONP.format('"hello cd"'),
        JSONP.format('"hello ab", 1'),
        JSONP.format('"hello ab"').replace("cb7(", "cb8("),
        JSONP.format('"hello ab"').removeprefix("/**/ "),
        JSONP.format('"hello ab"').removesuffix(";"),
    ],
)
def test_another_greeting_is_not(body: str) -> None:
    assert refused("stack-3", body, n="7", name="ab")
