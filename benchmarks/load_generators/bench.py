"""One measuring: programs built, tools found, cores chosen."""

import os
import subprocess
import sys
from collections.abc import Container, Set
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.load_generators.tools import TOOLS, Command, Engine, Floor, Tool, ToolResult
from webdyno.runtime.processes import pinned

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Measured:
    """A tool's own figures, and what its process used."""

    answer: ToolResult
    cpu_us: float  # per answered request, start of the process to its end
    peak_bytes: int
    pushed_off: int

    @property
    def rps(self) -> float:
        return self.answer.requests / self.answer.elapsed_s


@dataclass(frozen=True)
class Bench:
    """What a measuring needs."""

    programs: Path
    server_cpu: int
    client_cpu: int
    engine: Engine
    floor: Floor
    other_generators: list[Tool]

    @property
    def tools(self) -> list[Tool]:
        return [self.floor, self.engine, *self.other_generators]

    @property
    def schedule(self) -> Path:
        """The engine's program that tells when a load's requests are due."""
        return self.programs / "examples" / "schedule"

    def server(
        self, model: str, *arguments: str, cpus: Set[int] | None = None
    ) -> AbstractContextManager[int]:
        """The known server, on its own core if no others are given; its port."""
        program = [str(self.programs / "known"), f"model={model}", *arguments]
        return pinned.server(program, cpus or {self.server_cpu})

    def run(self, tool: Tool, command: Command, cpus: Set[int] | None = None) -> Measured:
        """Runs a tool once, on the client's core if no others are given.

        Raises `Failed` when it fails, or says that nothing was answered.
        """
        ended = pinned.run(command.argv, cpus or {self.client_cpu}, command.stdin)
        answer = tool.parse(ended.stdout)
        if answer.requests == 0:
            raise pinned.Failed(f"{tool.name}: no request was answered")
        cpu_us = ended.cpu_s * 1e6 / answer.requests
        return Measured(answer, cpu_us, ended.peak_bytes, ended.pushed_off)


def prepare(wanted: Container[str]) -> Bench:
    """Builds the engine and the programs, finds the `wanted` generators, prints their versions."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / ".webdyno" / "target" / "benchmarks"))
    for folder, what in (
        ("engine", ["--examples"]),
        ("engine/known-server", ["--bins"]),
        ("benchmarks/programs", ["--bins"]),
    ):
        manifest = str(ROOT / folder / "Cargo.toml")
        build = ["cargo", "build", "--release", "--quiet", "--locked", "--manifest-path", manifest]
        subprocess.run(
            [*build, *what], check=True, env={**os.environ, "CARGO_TARGET_DIR": str(target)}
        )
    programs = target / "release"
    cpus = sorted(os.sched_getaffinity(0))
    if len(cpus) < 2:
        print("one core only: server and client share it", file=sys.stderr)
    server_cpu, client_cpu = cpus[0], cpus[min(1, len(cpus) - 1)]
    engine = Engine([str(programs / "examples" / "load")], [client_cpu])
    other_generators = []
    for generator in TOOLS.all().values():
        if generator.name not in wanted:
            continue
        version = generator.version()
        if version is None:
            print(f"{generator.name:12} not installed (figures are stated for {generator.pinned})")
            continue
        note = (
            ""
            if version == generator.pinned
            else f" (not {generator.pinned}, as in the documentation)"
        )
        print(f"{generator.name:12} {version}{note}")
        other_generators.append(generator)
    return Bench(
        programs, server_cpu, client_cpu, engine, Floor(programs / "floor"), other_generators
    )
