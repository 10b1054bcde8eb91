"""The options of commands that have many, under headings, as their help and docs/commands.md list
them."""

from __future__ import annotations

from itertools import groupby
from typing import Any

OF_COMMANDS: dict[str, dict[str, tuple[str, ...]]] = {
    "run": {
        "What to run": ("servers", "scenarios", "method", "duration", "build_times"),
        "How long": ("budget", "blocks", "resume"),
        "Where": ("server_cpus", "generator_cpus", "service_cpus", "machines"),
        "Only with `board`": ("reference", "dry_run"),
        "Output": ("json", "html", "jtl", "plain"),
    },
    "hit": {
        "Load": ("connections", "duration", "rate", "phases", "poisson", "seed"),
        "A fixed number of requests": ("users", "iterations"),
        "The highest rate that meets an objective": (
            "objective",
            "errors",
            "tolerance",
            "max_rate",
        ),
        "Request and answer": ("header", "body", "method", "message", "echo", "timeout"),
        "HTTP/2 and TLS": ("http2", "streams", "insecure", "cacert"),
        "Generator": ("threads", "cpus", "reactor", "agents", "allow_remote"),
        "Output": ("json", "record"),
    },
    "ab": {
        "What to compare": ("command", "package", "runtime", "url"),
        "Service": (
            *("file", "build", "no_build", "env", "service", "port_variable", "ready"),
            *("start_timeout", "writes"),
        ),
        "Requests and answers": ("request", "header", "status", "same_answers", "ignore"),
        "Load": ("load", "connections", "rate"),
        "How long and how exact": ("budget", "margin"),
        "Output": ("markdown", "junit", "json", "html", "plain"),
    },
    "gate": {
        "What to compare": ("baseline", "across", "servers", "unpaired"),
        "How long": ("blocks", "budget", "resume"),
        "Output": ("markdown", "junit", "json", "run_json"),
    },
}
"""By command and heading, the names of the options' parameters."""

ARGUMENTS = "Arguments"

WIDEST = 24
"""Columns of the widest name of an option that has its text beside it; longer ones have it
below."""


def group_options(command: Any) -> Any:
    """`command`, whose help lists its arguments and its options under their headings."""

    def listed(context: Any, formatter: Any) -> None:
        groups = [(title, _records(group, context)) for title, group in grouped(command, context)]
        options = [name for title, records in groups if title != ARGUMENTS for name, _ in records]
        # One column for all of them, although each group is laid out by itself.
        width = max((len(name) for name in options if len(name) <= WIDEST), default=0)
        for title, records in groups:
            least = 0 if title == ARGUMENTS else width
            with formatter.section(title):
                formatter.write_dl(
                    [(f"{name:<{least}}", told) for name, told in records], col_max=width or WIDEST
                )

    command.format_options = listed
    return command


def grouped(command: Any, context: Any) -> list[tuple[str, list[Any]]]:
    """Heading and parameters, in the order of the help: the arguments, the groups of options, and
    the options without a group, such as --help."""
    groups = OF_COMMANDS.get(command.name, {})
    headings = {name: title for title, names in groups.items() for name in names}
    rest = "Other" if groups else "Options"

    def heading(one: Any) -> str:
        return ARGUMENTS if one.param_type_name == "argument" else headings.get(one.name, rest)

    order = [ARGUMENTS, *headings.values(), rest]
    names = list(headings)
    known = sorted(
        command.get_params(context),
        key=lambda one: (
            order.index(heading(one)),
            names.index(one.name) if one.name in headings else 0,
        ),
    )
    return [(title, list(group)) for title, group in groupby(known, heading)]


def _records(parameters: list[Any], context: Any) -> list[tuple[str, str]]:
    records = (one.get_help_record(context) for one in parameters)
    return [record for record in records if record is not None]
