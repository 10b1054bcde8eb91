"""The commands there are, and a group that imports the module of the one called."""

from __future__ import annotations

import contextlib
import functools
import importlib
from collections.abc import Callable, Iterator
from typing import Any, cast

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from webdyno.cli.empty_values import refuse_empty
from webdyno.cli.exit_codes import tell_exit_codes
from webdyno.cli.option_groups import group_options
from webdyno.cli.value_names import name_values

COMMANDS = {
    "run": "Run a study: build, verify, load and compare servers (default: quick).",
    "hit": "Load-test a URL, as wrk does.",
    "ab": "Compare two versions of your own service: slower, faster, or not settled.",
    "init": "Describe your own service for `ab`: write webdyno.toml.",
    "list": "List servers, scenarios, studies and runs.",
    "verify": "Build servers and verify their answers, without measuring.",
    "check": "For pull requests: build, verify and measure the servers that a change touches.",
    "report": "Show a stored run; write its report as HTML, JSON, Markdown or SVG.",
    "capacity": "Estimate how many machines a day's traffic needs.",
    "compare": "Compare two runs: what became faster or slower.",
    "gate": "For CI: fail if a run is certainly worse than its baseline.",
    "claims": "Check published figures for contradictions.",
    "history": "Show a study's results over its runs, and where they changed.",
    "doctor": "Show what is installed or missing, and how noisy this machine is.",
    "outdated": "List outdated frameworks and runtimes, or update a server.",
    "machines": "Use several machines: load from some, servers on another.",
    "new": "Create a server, scenario or study of your own.",
    "test": "Run Webdyno's own quality gates.",
}
"""Name and one line of help, in the order of `webdyno --help`."""


class LazyCommands(TyperGroup):
    """Lists every command without importing it; imports the one that is called."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        refuse_empty(self)
        for name, help_line in COMMANDS.items():
            self.add_command(_placeholder(name, help_line))

    def list_commands(self, ctx: Any) -> list[str]:
        """In the order of `COMMANDS`, which is the order of a user's first day."""
        return list(COMMANDS)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """As the base class does, suggestions for misspelt names included, then import."""
        name, _, rest = super().resolve_command(ctx, args)
        return name, load(cast(str, name)), rest

    def make_context(self, *arguments: Any, **extra: Any) -> Any:
        """As the base class does; raises `typer.Abort` on Ctrl-C."""
        with _interrupt_told():
            return super().make_context(*arguments, **extra)

    def invoke(self, ctx: Any) -> Any:
        """As the base class does; raises `typer.Abort` on Ctrl-C."""
        with _interrupt_told():
            return super().invoke(ctx)


@contextlib.contextmanager
def _interrupt_told() -> Iterator[None]:
    """Of Ctrl-C, Typer would make an exit code that nobody can tell from a command's own."""
    try:
        yield
    except KeyboardInterrupt as interrupt:
        raise typer.Abort from interrupt


def load(name: str) -> Any:
    """The command `name`, imported from the module of that name."""
    module = importlib.import_module(f"webdyno.cli.{name}")
    return _command(name, getattr(module, name, None) or getattr(module, f"{name}_"))


@functools.cache
def _command(name: str, function: Callable[..., Any]) -> Any:
    """The command that runs `function`: reading all of its options takes a moment."""
    single = typer.Typer(
        add_completion=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    single.command(name)(function)
    return refuse_empty(group_options(tell_exit_codes(name_values(get_command(single)))))


def _placeholder(name: str, help_line: str) -> Any:
    """What stands for a command in the list of commands, without the options of one."""
    return TyperCommand(name, help=help_line, short_help=help_line, rich_markup_mode=None)
