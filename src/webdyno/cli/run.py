"""`webdyno run`: answer a study's question on this machine."""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webdyno.catalog.terms import quantity
from webdyno.catalog.terms.reference import without_default
from webdyno.cli.board import BOARD, run_board
from webdyno.cli.failures import resumable
from webdyno.cli.finish_run import finish
from webdyno.cli.name_lists import names
from webdyno.cli.option_values import MOST_BLOCKS, budget_s, of_option
from webdyno.cli.output import check_writable
from webdyno.errors import UserError
from webdyno.runtime.home import Home
from webdyno.runtime.processes.supervision import supervised

if TYPE_CHECKING:
    from webdyno.catalog.catalog import Catalog
    from webdyno.catalog.studies.study import StudyManifest
    from webdyno.run.bench.bench import Bench
    from webdyno.store.records import RunRecord


def run(
    study: Annotated[
        str | None,
        typer.Argument(
            help="A study (name or file), a scenario (name), or `board` (default: quick, or that "
            "of the run to resume)."
        ),
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(
            help="Time for the trials, such as 3m; builds are extra (default: the study's; with "
            "`board` 1h, builds included)."
        ),
    ] = None,
    servers: Annotated[
        str | None, typer.Option(help="Only these: language/name[@variant], comma-separated.")
    ] = None,
    scenarios: Annotated[str | None, typer.Option(help="Only these, comma-separated.")] = None,
    blocks: Annotated[
        int | None,
        typer.Option(
            help="At most this many blocks (default: the study's).", min=1, max=MOST_BLOCKS
        ),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(
            help="Which loads to run: sound, as-published or both (default: the study's)."
        ),
    ] = None,
    duration: Annotated[
        str | None,
        typer.Option(help="Length of published closed loads (default: as published)."),
    ] = None,
    server_cpus: Annotated[
        str | None, typer.Option(help="CPUs for the server, such as 0-3,8 (default: automatic).")
    ] = None,
    generator_cpus: Annotated[
        str | None, typer.Option(help="CPUs for the load generator (default: automatic).")
    ] = None,
    service_cpus: Annotated[
        str | None, typer.Option(help="CPUs for databases and other services (default: automatic).")
    ] = None,
    build_times: Annotated[
        bool | None,
        typer.Option(
            "--build-times/--no-build-times",
            help="Measure build times, or skip them, whatever the study says.",
        ),
    ] = None,
    json: Annotated[
        Path | None, typer.Option(help="Write the results as JSON to this file.")
    ] = None,
    html: Annotated[Path | None, typer.Option(help="Also write the report to this file.")] = None,
    resume: Annotated[
        str | None,
        typer.Option(help="Resume a killed run: its id, or 'latest'."),
    ] = None,
    jtl: Annotated[
        bool, typer.Option("--jtl", help="Record every request, for `report --jtl DIR`.")
    ] = False,
    reference: Annotated[
        str | None, typer.Option(help="The server to compare the others with.")
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Show what is left to do and how long it takes."),
    ] = False,
    machines: Annotated[
        bool, typer.Option("--machines", help="Run on the machines of the cluster.")
    ] = False,
    plain: Annotated[
        bool, typer.Option("--plain", help="Print lines instead of a live view.")
    ] = False,
) -> None:
    """Run a study: build, verify, load and compare servers."""
    options = RunOptions(
        budget=budget,
        servers=servers,
        scenarios=scenarios,
        blocks=blocks,
        method=method,
        duration=duration,
        cpus={"server": server_cpus, "generator": generator_cpus, "services": service_cpus},
        build_times=build_times,
        json=json,
        html=html,
        resume=resume,
        jtl=jtl,
        machines=machines,
        plain=plain,
    )
    options.check_values()
    if study == BOARD:
        options.refuse_what_a_board_lacks()
        code = supervised(lambda: _board(options, reference, dry_run), Home.default().temporary)
        raise typer.Exit(code)
    if reference is not None or dry_run:
        given = "--reference" if reference is not None else "--dry-run"
        raise UserError(f"{given} is for `run board`; leave it out")
    # Forked before anything heavy is imported: threads and fork do not go together.
    raise typer.Exit(supervised(lambda: _run(study, options), Home.default().temporary))


@dataclass(frozen=True)
class RunOptions:
    """What was typed; None stands for an option that was not given. `cpus` are by role."""

    budget: str | None = None
    servers: str | None = None
    scenarios: str | None = None
    blocks: int | None = None
    method: str | None = None
    duration: str | None = None
    cpus: Mapping[str, str | None] = field(default_factory=dict)
    build_times: bool | None = None
    json: Path | None = None
    html: Path | None = None
    resume: str | None = None
    jtl: bool = False
    machines: bool = False
    plain: bool = False

    @property
    def budget_s(self) -> float | None:
        """The budget in seconds. Raises `UserError`."""
        return None if self.budget is None else budget_s(self.budget)

    @property
    def duration_s(self) -> float | None:
        """The length of published loads in seconds. Raises `UserError`."""
        if self.duration is None:
            return None
        return of_option("--duration", quantity.duration, self.duration)

    def check_values(self) -> None:
        """Raise `UserError` for a time that cannot be read, before anything is started."""
        _ = self.budget_s, self.duration_s

    @property
    def chosen_servers(self) -> list[str] | None:
        """The servers by name; None for those of the study. Raises `UserError`."""
        return None if self.servers is None else names(self.servers, "--servers")

    @property
    def chosen_scenarios(self) -> list[str] | None:
        """The scenarios by name; None for those of the study. Raises `UserError`."""
        return None if self.scenarios is None else names(self.scenarios, "--scenarios")

    def refuse_what_a_board_lacks(self) -> None:
        """Raise `UserError` for options that are about a study, and not about the board."""
        given = (self.blocks, self.method, self.duration, self.build_times, self.resume)
        if (
            any(one is not None for one in (*given, *self.cpus.values()))
            or self.jtl
            or self.machines
        ):
            raise UserError(
                "the board takes --budget, --servers, --scenarios, --reference, --json, --html, "
                "--dry-run and --plain; leave out the rest"
            )
        self.check_files()

    def check_files(self) -> None:
        """Raise `UserError` for a file that could not be written when all is measured."""
        check_writable(self.json, self.html)


def _board(options: RunOptions, reference: str | None, dry_run: bool) -> int:
    return run_board(
        budget_s=options.budget_s,
        servers=options.chosen_servers or (),
        scenarios=options.chosen_scenarios or (),
        reference=without_default(reference or ""),
        json=options.json,
        html=options.html,
        plain=options.plain,
        dry_run=dry_run,
    )


def _run(name: str | None, options: RunOptions) -> int:
    """Make the run, show it and write what was asked for. Gives the exit code."""
    from webdyno.cli import context
    from webdyno.report.live.views import view_for
    from webdyno.run.record.passing_notes import to_continue
    from webdyno.run.record.resume import to_resume
    from webdyno.run.run_study import run_study
    from webdyno.run.settings import RunEnvironment, RunSettings

    options.check_files()
    catalog = context.catalog()
    study = _study(name, options, catalog)
    for reference in study.servers:
        catalog.server_variant(reference)
    store = context.store_to_go_on(options.resume)
    view = view_for(plain=options.plain)
    with contextlib.closing(store), _bench(options.machines) as bench, view:
        earlier = None
        if options.resume is not None:
            earlier = to_resume(store, study, options.resume, catalog, bench)
        with resumable():
            record = run_study(
                study,
                RunEnvironment(catalog, context.home(), store, view.event, bench),
                RunSettings(resume=earlier, time_builds=options.build_times is True),
            )
        if record.status == "interrupted":
            # Other commands that make runs cannot go on with one, but `gate`, which says so itself.
            record.notes.append(to_continue(_resume_command(record, options)))
            store.save_run(record)
    return finish(record, options.json, options.html)


def _resume_command(record: RunRecord, options: RunOptions) -> str:
    """The command that goes on with `record` as these options made it."""
    words = ["webdyno", "run", "--resume", record.id]
    if options.resume is not None and options.budget is not None:
        words += ["--budget", options.budget]  # The run's own study has the first one.
    return shlex.join([*words, *(["--machines"] if options.machines else [])])


def _study(name: str | None, options: RunOptions, catalog: Catalog) -> StudyManifest:
    """The study that was asked for, or that of the run to resume, as the options change it."""
    from webdyno.cli import context
    from webdyno.run.record.resume import study_of
    from webdyno.run.study.named_study import study_named
    from webdyno.run.study.narrow import narrowed

    servers = options.chosen_servers
    if options.resume is not None and name is None:
        with contextlib.closing(context.reading_store()) as store:
            study = study_of(store, options.resume, catalog)
    else:
        study = study_named(catalog, "quick" if name is None else name, servers or ())
    return narrowed(
        study,
        budget=options.budget_s,
        servers=servers,
        scenarios=options.chosen_scenarios,
        blocks=options.blocks,
        method=options.method,
        record=options.jtl,
        build_times=options.build_times,
        duration=options.duration_s,
        cpus={role: text for role, text in options.cpus.items() if text is not None},
    )


@contextlib.contextmanager
def _bench(machines: bool) -> Iterator[Bench]:
    """Where the run is made. Raises `UserError` where the cluster is not fit for it."""
    from webdyno.run.bench.bench import HERE

    if not machines:
        yield HERE
        return
    from webdyno.cluster.far_servers.bench import FarBench
    from webdyno.cluster.machines.membership import required

    with FarBench(required(Home.default().root)) as bench:
        yield bench
