"""What docs/published-reference.md says beside the keys of a file of published figures."""

from __future__ import annotations

from key_tables import DURATIONS, REQUIRED, KeyPage, KeySection

from webdyno.catalog.studies import published, published_statement, published_table

EXAMPLE = """\
name = "fig"                     # the file's name without .toml
title = "Rust against Node.js"
source = "A blog post of May 2025; both programs on one laptop"

[[tables]]
name = "hello"
load = { kind = "closed", connections = 100, duration = "10s", tool = "wrk" }

[[tables.rows]]
label = "Rust"
throughput = "98,000"            # requests/s
mean = "1.02ms"
p99 = "3ms"

[[tables.rows]]
label = "Node.js"
throughput = "31k"
mean = "0.9ms"

[[statements]]
says = "Rust is four times as fast as Node.js"
table = "hello"
of = "Rust"
to = "Node.js"
times = 4
"""

HEAD = f"""# Every key of published figures

<!-- made by docs/key_reference.py from the code that reads published figures -->

A file of published figures holds the tables of a write-up as printed, how its load was sent, and
what it concludes. `./webdyno claims FILE` checks it. For example, `fig.toml`:

```toml
{EXAMPLE}```

`./webdyno claims fig.toml` finds two contradictions: the ratio is 3.16, and 31,000 requests/s with
a mean latency of 0.9 ms are 28 requests in flight, not 100.

Figures are written as printed: `"9.36ms"`, `"1.33MB"`, `"98,000"`, `"51k"`, `"0.16%"`. Their last
digit counts as rounded; `"~51k"` was read off a chart, and may be 10% off. What the write-up does
not print is left out: each check needs only the keys that it compares. In a study, `published =
"NAME"` names `published/NAME.toml` beside it; then `server`, `scenario` and `beside` say which
results of the study stand for which row. Unknown keys are errors. Editors can complete keys with
the [JSON Schema](../src/webdyno/schemas/published.schema.json).

{DURATIONS}; rates `150/s`. {REQUIRED}
"""

SECTIONS = [
    KeySection("The file itself", published.PublishedManifest),
    KeySection("`[[tables]]`", published_table.PublishedTable),
    KeySection("`load` of a table", published_table.PublishedLoad),
    KeySection("`work` of a table", published_table.PublishedWork),
    KeySection("`[[tables.rows]]`", published_table.PublishedRow),
    KeySection("`[[statements]]`", published_statement.Statement),
]

PAGE = KeyPage("published-reference.md", HEAD, SECTIONS)
