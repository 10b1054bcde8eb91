"""A comparison as JUnit XML, which every CI system can show: a test a figure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from webdyno.report import metrics
from webdyno.report.formats.comparison import figure, notes, told_of

if TYPE_CHECKING:
    from webdyno.run.comparison.compare import Comparison

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render_junit(comparison: Comparison) -> str:
    """One `testcase` a figure: a failure where it certainly became worse by more than the margin,
    skipped where it could not be compared, or where the control says that nothing is settled."""
    broken = comparison.broken
    skipped = [row for row in comparison.rows if row.change is None or row.unsure]
    suite = ElementTree.Element(
        "testsuite",
        name=f"webdyno {comparison.old.id} to {comparison.new.id}",
        tests=str(len(comparison.rows) + len(comparison.refused)),
        failures=str(len(comparison.regressions) + len(broken)),
        errors="0",
        skipped=str(len(comparison.refused) - len(broken) + len(skipped)),
        timestamp=comparison.new.started.isoformat(timespec="seconds"),
    )
    for row in comparison.rows:
        case = _case(suite, row.scenario, row.load, f"{row.entry} {row.metric}")
        message = f"{metrics.metric(row.metric).title}: {figure(row)}, {told_of(row)}"
        if row.regression:
            ElementTree.SubElement(case, "failure", message=clean(message)).text = clean(
                f"{row.old:,.1f} became {row.new:,.1f}"
            )
        elif row in skipped:
            ElementTree.SubElement(case, "skipped", message=clean(message))
        else:
            ElementTree.SubElement(case, "system-out").text = clean(message)
    for place in comparison.refused:
        case = _case(suite, place.scenario, place.load, place.entry)
        kind = "failure" if place.broken else "skipped"
        ElementTree.SubElement(case, kind, message=clean(place.reason))
    ElementTree.SubElement(suite, "system-out").text = clean("\n".join(notes(comparison)))
    ElementTree.indent(suite)
    text = ElementTree.tostring(suite, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _case(suite: ElementTree.Element, scenario: str, load: str, name: str) -> ElementTree.Element:
    return ElementTree.SubElement(
        suite, "testcase", classname=clean(f"webdyno.{scenario}.{load}"), name=clean(name)
    )


def clean(text: str) -> str:
    """`text` without the characters that XML cannot hold, such as those of a coloured log."""
    return _NOT_XML.sub("", text)
