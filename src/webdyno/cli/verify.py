"""`webdyno verify`: prove that servers do the work, without measuring them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from webdyno.cli.failures import program
from webdyno.runtime.home import Home
from webdyno.runtime.processes.supervision import supervised

if TYPE_CHECKING:
    from webdyno.run.verify import Step, VerifyFinding

_STEPS = {"build": "building", "prove": "proving"}


def verify(
    servers: Annotated[
        list[str] | None, typer.Argument(help="language/name[@variant] (default: all).")
    ] = None,
    scenario: Annotated[str | None, typer.Option(help="Only this scenario.")] = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Show every claim that was checked.")
    ] = False,
) -> None:
    """Build servers and verify their answers against the scenarios' contracts, also under load."""
    code = supervised(lambda: _verify(servers or [], scenario, verbose), Home.default().temporary)
    raise typer.Exit(code)


def _verify(references: list[str], scenario: str | None, verbose: bool) -> int:
    from webdyno.cli import context
    from webdyno.run.verify import verify_servers
    from webdyno.runtime.processes.private_folder import private_folder

    def show(finding: VerifyFinding) -> None:
        show_finding(finding)
        if verbose:
            for claim in finding.evidence:
                detail = f": {claim.detail}" if claim.detail else ""
                typer.echo(f"         {'✓' if claim.ok else '✗'} {claim.claim}{detail}")

    catalog = context.catalog()
    if scenario is not None:
        catalog.scenario(scenario)
    findings = verify_servers(
        references,
        scenario,
        catalog,
        context.home(),
        private_folder(context.home().temporary),
        show,
        show_step,
    )
    failed = sum(finding.outcome == "failed" for finding in findings)
    proven = sum(finding.outcome == "proven" for finding in findings)
    left_out = len(findings) - failed - proven
    typer.echo(f"{proven} proven, {failed} failed, {left_out} left out")
    # One that did not even start broke no contract.
    wrong = (one.scenario for one in findings if one.outcome == "failed" and one.evidence)
    for name in dict.fromkeys(wrong):
        typer.echo(f"what {name} asks of a server: {program()} list {name}", err=True)
    if failed:
        return 1
    return 0 if proven else 2


def show_finding(finding: VerifyFinding) -> None:
    """Print a finding on a line, and below it what mends a server that failed, and what that has
    printed."""
    mark = {"proven": "ok    ", "failed": "FAILED", "skipped": "left out"}[finding.outcome]
    typer.echo(f"{mark} {finding.server} {finding.scenario} {finding.detail}".rstrip())
    for remedy in finding.remedies:
        typer.echo(f"         remedy: {remedy}")
    if finding.log:
        typer.echo("         the last lines of its log:")
        for line in finding.log.splitlines():
            typer.echo(f"         | {line}")


def show_step(step: Step, what: str, place: int, of: int) -> None:
    """Print what is begun, beside the findings, which are what a pipe is for."""
    typer.echo(f"{_STEPS[step]} {what} ({place} of {of})", err=True)
