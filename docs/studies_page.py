"""Write docs/studies.md: what the write-ups published, and what `webdyno claims` makes of it.

Run it after a change of their figures or of the checks:
`.webdyno/venv/bin/python docs/studies_page.py`.
"""

from __future__ import annotations

from pathlib import Path

from webdyno.catalog import Catalog
from webdyno.catalog.published import PublishedManifest, PublishedTable
from webdyno.claims import Finding, examine

PAGE = Path(__file__).resolve().parent / "studies.md"

HEAD = """# Five published comparisons, examined

<!-- made by docs/studies_page.py from the published figures and the checks -->

Webdyno repeats five published comparisons of web servers. Before anything is run, their own figures
can be put to the question: requests in flight must match the connections, samples the users, bytes
the answers, and CPU time the least that the work costs. `./webdyno claims NAME` does that in a
second for the figures in `studies/published/NAME.toml`, or for a file of your own, and exits with 1
where something contradicts.

*Certain* is arithmetic, or stated by the write-up itself; *likely* has no other explanation that we
know of; *possible* has others. "Cannot be told" does not mean wrong: the figures do not show it.

The table "Here" under each study is for your run: the report of the command above it opens with the
same findings and adds what your machine measured.
"""

INTRO = {
    "point-lookup": """\
JMeter's table gives a servlet 639.8 requests a second and Node.js 642.8, and its author wonders why
the throughput is equal when the latency is not. The answer is in the table: the two were not loaded
one after the other by 30 users each, but at the same time by about a hundred that asked both in
turn. The throughput is that of this load; of the servers only the latencies say something, and the
two did not do the same work.""",
    "sha256-spike": """\
Go is said to need a quarter of the CPU and a third of the memory of its rivals, and to cut costs by
70%. At n = 800, the case with a spike, the program on Chi hashed nothing, and its CPU shows it. The
one on Gin did hash, with a runtime that did not use the processor's SHA instructions yet, and broke
down; the two differ in more than the router.""",
    "session-counter": """\
The order of magnitude holds: the throughputs agree with the connections and the latencies, except
for Laravel, which was overloaded. What was measured is not what is described: no request came back
with a cookie, so every answer was "Count is 1" and nobody's count was ever updated. One process of
Express stands beside four of the others.""",
    "node-middleware": """\
Kwan is said to be faster than Node.js without any framework, and twice as fast as Koa. The figures
agree with each other; what they compare does not agree. The baseline and the frameworks answer
differently, the two stacks return different pages, and five seconds, once each, cannot separate
kwan from trek.""",
    "swift-vs-node": """\
Every result is a chart that is an image, so there is no arithmetic to check. What the text says of
the conditions is enough for caution: one process of Node.js on a machine of several cores beside
servers that use all of them, and different compilers for the Swift frameworks.""",
}

HEADINGS = {"contradicts": "What fails", "untold": "What cannot be told", "holds": "What holds"}


def page() -> str:
    """The page, as Markdown."""
    catalog = Catalog()
    parts = [HEAD]
    for name, intro in INTRO.items():
        parts.append(_study(catalog.published(name), intro))
    return "\n".join(parts)


def _study(manifest: PublishedManifest, intro: str) -> str:
    found = examine(manifest)
    lines = [f"## {manifest.title}", "", f"*{manifest.source}.*", "", intro, ""]
    tables = [table for table in manifest.tables if any(row.throughput for row in table.rows)]
    for table in tables:
        lines += [*_published(table), ""]
    for outcome, heading in HEADINGS.items():
        mine = [one for one in found if one.outcome == outcome]
        if mine:
            lines += [f"### {heading}", "", *(_line(one, manifest) for one in mine), ""]
    lines += ["### Repeat it", "", "```", f"./webdyno claims {manifest.name}"]
    lines += [f"./webdyno run {manifest.name} --method both", "```", "", *_here(manifest), ""]
    return "\n".join(lines)


def _published(table: PublishedTable) -> list[str]:
    rows = [f"| {row.label or 'no name'} | {row.throughput} | {row.mean or '–'} |"
            for row in table.rows if row.throughput]  # fmt: skip
    title = f"Published: {table.name}"
    return [f"| {title} | requests/s | mean latency |", "|---|---:|---:|", *rows]


def _line(one: Finding, manifest: PublishedManifest) -> str:
    where = f"{one.table}: " if one.table and len(manifest.tables) > 1 else ""
    sure = "" if one.outcome == "holds" else f"*{one.sureness}*: "
    return f"- {sure}{where}{_escaped(one.sentence)}"


def _escaped(text: str) -> str:
    return text.replace("<", "&lt;").replace("*", "\\*").replace("~", "\\~")


def _here(manifest: PublishedManifest) -> list[str]:
    rows = [
        f"| “{one.says.rstrip('.')}” |  |  |" for one in manifest.statements if one.of and one.to
    ]
    if not rows:
        return ["Its conclusions name no two servers and no figure: the run's own ranking answers."]
    return ["| Here | as published | sound |", "|---|---|---|", *rows]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
