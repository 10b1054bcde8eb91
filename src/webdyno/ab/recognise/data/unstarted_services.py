"""Services that another one needs and that `ab` does not start, such as Redis."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

from webdyno.ab.recognise.data.databases import needs_in
from webdyno.ab.recognise.python.needs import needs_of
from webdyno.ab.recognise.recognised import json_of, says, table_of, toml_of

_CLIENTS = (
    (
        "Redis",
        r"\b(?:io)?redis\b|go-redis|redigo|predis|jedis|lettuce|rueidis|\bbull(?:mq)?\b|sidekiq",
    ),
    ("MongoDB", r"\bmongo(?:db|ose|-driver|id|engine)?\b|pymongo"),
    ("RabbitMQ", r"\bamqp\w*\b|rabbitmq|\bpika\b|\blapin\b"),
    ("Kafka", r"\w*kafka\w*"),
    ("Elasticsearch", r"elasticsearch|opensearch"),
    ("Memcached", r"\bmemcached?\b|\bmemjs\b|pymemcache|gomemcache|\bdalli\b"),
    ("NATS", r"\bnats(?:\.go|\.ws|-py|-server)?\b"),
)
"""The libraries that are clients of each, as manifests name them in small letters."""

_BUNNY = r"^\s*gem[ (]+[\"']bunny[\"']"
_MOTOR = re.compile(r"(?:^[ \t]*|[\"'])motor(?![\w./-])", re.MULTILINE)
"""Clients with names that mean something else in other languages."""


def not_started(folders: Sequence[Path]) -> str:
    """That the manifests in `folders` name clients of such services, as the owner has to know;
    empty where they name none."""
    needs = needs_in(folders, "package.json", "composer.json", "Cargo.toml")
    needs += "".join(map(_less_tests, folders))
    own = {
        "MongoDB": any(_MOTOR.search(needs_of(one)) for one in folders),
        "RabbitMQ": any(says(one / "Gemfile", _BUNNY) for one in folders),
    }
    services = [name for name, one in _CLIENTS if own.get(name) or re.search(one, needs)]
    if not services:
        return ""
    named = " and ".join(services)
    return (
        f"it depends on a client of {named}, which ab does not start: if the service needs it, "
        "start one that both versions may share, and set its address in `env`"
    )


def _less_tests(folder: Path) -> str:
    """The dependencies in the manifests that list apart what is for development and tests alone, as
    a small server of MongoDB is; the other manifests count whole."""
    of_node = table_of(json_of(folder / "package.json").get("dependencies"))
    of_php = table_of(json_of(folder / "composer.json").get("require"))
    of_rust = {
        name: one
        for name, one in toml_of(folder / "Cargo.toml").items()
        if name != "dev-dependencies"
    }
    return f"\n{json.dumps([*of_node, *of_php]).lower()}\n{of_rust}".lower()
