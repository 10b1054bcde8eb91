"""The strict reader of HTML: what may differ between templates, and what may not."""

from __future__ import annotations

import contextlib
import html

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webdyno.verifier.html import NotHtml, Token, difference, tokens

PAGE = '<!DOCTYPE html><main class="a"><p>Salt &amp; pepper</p><img src="x.png" alt=""></main>'


@pytest.mark.parametrize(
    "same",
    [
        "<!doctype html>\n<main class='a'>\n"
        "  <p>Salt &#38; pepper</p><img src=x.png alt=''/>\n</main>",
        '<!DOCTYPE html><MAIN class = "a" ><!-- a <comment> -->'
        '<P>\n Salt &#x26; pepper </P><img src="x.png" alt="" /></MAIN >',
        '<!DOCTYPE html><main class="a"><p>Salt &amp; pepper</p><img src="x.png" alt></main>\n',
        PAGE.replace('src="x.png" alt=""', 'alt="" src="x.png"'),
    ],
)
def test_what_a_reader_does_not_see_may_differ(same: str) -> None:
    assert difference(tokens(same), tokens(PAGE)) is None


@pytest.mark.parametrize(
    ("other", "says"),
    [
        (PAGE.replace("<p>", "<div>"), "<div> instead of <p>"),
        (PAGE.replace("</p>", ""), '<img alt="" src="x.png"> instead of </p>'),
        (PAGE.replace('alt=""', ""), '<img src="x.png"> instead of <img alt="" src="x.png">'),
        (PAGE.replace("Salt", "salt"), "'salt & pepper' instead of 'Salt & pepper'"),
        (PAGE.replace("</main>", ""), "ends where </main> is expected, after 'Salt & pepper'"),
        (PAGE.replace("x.png", "y.png"), "src=\"x.png\">, after 'Salt & pepper'"),
        (PAGE + "<p>", "<p> comes after the expected end of the page"),
    ],
)
def test_what_a_reader_sees_may_not_differ(other: str, says: str) -> None:
    problem = difference(tokens(other), tokens(PAGE))
    assert problem is not None
    assert says in problem


@pytest.mark.parametrize(
    "page",
    [
        "<p>Salt & pepper</p>",
        "<p>AT&T</p>",
        "<p>1 < 2</p>",
        "<p>p50<p99</p",
        '<img alt=""Low tide"">',
        '<a href="?a=1&b=2">x</a>',
        "<p",
        "<>",
    ],
)
def test_what_is_not_escaped_is_an_error(page: str) -> None:
    with pytest.raises(NotHtml, match="not escaped"):
        tokens(page)


@pytest.mark.parametrize("again", ['alt=""', 'ALT="y"', "alt"])
def test_an_attribute_comes_once(again: str) -> None:
    with pytest.raises(NotHtml, match="a tag has the attribute alt twice: 'src="):
        tokens(PAGE.replace('alt=""', f'alt="" {again}'))


def test_a_page_that_was_cut_short_is_told_as_one() -> None:
    with pytest.raises(NotHtml, match=r"ends inside a tag.*alt=\"\"></ma'"):
        tokens(PAGE[: -len("in>")])


def test_texts_that_begin_alike_are_told_apart_where_they_part() -> None:
    long = "The needle came to rest after an hour of "
    problem = difference(tokens(f"<p>{long}rain</p>"), tokens(f"<p>{long}snow</p>"))
    assert problem == "after 'st after an hour of ' the text is 'rain' instead of 'snow'"


@settings(deadline=None)
@given(st.text(min_size=1).filter(str.strip))
def test_escaped_text_comes_back_as_it_was(text: str) -> None:
    page = f'<p title="{html.escape(text)}">{html.escape(text)}</p>'
    # Character references never stand for a surrogate or a NUL; real text holds neither.
    opened, inner, _ = tokens(page)
    assert inner == Token("text", text.strip())
    assert opened.attributes == (("title", text),)


@settings(deadline=None)
@given(st.text(alphabet="<>&;'\"/ap =-!#x1\n"))
def test_any_text_is_read_or_refused(text: str) -> None:
    found: list[Token] = []
    with contextlib.suppress(NotHtml):
        found = tokens(text)
    assert all(str(token) for token in found)
