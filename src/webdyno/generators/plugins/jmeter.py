"""JMeter as a generator: the tool whose aggregate table many write-ups tell their figures in.

It is the `jmeter` on PATH where that is version 5 or newer, else 5.6.3, put together once from what
the project publishes on Maven Central (`tools/jmeter/pom.xml`).

Its limits: no open model, so a stalled server is asked less while it stalls; one thread a user;
times are whole milliseconds, cut off, so that a fast answer takes 0, and contain the opening of the
connection where the request had to open one; the time-out is that of a silence, not of the whole
answer; of our checks it makes `status`, `equals`, `contains` and `matches`. It writes its samples
to a file as they come. It is often the limit of what it measures.
"""

from __future__ import annotations

import shutil
import tempfile
from math import ceil
from pathlib import Path

from webdyno.catalog.loads.abilities import Abilities, Figures
from webdyno.catalog.loads.load import Closed, Iterations, Load
from webdyno.catalog.scenarios.scenario import ScenarioManifest
from webdyno.errors import UserError
from webdyno.generators import jtl
from webdyno.generators.external import FinishedProgram, run_program, throughput_rps
from webdyno.generators.jmeter_plan import unchecked, write_plan
from webdyno.generators.job import Job
from webdyno.generators.plugin import GeneratorPlugin
from webdyno.generators.progress import Watch
from webdyno.generators.result import LoadResult
from webdyno.generators.tools import installed
from webdyno.runtime.programs import NUMBER, Program
from webdyno.runtime.toolchains import find
from webdyno.store.counts import RequestCounts
from webdyno.store.measurement import ErrorDetail

START_S = 60.0
"""Time allowed for the JVM to start and to end beside the load itself."""
LONGEST_S = 4 * 3600.0
"""Time allowed for a load of iterations, whose length nobody knows beforehand."""

_JAVA = ("-Xms256m", "-Xmx1g", "-XX:+PerfDisableSharedMem", "-Djava.awt.headless=true")
_SAMPLES = {
    "output_format": "csv",
    "print_field_names": "true",
    "timestamp_format": "ms",
    "time": "true",
    "label": "true",
    "response_code": "true",
    "response_message": "true",
    "thread_name": "true",
    "data_type": "false",
    "successful": "true",
    "assertion_results_failure_message": "true",
    "bytes": "true",
    "sent_bytes": "true",
    "thread_counts": "true",
    "latency": "true",
    "idle_time": "true",
    "connect_time": "true",
    "autoflush": "false",
}


_PROGRAM = Program(
    "jmeter",
    ("--version",),
    rf"(?:^|[ \\/_]){NUMBER}\s*$",
    "jmeter",
    "jmeter",
    "jmeter.apache.org",
    use="a second opinion on the load engine",
)


class JMeter(GeneratorPlugin):
    """Runs JMeter without its windows."""

    name = "jmeter"
    programs = (_PROGRAM,)
    abilities = Abilities(
        kinds=("closed", "iterations"),
        records=True,
        # It keeps cookies only where a cookie manager is in its plan, as in ours.
        figures=Figures(tick_s=1e-3),
    )

    def refuse(self, scenario: ScenarioManifest, load: Load) -> None:
        """Raises `UserError` where `load` needs what JMeter's plan does not have."""
        super().refuse(scenario, load)
        if load.visits is not None:
            raise UserError(
                f"jmeter's users stay the same; leave 'visits' out of load '{load.label()}', or "
                "use another generator"
            )

    def make_ready(self, folder: Path) -> None:
        """Look for it, or put it together once; see `program`."""
        program(folder)

    def run(self, job: Job, watch: Watch | None = None) -> LoadResult:
        """Make the load; see `Generator.run`. Raises `UserError` for what JMeter cannot do."""
        load = job.load
        with tempfile.TemporaryDirectory(prefix="webdyno-jmeter-") as name:
            folder = Path(name)
            self.refuse(job.scenario, load)
            plan = write_plan(job, folder)
            samples = folder / "samples.jtl"
            length = LONGEST_S if isinstance(load, Iterations) else ceil(load.seconds() or 0)
            finished = run_program(
                arguments(program(folder), plan, samples, folder),
                job,
                folder,
                watch,
                name=self.name,
                timeout_s=length + load.timeout + START_S,
            )
            made = parse(finished, samples, unchecked(job), _at_once(job))
            if job.record is not None:
                shutil.copyfile(samples, job.record)
            return made


def program(folder: Path) -> list[str]:
    """The command that starts JMeter; `folder` is for what it would leave in the user's home.

    Raises `UserError` where there is none and it cannot be put together.
    """
    jmeter = find("jmeter >= 5")
    if jmeter.ok and jmeter.path:
        return [jmeter.path]
    java = find("java >= 17")
    if not java.ok:
        raise UserError(f"generator jmeter needs java >= 17; {java.install_hint}")
    home = installed("jmeter") / "jmeter"
    # Its launcher looks for this folder and complains where it is not there.
    (home / "lib" / "junit").mkdir(exist_ok=True)
    preferences = f"-Djava.util.prefs.userRoot={folder}"
    return [
        java.path or "java",
        *_JAVA,
        preferences,
        "-jar",
        str(home / "bin" / "ApacheJMeter.jar"),
    ]


def arguments(start: list[str], plan: Path, samples: Path, folder: Path) -> list[str]:
    """The command line: no windows, the plan, samples as CSV with the columns read here."""
    saved = [f"-Jjmeter.save.saveservice.{key}={value}" for key, value in _SAMPLES.items()]
    return [
        *start,
        *("-n", "-t", str(plan), "-l", str(samples), "-j", str(folder / "jmeter.log")),
        *("-Jsummariser.name=", *saved),
    ]


def _at_once(job: Job) -> int:
    """How many of its threads, of which each user has one, can run at once."""
    load = job.load
    assert isinstance(load, Closed | Iterations), "others are refused"
    users = load.users if isinstance(load, Iterations) else load.settled_connections
    return max(1, min(users, len(job.cpus)))


def parse(
    finished: FinishedProgram, samples: Path, without: list[str], threads: int = 1
) -> LoadResult:
    """JMeter's samples in the engine's terms. `without` are kinds of checks that it did not make,
    `threads` how many can run at once.

    Raises `GeneratorError` where there are none.
    """
    recorded = jtl.read_jtl(samples)
    latency, elapsed_s = jtl.latency_us(recorded), max(recorded.elapsed_s, 1e-3)
    counts = RequestCounts(**recorded.counts)
    return LoadResult(
        elapsed_s=elapsed_s,
        throughput_rps=throughput_rps(counts, elapsed_s),
        counts=counts,
        latency_us=latency,
        latency_from_send_us=latency,
        histograms={} if latency is None else {"from_send": jtl.histogram(recorded)},
        bytes_received=recorded.bytes_received,
        bytes_sent=recorded.bytes_sent,
        series=jtl.series(recorded),
        generator=finished.spent(
            threads=threads,
            span=(recorded.first_ms / 1000, recorded.last_ms / 1000),
            unchecked=without or None,
        ),
        errors_detail=[
            ErrorDetail(kind=kind, request=request, detail=detail, count=count)
            for (kind, request, detail), count in recorded.details.most_common()
        ],
    )


GENERATOR = JMeter()
