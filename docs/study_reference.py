"""Write docs/study-reference.md from the manifests that are read, so that it names every key.

Run it after a change of their keys: `.webdyno/venv/bin/python docs/study_reference.py`.
"""

from __future__ import annotations

import json
import textwrap
import types
import typing
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic import BaseModel, WithJsonSchema
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from webdyno.catalog.loads import load, warm_up
from webdyno.catalog.scenarios.scenario import ScenarioManifest
from webdyno.catalog.studies import headline, study, study_tables
from webdyno.catalog.terms.one_of import OneOf

PAGE = Path(__file__).resolve().parent / "study-reference.md"

HEAD = """# Every key of a study

<!-- made by docs/study_reference.py from the code that reads studies -->

A study is a file `studies/NAME.toml`: a question, as servers × scenarios × loads and a method.
Unknown keys are errors. Editors can complete them with the
[JSON Schema](../src/webdyno/schemas/study.schema.json). `./webdyno new study NAME` writes a first
one.

Durations are written `500ms`, `10s`, `2m`; rates `150/s`, `2k/s`, `600/min`; sizes `150MB`, `8GB`.
A key without a default must be given.
"""

HEADLINE = """\
If the budget does not cover three blocks of everything, a run first measures the headline's
scenario under its load three times: [what a budget buys](verdict.md#what-a-budget-buys). The report
opens with its answer.

```toml
[headline]
question = "Which server keeps sessions the fastest?"
scenario = "session-counter"
load = "visitors-100"
```"""

SWEEP = """\
`connections` and `cores` of a closed load may be lists. Each number then makes a load of its own,
called `NAME-8` or `NAME-4-cores`, and a scenario that names the sweep gets all of them. The report
shows [how servers scale](verdict.md#how-servers-scale), or why it cannot.

```toml
[[loads]]
name = "sweep"
kind = "closed"
connections = [1, 2, 4, 8, 16]
duration = "5s"
```"""

SCALE = """\
With `scale = "auto"` each server gets a short closed load before the first block. All rates of the
load are then lowered by one factor, the same for all servers of the scenario, so that the highest
is 80% of what the slowest one can handle. They are never raised. With `shortest` all phases are
shortened by one factor if the minimum number of blocks would not fit the budget. Both factors are
recorded and shown; a resumed run keeps them. [Spikes](plan-a-spike.md) use both."""

PLACEMENT = """\
`run --server-cpus`, `--generator-cpus` and `--service-cpus` set the same for a single run.

```toml
[placement]
server = "0-3"
generator = "4-7"
services = "8-9"
```"""

OBJECTIVE = """\
Servers are compared by the rate found, `capacity_rps`; see
[how it searches](verdict.md#the-rate-at-an-objective). `hit --objective` does the same for a server
that is already running."""

PLANNING = """\
For loads with an objective, the report then shows how many machines each server needs, what they
cost per month, and what each server saves compared with the most expensive one. [From measurements
to machines](capacity.md) explains the arithmetic.

```toml
[planning]
traffic = "25M/day"
price = "0.10/h"
```"""

COSTS = """\
Enter the scenario several times, each time with a different number of something. The report says
what one more of it costs in CPU time per request: a slope with its interval or, with `steps`, the
cost of each thing that is added.

```toml
scenarios = [
  { name = "middleware", label = "none", parameters = { count = 0 } },
  { name = "middleware", label = "twenty", parameters = { count = 20 } },
]
[[costs]]
scenario = "middleware"
parameter = "count"
each = "middleware"
```"""

PUBLISHED = """\
These tables are for a figure or two. A whole published table goes into a file: `published = "NAME"`
names `published/NAME.toml` beside the study, with its tables as printed, how they were made and
what is concluded from them ([JSON Schema](../src/webdyno/schemas/published.schema.json)).
`webdyno claims` checks it, and the study's report opens with it: see [the five that come with
Webdyno](studies.md)."""

BESIDE = """Two keys work together with other manifests.

- `build_times = true` in a study builds every server again before the trials: cold (nothing
  downloaded), clean (nothing compiled) and incremental (one changed line). A server's own
  `[build.caches]` and `[build.incremental]` say how; see [Add a server](add-a-server.md).
"""

SAME_BODY = """- `same_body` in a scenario: {same_body}. Only then are bodies and sizes compared
between servers; status and headers always are. See [Add a scenario](add-a-scenario.md)."""

SECTIONS: list[tuple[str, type[BaseModel], str]] = [
    ("The study itself", study.StudyManifest, ""),
    ("`[headline]`", headline.Headline, HEADLINE),
    ("An entry of `scenarios`", study_tables.ScenarioEntry, ""),
    ("What all `[[loads]]` share", load.LoadBase, ""),
    ('Loads of `kind = "closed"`', load.Closed, SWEEP),
    ('Loads of `kind = "open"`', load.Open, SCALE),
    ('Loads of `kind = "iterations"`', load.Iterations, ""),
    ('Loads of `kind = "objective"`', load.Objective, OBJECTIVE),
    ("`[warmup]`", warm_up.WarmUpKeys, ""),
    ("`[blocks]`", study_tables.Blocks, ""),
    ("`[limits]`", study_tables.Limits, ""),
    ("`[placement]`", study_tables.PlacementKeys, PLACEMENT),
    ("`[planning]`", study_tables.Planning, PLANNING),
    ("`[[costs]]`", study_tables.Cost, COSTS),
    ("`[[published]]`", study_tables.Published, PUBLISHED),
]


def _wrapped(text: str, indent: str = "") -> str:
    return textwrap.fill(
        " ".join(text.split()), 100, subsequent_indent=indent, break_on_hyphens=False
    )


def page() -> str:
    """The page, as Markdown."""
    same_body = ScenarioManifest.model_fields["same_body"].description
    parts = [HEAD]
    for title, model, more in SECTIONS:
        is_load = issubclass(model, load.LoadBase) and model is not load.LoadBase
        shared = load.LoadBase.model_fields if is_load else {}
        lines = [f"## {title}", "", _wrapped(model.__doc__ or ""), ""]
        lines += ["| key | value | default | meaning |", "|---|---|---|---|"]
        lines += [
            row(key, field)
            for key, field in model.model_fields.items()
            if key not in shared and key != "kind"
        ]
        parts.append("\n".join(lines) + (f"\n\n{more}" if more else "") + "\n")
    beside = _wrapped(SAME_BODY.format(same_body=same_body), "  ")
    parts.append(f"## Keys of other manifests\n\n{BESIDE}{beside}\n")
    return "\n".join(parts)


def row(key: str, field: FieldInfo) -> str:
    """One key as a line of a table."""
    cells = [f"`{key}`", kind(field), default(field), field.description or ""]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def default(field: FieldInfo) -> str:
    """What holds where the key is left out, as TOML would say it."""
    if field.default_factory is not None:
        made = field.get_default(call_default_factory=True)
        return f"`{json.dumps(made)}`" if made else "none"
    if isinstance(field.default, BaseModel):
        return "those below"
    if field.default is PydanticUndefined:
        return "–"
    if field.default is None or field.default == "":
        return "none"
    if kind(field) == "duration":
        return f'`"{field.default:g}s"`'
    return f"`{json.dumps(field.default)}`"


def kind(field: FieldInfo) -> str:
    """What is to be written, in a word or as the choices there are."""
    if any(
        "duration" in str(getattr(m, "func", "")) or "_seconds" in str(m) for m in field.metadata
    ):
        return "duration"
    several = " or list" if any(map(_takes_list, field.metadata)) else ""
    return _one_of(field.metadata) or _kind(field.annotation) + several


def _takes_list(metadata: Any) -> bool:
    """Whether a file may have a list where its field has a single value."""
    if not isinstance(metadata, WithJsonSchema):
        return False
    choices = (metadata.json_schema or {}).get("anyOf", [])
    return any(one.get("type") == "array" for one in choices)


def _one_of(metadata: Iterable[Any]) -> str:
    """The names of the plugins that a text must be one of; empty where it may be any."""
    found = next((one.plugins.names() for one in metadata if isinstance(one, OneOf)), [])
    return " or ".join(f'`"{name}"`' for name in found)


def _kind(annotation: Any) -> str:
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Literal:
        return " or ".join(f"`{json.dumps(one)}`" for one in arguments if one != "")
    if origin is typing.Annotated:
        if "_seconds" in str(arguments[1:]):
            return "duration"
        return _one_of(arguments[1:]) or _kind(arguments[0])
    if origin in (typing.Union, types.UnionType):
        named = [_kind(one) for one in arguments if one is not type(None)]
        return " or ".join(dict.fromkeys(named))
    if origin is list:
        return f"list of {_kind(arguments[0])}"
    plain = {str: "text", int: "whole number", float: "number", bool: "true or false"}
    return plain.get(annotation, "table")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
