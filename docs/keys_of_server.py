"""What docs/server-reference.md says beside the keys of a server and of its language."""

from __future__ import annotations

from typing import get_args

from key_tables import COMMANDS, DURATIONS, REQUIRED, KeyPage, KeySection, wrapped

from webdyno.catalog.loads import warm_up
from webdyno.catalog.servers import concurrency, language, program, server_manifest
from webdyno.catalog.terms.parts import ServerPart

HEAD = f"""# Every key of a server

<!-- made by docs/key_reference.py from the code that reads servers -->

A server is a folder `servers/LANGUAGE/NAME/` with a `server.toml` and the program's source. What
all servers of a language share is in `servers/LANGUAGE/language.toml`, at the end of this page.
[Add a server](add-a-server.md) explains the keys with an example. Unknown keys are errors. Editors
can complete those of `server.toml` with the
[JSON Schema](../src/webdyno/schemas/server.schema.json). `./webdyno new server LANGUAGE/NAME`
writes a first one.

{DURATIONS}. {REQUIRED}

{COMMANDS}
"""

PARTS = wrapped(
    "`[parts]` has a text for each part of a server that its scenarios name in `parts`: "
    + ", ".join(f"`{name}`" for name in get_args(ServerPart))
    + ". `toolchain` names no newest version: the build and the verification tell whether a newer "
    "release works."
)

BUILD = """\
`${PYTHON}` in a command is the Python that runs Webdyno. A study with `build_times = true` times
the builds, `caches` and `incremental` say how; see [Add a server](add-a-server.md)."""

RUN = """\
`PORT`, `HOST`, `WEBDYNO_SCENARIO` and `WEBDYNO_CPUS` are always set; scenarios add variables of
their own, and so do their services."""

RUNTIME = """\
`node/express@node-24` is then `node/express` on the release `node-24`, and
`node/express@cluster-node-24` its variant `cluster` on it."""

OWN = warm_up.Bounds()
WARM_UP_DEFAULTS = {
    key: f"Webdyno's own: `{value}`"
    for key, value in (
        ("min", f'"{OWN.min:g}s"'),
        ("max", f'"{OWN.max:g}s"'),
        ("answers", OWN.answers),
        ("cpu", f'"{OWN.cpu:g}s"'),
    )
}
WARM_UP = "A key that a server leaves out is that of its language."

SECTIONS = [
    KeySection("The server itself", server_manifest.ServerManifest, PARTS),
    KeySection("`[build]`", program.BuildManifest, BUILD),
    KeySection("`[build.caches]`", program.Caches),
    KeySection("`[build.incremental]`", program.Incremental),
    KeySection("`[run]`", program.RunManifest, RUN),
    KeySection("`[concurrency]`", concurrency.Concurrency),
    KeySection("`[variants.NAME]`", server_manifest.Variant),
    KeySection("The language: `language.toml`", language.LanguageManifest),
    KeySection("`[runtimes.NAME]` of the language", language.Runtime, RUNTIME),
    KeySection(
        "`[warmup]` of a server or its language",
        warm_up.RuntimeWarmUpKeys,
        WARM_UP,
        defaults=WARM_UP_DEFAULTS,
    ),
]

PAGE = KeyPage("server-reference.md", HEAD, SECTIONS)
