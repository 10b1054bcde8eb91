"""What the help calls the value of an option: `--budget DURATION` instead of `--budget <str>`."""

from __future__ import annotations

from typing import Any

_NAMES = {
    "across": "KIND",
    "address": "ADDRESS",
    "baseline": "RUN",
    "body": "TEXT",
    "budget": "DURATION",
    "build": "COMMAND",
    "cacert": "FILE",
    "command": "COMMAND",
    "cpus": "CPUS",
    "duration": "DURATION",
    "env": "NAME=VALUE",
    "errors": "SHARE",
    "generator_cpus": "CPUS",
    "header": "HEADER",
    "headroom": "SHARE",
    "jtl": "DIR",
    "load": "LOADS",
    "max_rate": "RATE",
    "margin": "SHARE",
    "message": "TEXT",
    "method": "METHOD",
    "metric": "METRIC",
    "objective": "OBJECTIVE",
    "package": "NAME@VERSION",
    "page_views": "RATE",
    "phases": "PHASES",
    "port_variable": "NAME",
    "price": "PRICE",
    "queue": "ORDER",
    "rate": "RATE",
    "ray": "HOST:PORT",
    "ready": "PATH",
    "reference": "SERVER",
    "request": "REQUEST",
    "resume": "RUN",
    "roles": "ROLES",
    "runtime": "NAME@VERSION",
    "scenario": "SCENARIO",
    "scenarios": "SCENARIOS",
    "server_cpus": "CPUS",
    "servers": "SERVERS",
    "service_cpus": "CPUS",
    "since": "COMMIT",
    "start_timeout": "DURATION",
    "table": "TOOL",
    "timeout": "DURATION",
    "tolerance": "SHARE",
    "url": "URL",
}
"""By the name of the option's parameter; the others are called by their type."""
_NO_BOUND = 2**63 - 1
"""From here on a maximum is that of a number's own size, and says nothing."""
_TYPES = {"Path": "FILE", "int": "N", "float": "NUMBER"}


def name_values(command: Any) -> Any:
    """`command`, whose options that take a value say in the help what it is. Those that choose
    among words keep the words, and arguments show no type: their names say enough."""
    for one in command.params:
        value = one.type_descriptor
        if value.is_choice:
            continue
        if one.min is not None:
            bounds = _bounds(one.min, one.max)
            one._get_number_range_help_str = lambda bounds=bounds: bounds
        if one.param_type_name == "argument":
            one.display_type_rich = lambda ctx: ""
        elif one.metavar is None and not one.is_flag:
            kind = next((_TYPES[key] for key in _TYPES if key in str(value.annotation)), "TEXT")
            one.metavar = _NAMES.get(one.name, kind)
    return command


def _bounds(least: float, most: float | None) -> str:
    """`from 1 to 1,000,000`, in place of Click's `1<=x<=1000000`."""
    if most is None or most >= _NO_BOUND:
        return f"at least {least:,g}"
    return f"from {least:,g} to {int(most):,}"
