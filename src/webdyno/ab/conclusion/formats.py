"""The answer for others: Markdown for a pull request's comment, JUnit XML, JSON."""

from __future__ import annotations

import shlex
from xml.etree import ElementTree

from webdyno.ab.conclusion.answer import ComparisonAnswer
from webdyno.ab.conclusion.claims import GUARD
from webdyno.ab.conclusion.document import AbDocument
from webdyno.ab.conclusion.show import rows_of, word_of
from webdyno.ab.conclusion.words import signed
from webdyno.printable import markdown_cell
from webdyno.report.formats.junit import clean
from webdyno.report.numbers import counted
from webdyno.run.comparison.outcome import MARKS
from webdyno.store.document import written
from webdyno.words import listed

DIFFERS = "⚠️"
"""Where B is no worse, but answers something else."""

MOST_CHARACTERS = 64_000
"""Of a comment. GitHub refuses one of more than 65,536, and `action.yml` adds lines of its own."""

_FRAME = 500
"""Room for the heading of the table, and for what says what was left out."""

_WRITING = ("--markdown", "--junit", "--json", "--html")
"""Options that say where to write: files of the machine that made the answer."""


def markdown(answer: ComparisonAnswer) -> str:
    """A comment for a pull request, of at most `MOST_CHARACTERS`: what is too much is left out, and
    told, with the answer and the table last."""
    about, origin = answer.about, list[str]()
    heading, *differences = answer.first or [""]
    differences = list(map(markdown_cell, differences))
    notes = [f"- {markdown_cell(note)}" for note in answer.notes]
    rows = ["| " + " | ".join(map(markdown_cell, row)) + " |" for row in rows_of(answer)]
    if about.run:
        origin = [f" Run {_code(about.run)}, {_code(_to_repeat(about.command))}"]
    head = [*_headline(answer), *([f"**{heading}**", ""] if heading else [])]
    foot = f"<sub>{about.evidence}"
    parts = {"note": notes, "difference": differences, "command": origin, "row": rows}
    room = MOST_CHARACTERS - _FRAME - len("\n".join([*head, foot]))
    too_much = sum(len(line) + 1 for part in parts.values() for line in part) - room
    left_out = []
    for name, part in parts.items():
        before = len(part)
        while part and too_much > 0:
            too_much -= len(part.pop()) + 1
        if part_left_out := before - len(part):
            left_out.append("the command" if part is origin else counted(part_left_out, name))
    lines = [*head, *differences, *([""] if differences else [])]
    if rows:
        lines += ["| | A | B | difference | |", "|---|---:|---:|---:|---|", *rows, ""]
    lines += notes
    if left_out:
        lines.append(f"- left out, because the comment would be too long: {listed(left_out)}")
    return "\n".join([*lines, "", foot]) + f"{''.join(origin)}</sub>\n"


def _headline(answer: ComparisonAnswer) -> list[str]:
    """The first lines: the answer, and what was compared."""
    differs = bool(answer.first) and answer.outcome == "no worse"
    mark = DIFFERS if differs else MARKS[answer.outcome]
    # As markup, it may be five times as long.
    headline = markdown_cell(_cut(answer.headline, MOST_CHARACTERS // 8))
    a, b = (_code(_cut(name, MOST_CHARACTERS // 16)) for name in answer.about.names)
    return [f"### {mark} {answer.about.service}: {headline}", "", f"A = {a}, B = {b}", ""]


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def junit(answer: ComparisonAnswer) -> str:
    """A `testcase` a claim, and one for the answers: a failure where B is certainly worse, skipped
    where it is not settled or was not compared. Answers that differ are a failure where they must
    not, else skipped. Where A does not do its work, that is an error."""
    about = answer.about
    suite = ElementTree.Element("testsuite", name=clean(f"webdyno ab {about.service}"))
    if about.started is not None:
        suite.set("timestamp", about.started.isoformat(timespec="seconds"))
    works = _case(suite, about.service, "does its work")
    fault = answer.compared.fault
    for one in answer.broken:
        if one.reason == fault:
            continue
        kind, who = ("failure", "") if one.letter == "b" else ("error", "A: ")
        message = f"{one.says}: {one.reason}" if one.at == "build" else one.reason
        ElementTree.SubElement(works, kind, message=clean(who + message))
    alike = _case(suite, about.service, "answers as A does")
    if answer.first:
        # Where they may differ that makes B no worse; but it does not pass either.
        kind = "failure" if fault else "skipped"
        ElementTree.SubElement(alike, kind, message=clean("\n".join(answer.first)))
    elif not answer.compared.questions:
        ElementTree.SubElement(alike, "skipped", message="not compared")
    for claim in answer.claims:
        case = _case(suite, about.service, claim.name_at(about.rate))
        message = f"{word_of(claim)} {signed(claim)}".strip()
        if claim.outcome == "worse":
            ElementTree.SubElement(case, "failure", message=clean(message)).text = clean(
                answer.headline
            )
        elif claim.outcome == "unmeasured" or (claim.outcome == "open" and claim.metric != GUARD):
            message = f"{message}: {claim.reason}" if claim.reason else message
            ElementTree.SubElement(case, "skipped", message=clean(message))
        else:
            ElementTree.SubElement(case, "system-out").text = clean(message)
    for name, kind in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(name, str(len(suite.findall(f".//{kind}"))))
    suite.set("tests", str(len(suite.findall("testcase"))))
    ElementTree.SubElement(suite, "system-out").text = clean(answer.headline)
    ElementTree.indent(suite)
    text = ElementTree.tostring(suite, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def dumps(answer: ComparisonAnswer, exit_code: int | None = None) -> str:
    """The answer as JSON, for a file; `exit_code` is the command's, where that is not the
    answer's."""
    return written(AbDocument.of(answer, exit_code))


def _case(suite: ElementTree.Element, service: str, name: str) -> ElementTree.Element:
    return ElementTree.SubElement(
        suite, "testcase", classname=clean(f"webdyno.{service}"), name=clean(name)
    )


def _to_repeat(command: str) -> str:
    """The command without what its reader elsewhere does not have: a clone to start it in, and the
    files that it wrote."""
    try:
        words = iter(shlex.split(command)[1:])
    except ValueError:
        return command  # Of a run that something else stored.
    kept = ["webdyno"]
    for word in words:
        if word == "--":
            kept += [word, *words]
        elif word in _WRITING:
            next(words, None)
        elif word != "--plain" and word.partition("=")[0] not in _WRITING:
            kept.append(word)
    return shlex.join(kept)


def _code(text: str) -> str:
    return f"`{_quoted(text)}`"


def _quoted(text: str) -> str:
    return text.replace("`", "'").replace("\n", " ")
