"""Services that another one needs and that `ab` does not start, such as Redis."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

from webdyno.ab.recognise.databases import needs_in
from webdyno.ab.recognise.recognised import json_of, table_of

_CLIENTS = (
    (
        "Redis",
        r"\b(?:io)?redis\b|go-redis|redigo|predis|jedis|lettuce|rueidis|\bbull(?:mq)?\b|sidekiq",
    ),
    ("MongoDB", r"\bmongo(?:db|ose|-driver|id|engine)?\b|pymongo|\bmotor\b"),
    ("RabbitMQ", r"\bamqp\w*\b|rabbitmq|\bpika\b|\bbunny\b|\blapin\b"),
    ("Kafka", r"\w*kafka\w*"),
    ("Elasticsearch", r"elasticsearch|opensearch"),
    ("Memcached", r"\bmemcached?\b|\bmemjs\b|pymemcache|gomemcache|\bdalli\b"),
    ("NATS", r"\bnats(?:\.go|\.ws|-py|-server)?\b"),
)
"""The libraries that are clients of each, as manifests name them in small letters."""


def not_started(folders: Sequence[Path]) -> str:
    """That the manifests in `folders` name clients of such services, as the owner has to know;
    empty where they name none."""
    needs = needs_in(folders, less="package.json")
    # What is for tests alone, as a small server of MongoDB, is not needed.
    for folder in folders:
        needed = table_of(json_of(folder / "package.json").get("dependencies"))
        needs += f"\n{json.dumps(list(needed)).lower()}"
    found = [name for name, pattern in _CLIENTS if re.search(pattern, needs)]
    if not found:
        return ""
    named = " and ".join(found)
    return (
        f"it depends on a client of {named}, which ab does not start: if the service needs it, "
        "start one that both versions may share, and set its address in `env`"
    )
