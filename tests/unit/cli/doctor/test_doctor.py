"""`webdyno doctor`: what it finds on the machine that runs this test."""

from __future__ import annotations

import sys
from dataclasses import asdict
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from support.output_schemas import validated
from webdyno.catalog.catalog import Catalog
from webdyno.cli.doctor.needs import Need, needs_of, show_needs, show_unfetched
from webdyno.cli.main import main
from webdyno.cli.option_values import noise_s
from webdyno.run.budget import forecast
from webdyno.run.budget.forecast import Forecast
from webdyno.runtime.confinement.confine import means
from webdyno.runtime.machine import facts
from webdyno.runtime.programs import program_named
from webdyno.runtime.toolchains import Toolchain

SERVER = """
name = "{name}"
language = "python"
framework = "none"
framework_version = "1"
licence = "MIT"
toolchain = {toolchain}
scenarios = ["hello"]
[run]
command = ["true"]
"""


def content(folder: Path, **toolchains: str) -> Path:
    for name, toolchain in toolchains.items():
        path = folder / "servers" / "python" / name / "server.toml"
        path.parent.mkdir(parents=True)
        path.write_text(SERVER.format(name=name, toolchain=toolchain))
    return folder


def test_each_toolchain_is_listed_once_with_the_servers_that_need_it(tmp_path: Path) -> None:
    root = content(tmp_path, one='["python >= 3.11"]', two='["python >= 3.11", "go >= 999"]')
    needs = {need.spec: need for need in needs_of(Catalog([root]).servers())}
    assert needs["python >= 3.11"].needed_by == ["python/one", "python/two"]
    assert needs["python >= 3.11"].toolchain.ok
    assert needs["go >= 999"].needed_by == ["python/two"]
    assert not needs["go >= 999"].toolchain.ok
    assert needs["wrk"].optional


@pytest.mark.slow
def test_what_is_missing_comes_with_the_command_that_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WEBDYNO_CONTENT", "")
    root = content(tmp_path, future='["node >= 999"]')
    assert main(["--content", str(root), "doctor", "--no-noise"]) == 0
    shown = capsys.readouterr().out
    (line,) = [line for line in shown.splitlines() if line.startswith("node >= 999:")]
    assert "install version 999 or newer" in line
    assert ("brew install" if sys.platform == "darwin" else "sudo apt install") in line


def test_without_postgresql_it_says_how_to_get_it_and_what_happens_meanwhile() -> None:
    hint = program_named("postgres").install_hint("")
    missing = Toolchain("postgres", "", None, None, ok=False, install_hint=hint)
    console = Console(width=200, record=True, file=StringIO())
    show_needs(console, [Need("postgres", missing, [], optional=True)])
    shown = console.export_text()
    assert "install postgresql" in shown
    assert "until then a pinned PostgreSQL (25 MB) is downloaded" in shown


def test_that_servers_are_left_out_is_said_once_before_the_missing_programs() -> None:
    def need(spec: str, *, optional: bool = False) -> Need:
        name = spec.split()[0]
        missing = Toolchain(name, "", None, None, ok=False, install_hint="install it")
        return Need(spec, missing, [] if optional else ["go/gin"], optional)

    def shown(*needs: Need) -> list[str]:
        console = Console(width=200, record=True, file=StringIO())
        show_needs(console, list(needs))
        return console.export_text().splitlines()

    lines = shown(need("go >= 1.25"), need("node >= 20"), need("wrk", optional=True))
    assert lines[-4:] == [
        "Runs leave out servers whose programs are missing:",
        "go >= 1.25: install it",
        "node >= 20: install it",
        "wrk: install it (optional)",
    ]
    assert not any("leave out" in line for line in shown(need("wrk", optional=True)))


def test_of_two_versions_of_a_missing_program_the_newer_one_is_advised() -> None:
    def need(minimum: str, *lacks: str) -> Need:
        missing = Toolchain("node", minimum, None, None, False, f"install {minimum}", lacks)
        return Need(f"node >= {minimum}", missing, ["node/http"], optional=False)

    console = Console(width=120, record=True, file=StringIO())
    show_needs(console, [need("9"), need("20.12"), need("20"), need("18", "npm")])
    told = console.export_text()
    assert [part in told for part in ("install 20.12", "install 18")] == [True, True]
    assert "install 9" not in told
    assert "install 20\n" not in told


def test_packages_that_are_out_of_reach_are_told_in_a_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    reason = "https://[fd00::1]/packages cannot be reached (fatal: [/x])"
    show_unfetched(Console(), {reason: ["swift/vapor", "swift/hummingbird"]})
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith(f"{reason}: the packages of swift/vapor and swift/hummingbird come ")
    assert line.endswith(" (until then, runs leave them out)")


@pytest.mark.slow
def test_json_holds_programs_machine_and_noise(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    # What is foretold is tested where it is measured.
    foretold = Forecast(noise=0.02, entries=4, trial_s=4.2, minutes={0.1: 4.5, 0.03: None})
    monkeypatch.setattr(forecast, "measure_forecast", lambda _folder: foretold)
    assert main(["doctor", "--json", "--duration", "1s"]) == 0
    told = validated("doctor", capsys.readouterr().out)
    assert {"node >= 20", "python >= 3.11"} <= {program["spec"] for program in told["programs"]}
    assert told["machine"]["cores"] >= 1
    assert told["machine"]["noise"]["seconds"] == 1.0
    assert told["resolution"]["minutes"] == {"0.1": 4.5, "0.03": None}
    assert told["noise_meaning"].partition(":")[0] in {
        "Quiet",
        "Fairly quiet",
        "Noisy",
        "Very noisy",
    }


@pytest.mark.slow
def test_what_the_system_calls_itself_is_shown_as_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    named = facts.fingerprint().model_copy(update={"cpu_model": "Model [b] of [/x]"})
    monkeypatch.setattr(facts, "fingerprint", lambda _noise=None: named)
    assert main(["doctor", "--no-noise"]) == 0
    assert "CPU         Model [b] of [/x], " in capsys.readouterr().out


@pytest.mark.slow
def test_without_noise_nothing_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json", "--no-noise"]) == 0
    assert validated("doctor", capsys.readouterr().out)["machine"]["noise"] is None


@pytest.mark.parametrize("option", ["--duration", "--seconds"])
@pytest.mark.parametrize("value", ["0", "0.5", "500ms", "3m", "121", "nan", "soon"])
def test_a_silly_duration_is_refused(
    option: str, value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", option, value]) == 2
    assert f"--duration: '{value}' is " in capsys.readouterr().err


@pytest.mark.parametrize(("text", "seconds"), [("10s", 10.0), ("2m", 120.0), ("6", 6.0)])
def test_noise_is_measured_for_a_duration_or_bare_seconds(text: str, seconds: float) -> None:
    assert noise_s(text) == seconds


@pytest.mark.slow
def test_it_tells_what_holds_the_limits_of_servers_here(
    capsys: pytest.CaptureFixture[str],
) -> None:
    held = means()
    assert main(["doctor", "--no-noise"]) == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("Limits")]
    assert f"{held.cpu} (CPU), {held.memory} (memory)" in line
    assert main(["doctor", "--no-noise", "--json"]) == 0
    told = validated("doctor", capsys.readouterr().out)["limits_held_by"]
    assert told == asdict(held)
