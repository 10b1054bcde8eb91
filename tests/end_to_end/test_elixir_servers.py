"""Phoenix as a release: proven where Elixir and its packages can be had, else left out."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from support.offline import skip_where_offline
from support.toolchains import needs
from webdyno.catalog.servers.server import read_server
from webdyno.runtime.builds.commands import LOG

ROOT = Path(__file__).resolve().parents[2]
SERVER = read_server(ROOT / "servers" / "elixir" / "phoenix")

Cli = Callable[..., subprocess.CompletedProcess[str]]

pytestmark = pytest.mark.concurrent


@pytest.mark.long
@needs(*SERVER.manifest.toolchain)
@pytest.mark.parametrize("scenario", ["hello", "stream", "websocket-echo"])
def test_the_server_is_proven(cli: Cli, environment: dict[str, str], scenario: str) -> None:
    done = cli("verify", SERVER.id, "--scenario", scenario, "--verbose")
    if done.returncode == 2:
        for log in Path(environment["WEBDYNO_HOME"]).glob(f"builds/elixir-phoenix-*/{LOG}"):
            skip_where_offline(log.read_text(encoding="utf-8", errors="replace"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 proven, 0 failed" in done.stdout


def test_without_hex_it_is_left_out_with_one_line(
    cli: Cli, environment: dict[str, str], tmp_path: Path
) -> None:
    for name, said in {"elixir": "Elixir 1.14.0", "erl": "OTP 25"}.items():
        (tmp_path / name).write_text(f'#!/bin/sh\ncase $1 in -e) ;; *) echo "{said}";; esac\n')
        (tmp_path / name).chmod(0o755)
    environment["PATH"] = f"{tmp_path}:{os.environ['PATH']}"
    done = cli("verify", SERVER.id, "--scenario", "hello", timeout_s=120)
    assert done.returncode == 2, done.stdout + done.stderr
    rebar = shutil.which("rebar3")
    of_rebar = f"export MIX_REBAR3={rebar}" if rebar else "mix local.rebar --force"
    assert (
        f"left out {SERVER.id}  needs elixir >= 1.14 with hex, rebar3 (1.14.0: lacks hex, rebar3); "
        f"mix local.hex --force && {of_rebar}\n"
    ) in done.stdout
