"""What docs/study-reference.md says beside the keys of a study."""

from __future__ import annotations

from key_tables import WRITTEN, KeyPage, KeySection, wrapped

from webdyno.catalog.loads import load, warm_up
from webdyno.catalog.scenarios.scenario import ScenarioManifest
from webdyno.catalog.studies import headline, study, study_tables

HEAD = f"""# Every key of a study

<!-- made by docs/key_reference.py from the code that reads studies -->

A study is a file `studies/NAME.toml`: a question, as servers × scenarios × loads and a method.
Unknown keys are errors. Editors can complete them with the
[JSON Schema](../src/webdyno/schemas/study.schema.json). `./webdyno new study NAME` writes a first
one.

{WRITTEN}
"""

CONFIDENCES = """\
`[confidences.LOAD]` gives the verdicts of one load a confidence of their own: its keys are metrics,
each with a number between 0.5 and 1. A metric that it leaves out keeps that of `confidence`.

```toml
[confidences.visitors-100]
throughput_rps = 0.99
```"""

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
With `scale = "auto"` all rates of the load are lowered by one factor, so that the highest is 80% of
what the slowest server can handle; with `shortest` all phases are shortened by one factor if the
minimum number of blocks would not fit the budget. [An open load that fits the
machine](plan-a-spike.md#an-open-load-that-fits-the-machine) explains both."""

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
what is concluded from them ([its keys](published-reference.md)). `webdyno claims` checks it, and
the study's report opens with it: see [the five that come with Webdyno](studies.md)."""

BESIDE = """Two keys work together with other manifests.

- `build_times = true` in a study builds every server again before the trials: cold (nothing
  downloaded), clean (nothing compiled) and incremental (one changed line). A server's own
  `[build.caches]` and `[build.incremental]` say how; see [Add a server](add-a-server.md).
"""

SAME_BODY = """- `same_body` in a scenario: {same_body}. Only then are bodies and sizes compared
between servers; status and headers always are. See [Add a scenario](add-a-scenario.md)."""

SECTIONS = [
    KeySection("The study itself", study.StudyManifest, CONFIDENCES),
    KeySection("`[headline]`", headline.Headline, HEADLINE),
    KeySection("An entry of `scenarios`", study_tables.ScenarioEntry),
    KeySection("What all `[[loads]]` share", load.LoadBase),
    KeySection('Loads of `kind = "closed"`', load.Closed, SWEEP, load.LoadBase),
    KeySection('Loads of `kind = "open"`', load.Open, SCALE, load.LoadBase),
    KeySection('Loads of `kind = "iterations"`', load.Iterations, "", load.LoadBase),
    KeySection('Loads of `kind = "objective"`', load.Objective, OBJECTIVE, load.LoadBase),
    KeySection(
        "`[warmup]`",
        warm_up.WarmUpKeys,
        defaults=dict.fromkeys(warm_up.WarmUpKeys.model_fields, "each server's"),
    ),
    KeySection("`[blocks]`", study_tables.Blocks),
    KeySection("`[limits]`", study_tables.Limits),
    KeySection("`[placement]`", study_tables.PlacementKeys, PLACEMENT),
    KeySection("`[planning]`", study_tables.Planning, PLANNING),
    KeySection("`[[costs]]`", study_tables.Cost, COSTS),
    KeySection("`[[published]]`", study_tables.Published, PUBLISHED),
]

TAIL = (
    "## Keys of other manifests\n\n"
    + BESIDE
    + wrapped(
        SAME_BODY.format(same_body=ScenarioManifest.model_fields["same_body"].description), "  "
    )
    + "\n"
)

PAGE = KeyPage("study-reference.md", HEAD, SECTIONS, TAIL)
