"""What docs/service-reference.md says beside the keys of a webdyno.toml."""

from __future__ import annotations

from key_tables import COMMANDS, WRITTEN, KeyPage, KeySection

from webdyno.catalog.descriptions import description, service_request
from webdyno.catalog.studies import study_tables

HEAD = f"""# Every key of webdyno.toml

<!-- made by docs/key_reference.py from the code that reads webdyno.toml -->

`webdyno.toml` describes your own service for `webdyno ab`. [Compare two versions of your
service](ab.md#describe-your-service) explains the keys with an example. Unknown keys are errors.
Editors can complete them with the [JSON Schema](../src/webdyno/schemas/webdyno.schema.json).
`webdyno init` writes a first one.

{WRITTEN}

{COMMANDS}
"""

REQUESTS = """\
A line is shorthand for a table: `"GET /items"`, `"POST /items BODY"`, or with a weight before it,
`"3 GET /items"`. On a line, braces are literal; in a table, `{name}` is the value drawn for the
variable of that name, and `{{` and `}}` are literal braces."""

SERVICES = """\
`NAME` is `postgresql` or `mariadb`. The service finds the database by [variables of its
environment](ab.md#a-database)."""

SECTIONS = [
    KeySection("The service itself", description.Description),
    KeySection("An entry of `requests`", service_request.ServiceRequest, REQUESTS),
    KeySection("`[services.NAME]`", description.ServiceData, SERVICES),
    KeySection("`[load]`", description.LoadKeys),
    KeySection("`[answers]`", description.AnswerRules),
    KeySection("`[limits]`", study_tables.Limits),
]

TAIL = """\
## Keys that other manifests have

[`[build]`](server-reference.md#build), [`[run]`](server-reference.md#run) and
[`[warmup]`](server-reference.md#warmup-of-a-server-or-its-language) are those of a server;
[`[variables.NAME]`](scenario-reference.md#variablesname) and
[`checks`](scenario-reference.md#entries-of-checks) are those of a scenario.
"""

PAGE = KeyPage("service-reference.md", HEAD, SECTIONS, TAIL)
